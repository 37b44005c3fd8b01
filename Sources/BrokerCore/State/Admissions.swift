import TaskTree

/// Counts the sessions that are present: in all, and by connection, process and other broker.
struct Admissions {
    /// How a session reached the broker: the connection of its hello, its process if the kernel
    /// tells it, and its member if the bus has keys.
    struct Way: Hashable {
        var route: Route?
        var process: Int32?
        var member: String?
        /// The other broker of the fleet that the session belongs to; `nil` for this broker's
        /// sessions.
        var broker: UInt64?

        /// The owner whose share of the broker's tables the session takes.
        var owner: ShareOwner {
            process.map { .process($0) } ?? member.map { .member($0) }
                ?? broker.map { .broker($0) } ?? .others
        }
    }

    private var byRoute: [Route: Int] = [:]
    private var byProcess: [Int32: Int] = [:]
    private var byBroker: [UInt64: Int] = [:]
    /// How many sessions are present.
    private(set) var count = 0
    /// How many of the present sessions are not viewers.
    private(set) var workers = 0

    mutating func enter(_ session: Session) { add(1, session) }
    mutating func leave(_ session: Session) { add(-1, session) }

    private mutating func add(_ change: Int, _ session: Session) {
        count += change
        if !session.isViewer { workers += change }
        let way = session.way
        if let route = way.route { Self.change(&byRoute[route], by: change) }
        if let process = way.process { Self.change(&byProcess[process], by: change) }
        if let broker = way.broker { Self.change(&byBroker[broker], by: change) }
    }

    /// Why another session is not admitted; `nil` if it is.
    func refusal(of way: Way, by configuration: CoreConfiguration) -> String? {
        if count >= configuration.sessions {
            return "The broker already has \(configuration.sessions) sessions; try again later."
        }
        if let route = way.route, byRoute[route] ?? 0 >= configuration.sessionsPerConnection {
            return "This connection already has \(configuration.sessionsPerConnection) sessions, "
                + "the limit sessions-per-connection; end some, or use another connection."
        }
        if let broker = way.broker, byBroker[broker] ?? 0 >= configuration.sessions / 4 {
            return
                "Of one other broker the fleet's share is \(configuration.sessions / 4) sessions."
        }
        if let process = way.process, byProcess[process] ?? 0 >= configuration.sessionsPerProcess {
            return "Process \(process) already has \(configuration.sessionsPerProcess) sessions, "
                + "the limit sessions-per-process; end some."
        }
        return nil
    }

    private static func change(_ count: inout Int?, by change: Int) {
        let sum = (count ?? 0) + change
        count = sum > 0 ? sum : nil
    }
}
