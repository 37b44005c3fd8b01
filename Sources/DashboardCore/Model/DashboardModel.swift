import ProgressBus
package import TaskTree

/// The whole dashboard as a value: what came from the bus and what the person has chosen.
///
/// Once a view has settled, an indicator's row and column change only by an event of the person:
/// `key`, `mouse`, `paste`, `resize`. An update from the bus changes what the rows show, never
/// where they are.
package struct DashboardModel: Sendable {
    package let options: DashboardOptions
    /// The moment of the event that is being handled, or was handled last.
    var now: Moment
    /// The actions that this event has required so far.
    var actions: [DashboardAction] = []

    var columns: Int
    var rows: Int
    /// What the screen shows and keys act on: the present state of the bus, or its frozen picture.
    var store: TaskStore
    /// While the picture is frozen: the present state of the bus, and the moment of freezing.
    var frozen: (present: TaskStore, at: Moment)?
    var board = BoardState()
    /// A copy of the board in another order, in front of it.
    var ordered: OrderedBoard?
    var job: JobState?
    /// The unfolded blocks of the jobs that were open before, the most recent job last.
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
    /// The jobs whose end is to be announced.
    var alerts: [TaskID: Alert] = [:]
    /// The dismissal of all ended jobs, while they are being counted or dismissed.
    var dismissal: Dismissal?
    /// The titles of tasks that have sent messages but have no row here; empty if not known.
    var names: [TaskID: String] = [:]
    /// The parts that the dashboard last asked to follow.
    var followed: Set<ViewportPart> = []
    /// The cell that was clicked last, to detect a double click.
    var lastClick: (column: Int, row: Int, at: Moment)?
    /// The direction of a jump that waits until all pages of the board have come.
    var seeking: Int?

    /// A dashboard that has received nothing from the bus yet.
    package init(options: DashboardOptions, columns: Int, rows: Int, at now: Moment) {
        self.options = options
        self.now = now
        self.columns = max(columns, 0)
        self.rows = max(rows, 0)
        store = TaskStore(at: now)
    }

    /// Returns the first actions: the parts to follow, and the task to find.
    package mutating func begin(at now: Moment) -> [DashboardAction] {
        self.now = now
        if let text = options.opens { search(TaskSelector(text), .open) }
        return finishedActions()
    }

    /// Handles an event and returns the actions that it requires.
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

    /// Shows a note for a while.
    ///
    /// The next key removes a note, unless the note is news.
    mutating func say(_ text: String, isNews: Bool = false) {
        note = Note(text: text, until: now.advanced(bySeconds: Note.life), isNews: isNews)
    }

    /// Removes the note about an earlier key, which may not be true any more.
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

    /// Updates what depends on the picture after the picture has changed.
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

    /// Assigns the further lines of the visible slots to children.
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

    /// Fits the rows or cells on the screen to the present tasks, at the person's request.
    mutating func refit() {
        if view == .mosaic { refitMosaic() } else { refitJob() }
    }

    private mutating func refitJob() { inTree { $0.refit(bodyHeight: $2, store: $1) } }

    /// Changes the open tree, if any, by a closure that gets the store and the height of the body.
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

/// A note about what just happened, shown in rows above the footer.
struct Note: Equatable, Sendable {
    static let life = 6.0

    var text: String
    var until: Moment
    var isNews: Bool
}
