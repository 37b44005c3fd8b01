package import TaskTree

/// Everything the dashboard knows of one task; a copy.
///
/// Durations were right at `madeAt` and are carried on from there by whoever shows them, so that a
/// task about which nothing new is said still grows older on the screen.
package struct TaskRow: Equatable, Sendable, Identifiable {
    package var id: TaskID
    /// `nil` for a job.
    package var parent: TaskID?
    package var job: TaskID
    /// 0 for a job.
    package var depth = 0
    package var key = ""
    /// Where a job is on the board, from 1.
    package var slot: Int?
    /// Where a child is in its parent, from 1.
    package var place: Int?
    /// Where the task is in its job's mosaic, from 1.
    package var cell: Int?

    package var title: String
    package var detail = ""
    package var unit = ""
    package var style = TaskStyle.bar
    package var isBackground = false
    package var tint: String?

    package var state = TaskState.running
    package var isStalled = false
    package var isSilent = false
    package var needsAttention = false
    package var isIndeterminate = true

    /// What is done, as reported: above 1 where that is more than the total.
    package var fraction = 0.0
    /// What a bar draws, at an even pace: at most `fraction`, 0.99 before success.
    package var displayFraction = 0.0
    package var completed: Int64 = 0
    package var total: Int64?
    package var totalIsEstimate = false
    /// What the total was before it grew.
    package var totalBefore: Int64?
    package var expectedChildren: Int64?
    package var share: Int64?
    package var attempt = 1
    package var earlierAttempts = 0

    /// Units per second.
    package var rate: Double?
    package var secondsLeft: Double?
    package var elapsed: Double?
    package var secondsSinceAdvance: Double?
    /// Unix time of its begin and its end.
    package var startedAt: Double?
    package var endedAt: Double?
    package var reason: String?
    package var exit: Exit?

    package var isCancellable = false
    package var isPausable = false
    package var consequence: String?
    package var process: Process?

    /// Descendants by state.
    package var counts = StateCounts()
    package var sums: [UnitSum] = []
    package var attentionBelow = 0
    /// What the broker adds: "waiting for 2 children".
    package var note = ""
    package var isOrphan = false
    package var childrenLeftOut = 0

    /// When the durations were right.
    package var madeAt = Moment(nanoseconds: 0)

    package init(id: TaskID, job: TaskID? = nil, title: String) {
        self.id = id
        self.job = job ?? id
        self.title = title
    }
}

extension TaskRow {
    /// How a process ended.
    package enum Exit: Hashable, Sendable {
        case status(Int)
        case signal(Int)
    }

    /// The process a task's owner lives in.
    package struct Process: Hashable, Sendable {
        package var host: String
        package var pid: Int
        package var command: String

        package init(host: String, pid: Int, command: String) {
            self.host = host
            self.pid = pid
            self.command = command
        }
    }
}
