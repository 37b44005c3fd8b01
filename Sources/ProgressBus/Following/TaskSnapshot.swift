#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import TaskTree

/// One task as every viewer of the bus sees it at one moment, with its children; a copy.
///
/// Numbers nobody knows are `nil`. Durations are seconds; they were right when the value was made
/// and do not move afterwards. Dates are by the broker's clock.
public struct TaskSnapshot: Sendable, Equatable, Identifiable {
    /// The id of the task, which never changes.
    public var id: TaskID
    /// The task it is a child of; `nil` for a job.
    public var parent: TaskID?
    /// The root of its tree; its own id for a job.
    public var job: TaskID
    /// 0 for a job, 1 for its children.
    public var depth = 0
    /// The name that identifies a job from one run to the next; empty for children without one.
    public var key = ""
    /// Where a job is on the board, from 1; `nil` for children.
    public var slot: Int?
    /// Where a child is in its parent, from 1; `nil` for jobs.
    public var place: Int?
    /// Where the task is in its job's mosaic, from 1.
    public var cell: Int?

    /// What is being done, in words of the owner.
    public var title: String
    /// What is being done at this very moment; empty if the owner does not say.
    public var detail = ""
    /// What `completed` and `total` count, such as "files"; empty for plain numbers.
    public var unit = ""
    /// What else its owner says of it, such as whether it can be cancelled.
    public var options = TaskOptions()

    /// The state of the task, as the broker judges it.
    public var state = TaskState.running
    /// Whether its process is alive but it has not advanced for longer than usual.
    public var isStalled = false
    /// Whether its process has said nothing for three heartbeats.
    public var isSilent = false
    /// Whether a person should look: failed, lost, silent, stalled, or succeeded over a failure.
    public var needsAttention = false
    /// Whether nothing says how much work there is.
    public var isIndeterminate = true

    /// How much is done; not clamped: 15 of 10 is 1.5.
    public var fraction = 0.0
    /// The fraction to draw as a bar: it moves at an even pace and never exceeds `fraction`, which
    /// is for numbers.
    ///
    /// 0 to 0.99, 1 once succeeded; it falls within an attempt only where less is reported.
    public var displayFraction = 0.0
    /// How many units are done.
    public var completed: Int64 = 0
    /// How many units there are.
    public var total: Int64?
    /// What the total was before it grew; `nil` if it did not.
    public var totalBefore: Int64?
    /// How many of the parent's units the task is worth; `nil` if it was not said.
    public var share: Int64?
    /// Which try this is, from 1.
    public var attempt = 1
    /// How many tries came before this one.
    public var earlierAttempts = 0

    /// Units per second.
    public var rate: Double?
    /// About how long it will still take, in seconds, from now; `nil` while that is not known, and
    /// once a task that runs should have ended ten seconds ago.
    public var secondsLeft: Double?
    /// Seconds since it began, until now or until it ended.
    public var elapsed: Double?
    /// Like `elapsed`, pauses left out.
    public var active: Double?
    /// Seconds since it last advanced, or since it began if it has not yet.
    public var secondsSinceAdvance: Double?
    /// The time at which its owner says that it began; `nil` before that.
    ///
    /// By the broker's clock where the owner's is two seconds or more off.
    public var startedAt: Date?
    /// When it ended, by the same clock.
    public var endedAt: Date?
    /// Why it failed, was cancelled or was lost, if somebody said so.
    public var reason: String?
    /// How its process ended, if that is known.
    public var exit: Exit?

    /// The process of its owner; `nil` while it waits for one.
    public var process: Process?
    /// Where it runs: the host that its owner names, else the owner's own; empty if not known.
    public var host: String { options.host.isEmpty ? process?.host ?? "" : options.host }

    /// How many descendants are in which state.
    public var counts = StateCounts()
    /// Amounts of all descendants, summed by unit.
    public var sums: [UnitSum] = []
    /// How many descendants need attention.
    public var attentionBelow = 0
    /// What else is to be said, such as "waiting for 2 children"; empty for nothing.
    public var note = ""
    /// Whether its parent never turned up, so that it is shown as a job.
    public var isOrphan = false
    /// Children that count but are not listed: folded away, or beyond what is listed.
    ///
    /// Children below the depth that was asked for are not in this number.
    public var childrenLeftOut = 0
    /// The children of the current attempt by place, then by id; empty below the depth asked for.
    public var children: [TaskSnapshot] = []

    /// The moment for which the durations hold, for viewers that carry them on; 0 outside of
    /// viewports.
    package var madeAt = Moment(nanoseconds: 0)

    /// A job, or a child of `job`, that runs and of which nothing else is known.
    package init(id: TaskID, job: TaskID? = nil, title: String) {
        self.id = id
        self.job = job ?? id
        self.title = title
    }

    /// The time left after so many seconds in which the task ran without news, not below 0; `nil`
    /// where it should have ended ten seconds ago: the prediction was wrong then.
    package func secondsLeft(after passed: Double) -> Double? {
        guard let left = secondsLeft.map({ $0 - max(passed, 0) }), left > -10 else { return nil }
        return max(left, 0)
    }
}

extension TaskSnapshot {
    /// How a process ended.
    public enum Exit: Sendable, Hashable {
        /// By itself, with this status.
        case status(Int)
        /// By this signal.
        case signal(Int)
    }

    /// The process a task's owner lives in.
    public struct Process: Sendable, Hashable {
        /// The name of its machine.
        public var host: String
        /// Its process id on that machine.
        public var pid: Int
        /// The command that it was started with.
        public var command: String

        package init(host: String, pid: Int, command: String) {
            self.host = host
            self.pid = pid
            self.command = command
        }
    }
}
