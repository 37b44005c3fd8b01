import ProgressBus
package import TaskTree

/// The whole dashboard as a value: what came from the bus and what the person has chosen.
///
/// An indicator's row and column change only by an event of the person: `key`, `mouse`, `paste`,
/// `resize`.
/// A picture changes what is in the rows, never where they are.
package struct DashboardModel: Sendable {
    package let options: DashboardOptions
    /// The moment of the event that is taken, or was last.
    var now: Moment
    /// What that event has made necessary so far.
    var actions: [DashboardAction] = []

    var columns: Int
    var rows: Int
    /// What is on the screen, and what keys act on: what the bus says, or the frozen picture of it.
    var store: TaskStore
    /// While the picture is frozen: what the bus says meanwhile, and since when.
    var frozen: (present: TaskStore, at: Moment)?
    var board = BoardState()
    /// A copy of the board in another order, in front of it.
    var ordered: OrderedBoard?
    var job: JobState?
    /// How the jobs were unfolded that were looked at before, the last one last.
    var formerRoots: [JobState.Block] = []
    var mosaic: MosaicState?
    var pane = Pane()
    /// The first line of the help that is shown; `nil` while it is not.
    var helpScroll: Int?
    var dialog: Dialog?
    var prompt: Prompt?
    var note: Note?
    var activity = ActivityArea()
    var pending = PendingAnswers()
    /// The jobs whose end is to be told.
    var alerts: [TaskID: Alert] = [:]
    /// While all jobs that have ended are counted, or dismissed.
    var dismissal: Dismissal?
    /// What tasks are called that are not on the screen; empty for those that have left.
    var names: [TaskID: String] = [:]
    /// What was last asked to be followed.
    var followed: Set<ViewportPart> = []
    /// The cell that was clicked last, for a second click on it.
    var lastClick: (column: Int, row: Int, at: Moment)?
    /// The direction of a jump that waits until all pages of the board have come.
    var seeking: Int?

    /// A dashboard that has heard nothing yet.
    package init(options: DashboardOptions, columns: Int, rows: Int, at now: Moment) {
        self.options = options
        self.now = now
        self.columns = max(columns, 0)
        self.rows = max(rows, 0)
        store = TaskStore(at: now)
    }

    /// What is to be followed and found at first.
    package mutating func begin(at now: Moment) -> [DashboardAction] {
        self.now = now
        if let text = options.opens { search(TaskSelector(text), .open) }
        return finishedActions()
    }

    /// Takes an event; what it makes necessary.
    package mutating func handle(_ event: DashboardEvent, at now: Moment) -> [DashboardAction] {
        self.now = now
        switch event {
        case .update(let update):
            take(update)
            tellEnds()
        case .key(let key):
            board.isSettled = true
            actOnPicture { $0.press(key) }
        case .mouse(let mouse):
            board.isSettled = true
            actOnPicture { $0.take(mouse) }
        case .paste(let text): paste(text)
        case .resize(let columns, let rows): resize(columns: columns, rows: rows)
        case .answered(let request, let answers): answered(request, answers)
        case .found(let request, let answer): found(request, answer)
        case .searched(let request, let hits): searched(request, hits)
        }
        return finishedActions()
    }

    private mutating func finishedActions() -> [DashboardAction] {
        follow()
        askForNames()
        defer { actions = [] }
        return actions
    }

    /// Says something for a while: what is about the key that was pressed until the next one is, news
    /// from elsewhere whatever is pressed.
    mutating func say(_ text: String, isNews: Bool = false) {
        note = Note(text: text, until: now.advanced(bySeconds: Note.life), isNews: isNews)
    }

    /// The person has gone on, and what was said of the key before may not be true any more.
    mutating func forgetNote() {
        if note?.isNews == false { note = nil }
    }

    var isHelpShown: Bool { helpScroll != nil }

    var layout: ScreenLayout {
        ScreenLayout(
            columns: columns,
            rows: rows,
            hasPane: pane.content != nil,
            hasLog: view == .job && pane.content != .messages
        )
    }

    /// The view that keys go to.
    var view: View {
        if mosaic != nil { return .mosaic }
        if job != nil { return .job }
        return ordered != nil ? .ordered : .board
    }

    enum View: Equatable, Sendable {
        case board, ordered, job, mosaic
    }

    private mutating func take(_ update: ViewportUpdate) {
        if frozen == nil {
            store.take(update, at: now)
            pictureChanged()
        } else {
            frozen?.present.take(update, at: now)
        }
        closeDialogIfEnded()
    }

    /// What follows from another picture on the screen.
    mutating func pictureChanged() {
        fillLines()
        fillOrder()
        askOnceCounted()
        jumpOnceComplete()
        findFirstScreen()
        if let id = job?.job, let row = store.rows[id] { job?.last = row }
        let wasSettled = job?.root.isSettled
        inTree { $0.settle(store: $1, bodyHeight: $2) }
        if wasSettled == false, let job, job.root.isSettled, job.isFirstPageEmpty(in: store) {
            findFirstPage()
        }
        leaveBlankLine()
        if board.bound == nil { board.bound = store.inSlot[board.slot] }
        activity.take(store)
        plotSelected()
    }

    /// Gives the lines of the slots in sight to children.
    mutating func fillLines() {
        guard board.height > 1 else { return }
        var kept: Set<TaskID> = []
        for slot in board.slots(bodyHeight: layout.body.height) {
            guard let job = store.inSlot[slot] else { continue }
            kept.insert(job)
            board.fillLines(of: job, from: store)
        }
        board.lines = board.lines.filter { kept.contains($0.key) }
    }

    private mutating func resize(columns: Int, rows: Int) {
        self.columns = max(columns, 0)
        self.rows = max(rows, 0)
        refitJob()
        refitMosaic()
        let height = layout.body.height
        ordered?.keepCursorVisible(bodyHeight: height)
        helpScroll = helpScroll.map { min($0, helpLinesCut) }
    }

    /// Fits what is on the screen to what there is now; the person asked for it.
    mutating func refit() {
        if view == .mosaic { refitMosaic() } else { refitJob() }
    }

    private mutating func refitJob() { inTree { $0.refit(bodyHeight: $2, store: $1) } }

    /// Acts on the tree that is open, in the rows that there are for it.
    mutating func inTree(_ act: (inout JobState, TaskStore, _ bodyHeight: Int) -> Void) {
        let height = layout.body.height
        guard var tree = job else { return }
        act(&tree, store, height)
        job = tree
    }

    private mutating func refitMosaic() {
        let (body, last) = (layout.body, lastCell)
        mosaic?.refit(in: body, lastCell: last)
    }
}

/// What just happened, in rows above the footer.
struct Note: Equatable, Sendable {
    static let life = 6.0

    var text: String
    var until: Moment
    var isNews: Bool
}
