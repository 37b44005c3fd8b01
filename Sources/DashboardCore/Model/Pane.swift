import ProgressBus
import TaskTree

/// The pane beside or below the view, which shows details, messages or nothing.
struct Pane: Sendable {
    enum Content: Equatable, Sendable {
        case details, messages
    }

    /// `nil` where only the view is shown.
    private(set) var content: Content?
    /// The view in which it was opened, and in which Esc closes it.
    private(set) var opener = DashboardModel.View.board
    /// The task whose details are scrolled, and the first line of them that is shown.
    private var scrolled: (task: TaskID, first: Int)?
    /// The plot of the task whose details are shown.
    private(set) var plot: TaskPlot?

    /// Opens the pane with this content, or closes it if it already shows that.
    mutating func toggle(_ wanted: Content, in view: DashboardModel.View) {
        content = content == wanted ? nil : wanted
        opener = view
    }

    mutating func close() { content = nil }

    /// The first line shown of the details of a task.
    func firstLine(of task: TaskID) -> Int {
        scrolled.flatMap { $0.task == task ? $0.first : nil } ?? 0
    }

    mutating func scroll(_ task: TaskID, to first: Int) { scrolled = (task, first) }

    /// Feeds the plot of the task whose details are shown; `nil` removes the plot.
    mutating func observe(_ row: TaskSnapshot?, at now: Moment) {
        guard let row else {
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
    /// Whether the plot counts ended tasks below, not the amounts of the task itself.
    let countsTasks: Bool
    var rates = ThroughputPlot()
}
