import ProgressBus
import TaskTree

/// What is shown beside or below the view.
struct Pane: Sendable {
    enum Content: Equatable, Sendable {
        case details, messages
    }

    let content: Content
    /// The view in which it was opened, and in which Esc closes it.
    let opener: DashboardModel.View
    /// The first line of the details that is shown, of a task where that is not the first of all.
    private var scrolled: (task: TaskID, first: Int)?
    /// That of the task whose details are shown.
    private(set) var plot: TaskPlot?

    init(_ content: Content, openedIn opener: DashboardModel.View) {
        self.content = content
        self.opener = opener
    }

    /// The line that the details of a task begin with.
    func firstLine(of task: TaskID) -> Int {
        scrolled.flatMap { $0.task == task ? $0.first : nil } ?? 0
    }

    mutating func scroll(_ task: TaskID, to first: Int) { scrolled = (task, first) }

    /// Feeds the plot of the task whose details are shown, if any are.
    mutating func observe(_ row: TaskSnapshot?, at now: Moment) {
        guard content == .details, let row else {
            plot = nil
            return
        }
        // A parent without amounts of its own advances by the tasks below it that end.
        let isCounted = row.total == nil && row.completed == 0 && row.counts.sum > 0
        let ended = row.counts.succeeded + row.counts.failed + row.counts.cancelled
        if plot?.task != row.id || plot?.countsTasks != isCounted {
            plot = TaskPlot(task: row.id, countsTasks: isCounted)
        }
        plot?.rates.observe(
            completed: isCounted ? Int64(ended) : row.completed,
            isPaused: row.state == .paused,
            at: now
        )
    }
}

/// How fast one task advances, second by second.
struct TaskPlot: Sendable {
    let task: TaskID
    /// Whether it is of tasks that ended, not of the amounts of the task itself.
    let countsTasks: Bool
    var rates = ThroughputPlot()
}
