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
        /// Its number there.
        public var pid: Int
        /// What it was started as.
        public var command: String

        package init(host: String, pid: Int, command: String) {
            self.host = host
            self.pid = pid
            self.command = command
        }
    }
}
