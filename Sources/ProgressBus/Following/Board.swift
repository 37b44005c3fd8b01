public import TaskTree

/// All jobs of the bus at one moment, with what happened since the value before; a copy.
public struct Board: Sendable {
    /// How fresh the picture is.
    public var connection: Connection
    /// What is known of the broker; `nil` before the first picture.
    public var broker: Broker?
    /// The jobs by slot.
    ///
    /// While the connection is not live, these are the jobs of the last live picture.
    public var jobs: [TaskSnapshot] = []
    /// The tasks that need attention; at most 1,000, `Broker.needingAttention` has the number.
    public var attention: [TaskID] = []
    /// Jobs that left since the value before; the newest 1,000.
    public var left: [Departure] = []
    /// Messages since the value before, if they were asked for; the newest 1,000.
    public var messages: [TaskMessage] = []
    /// A number for each job that differs from the value before if the job has changed.
    package var revisions: [TaskID: UInt64] = [:]

    package init(connection: Connection) {
        self.connection = connection
    }
}

extension Board {
    /// How fresh a picture is.
    public enum Connection: String, Sendable, Hashable {
        /// There has been no picture yet.
        case connecting
        /// The picture is the broker's present one.
        case live
        /// The broker is away, or gathers its tasks after a restart; the picture is the former one.
        case reconnecting
    }

    /// What a broker says of itself and of all its tasks.
    public struct Broker: Sendable, Equatable {
        /// A number that the broker draws when it starts: a restarted broker has another one.
        public var epoch: UInt64 = 0
        /// The version of its program.
        public var version = ""
        /// Seconds since it started.
        public var uptime = 0.0
        /// Whether it has just started and still gathers its tasks.
        public var isSettling = false
        /// Processes connected to it.
        public var sessions = 0
        /// Tasks, jobs included.
        public var tasks = 0
        /// Jobs.
        public var jobs = 0
        /// Jobs by state.
        public var jobCounts = StateCounts()
        /// Tasks by state, jobs included.
        public var taskCounts = StateCounts()
        /// Tasks that need attention.
        public var needingAttention = 0
        /// Things it has refused since it started.
        public var refused = 0
        /// Tasks whose parent has not been reported.
        public var unattached = 0

        package init() {}
    }

    /// A job that is no longer on the board.
    public struct Departure: Sendable, Equatable {
        /// Its last state; without children.
        public var task: TaskSnapshot
        /// Why it left: `succeeded`, `cancelled`, `dismissed`, `forgotten`, `evicted`, or `unseen`
        /// if it left while the follower was not listening.
        public var reason: String
    }
}
