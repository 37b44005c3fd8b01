package import TaskTree

/// The whole dashboard as a value: what came from the bus and what the person has chosen.
///
/// An indicator's row and column change only by an event of the person: `key`, `mouse`, `resize`.
/// A picture changes what is in the rows, never where they are.
package struct DashboardModel: Sendable {
    package let options: DashboardOptions

    var columns: Int
    var rows: Int
    /// What the bus says.
    var store: TaskStore
    /// What is drawn instead while the picture is frozen.
    var frozen: (store: TaskStore, at: Moment)?
    var board = BoardState()
    var job: JobState?
    var mosaic: MosaicState?
    var pane: Pane?
    var isHelpShown = false
    var dialog: CancelDialog?
    var prompt: Prompt?
    /// Rows that do not match are dimmed; empty for no filter.
    var filter = ""
    var note: Note?
    var activity = ActivityArea()
    var plot: ThroughputPlot?
    var plotTask: TaskID?
    /// Whether the plot is of tasks that ended, not of the amounts of the task itself.
    var plotCountsTasks = false
    var commands: [Int: PendingCommand] = [:]
    var searches: [Int: PendingSearch] = [:]
    var lastRequest = 0
    /// What was last asked to be followed.
    var followed: Set<PicturePart> = []
    /// The activity cell whose name was last shown.
    var lastFocus: Int?
    /// The task needing attention that was last jumped to.
    var lastJump: TaskID?

    package enum Pane: Equatable, Sendable {
        case details, messages
    }

    /// A dashboard that has heard nothing yet.
    package init(options: DashboardOptions, columns: Int, rows: Int, at now: Moment) {
        self.options = options
        self.columns = max(columns, 0)
        self.rows = max(rows, 0)
        store = TaskStore(at: now)
    }

    /// What is to be followed and found at first.
    package mutating func begin(at now: Moment) -> [DashboardAction] {
        var actions: [DashboardAction] = []
        if let text = options.opens { actions.append(search(text, .open)) }
        follow(&actions)
        return actions
    }

    /// Takes an event; what it makes necessary.
    package mutating func handle(_ event: DashboardEvent, at now: Moment) -> [DashboardAction] {
        var actions: [DashboardAction] = []
        switch event {
        case .picture(let picture): take(picture, at: now)
        case .key(let key): press(key, at: now, &actions)
        case .mouse(let mouse): take(mouse, at: now, &actions)
        case .resize(let columns, let rows): resize(columns: columns, rows: rows)
        case .answered(let request, let outcome): answered(request, outcome, at: now)
        case .found(let request, let task): found(request, task, at: now, &actions)
        }
        follow(&actions)
        return actions
    }

    /// What is drawn: the frozen picture or the present one.
    var shown: TaskStore { frozen?.store ?? store }

    var layout: ScreenLayout {
        ScreenLayout(columns: columns, rows: rows, hasPane: pane != nil)
    }

    /// The view that keys go to.
    var view: View { mosaic != nil ? .mosaic : job != nil ? .job : .board }

    enum View: Equatable, Sendable {
        case board, job, mosaic
    }

    private mutating func take(_ picture: DashboardPicture, at now: Moment) {
        store.take(picture, at: now)
        if board.height > 1 {
            let body = layout.body.height
            var kept: Set<TaskID> = []
            for slot in board.slots(bodyHeight: body) {
                guard let job = store.inSlot[slot] else { continue }
                kept.insert(job)
                board.fillLines(of: job, from: store)
            }
            board.lines = board.lines.filter { kept.contains($0.key) }
        }
        if let id = job?.job, let row = store.rows[id] { job?.last = row }
        if board.bound == nil { board.bound = store.inSlot[board.slot] }
        activity.take(store)
        closeDialogIfEnded(at: now)
        observe(at: now)
    }

    /// Feeds the plot of the selected task.
    mutating func observe(at now: Moment) {
        guard pane == .details, let id = selected, let row = store.rows[id] else {
            plot = nil
            plotTask = nil
            return
        }
        if plotTask != id {
            plotTask = id
            plot = ThroughputPlot()
        }
        // A parent without amounts of its own advances by the tasks below it that end.
        let isCounted = row.total == nil && row.completed == 0 && row.counts.sum > 0
        let ended = row.counts.succeeded + row.counts.failed + row.counts.cancelled
        if isCounted != plotCountsTasks {
            plotCountsTasks = isCounted
            plot = ThroughputPlot()
        }
        plot?.observe(
            completed: isCounted ? Int64(ended) : row.completed,
            isPaused: row.state == .paused,
            at: now
        )
    }

    private mutating func resize(columns: Int, rows: Int) {
        self.columns = max(columns, 0)
        self.rows = max(rows, 0)
        refit()
    }

    /// Makes the blocks as high as is good for what there is now; the person asked for it, or the
    /// screen has another size.
    mutating func refit() {
        let height = layout.body.height
        guard var job else { return }
        job.refit(bodyHeight: height, store: store)
        job.keepCursorVisible(bodyHeight: height)
        self.job = job
        if var mosaic {
            mosaic.keepCursorVisible(in: layout.body)
            self.mosaic = mosaic
        }
    }
}
