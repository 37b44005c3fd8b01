public import TaskTree

/// Why the bus cannot be followed, or a question to it has no answer.
public struct FollowError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of trouble; later versions may have more.
    public var code: Code
    /// What was wrong and what to do about it.
    public var description: String
    /// For `.ambiguous`, the tasks that the selector may name; at most 100.
    public var candidates: [TaskID]

    package init(_ code: Code, _ description: String, candidates: [TaskID] = []) {
        self.code = code
        self.description = description
        self.candidates = candidates
    }
}

extension FollowError {
    /// A kind of trouble.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// A name for programs.
        public var rawValue: String

        /// Wraps a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// No broker listens.
        public static let noBroker = Code(rawValue: "noBroker")
        /// A broker listens but does not answer in time.
        public static let timedOut = Code(rawValue: "timedOut")
        /// The broker has no room or is stopping; try again later.
        public static let busy = Code(rawValue: "busy")
        /// The broker refuses the follower or what it asks; the description says why.
        public static let refused = Code(rawValue: "refused")
        /// Several tasks go by that name.
        public static let ambiguous = Code(rawValue: "ambiguous")
        /// No task goes by that name.
        public static let noSuchTask = Code(rawValue: "noSuchTask")
        /// The task left the bus, and nobody knows how it ended.
        public static let left = Code(rawValue: "left")
        /// The endpoint is invalid, or its directory is not to be trusted.
        public static let badEndpoint = Code(rawValue: "badEndpoint")
        /// Sockets or a thread could not be made.
        public static let cannotConnect = Code(rawValue: "cannotConnect")
        /// The follower was closed.
        public static let closed = Code(rawValue: "closed")
    }
}
