import BrokerCore

/// How much a broker takes on before it refuses more or drops the oldest.
///
/// Quotas of a session refuse **new** tasks only: known tasks go on. Limits of a single frame are
/// the protocol's and the same for every broker.
public struct BrokerLimits: Sendable, Hashable {
    /// Sessions present at a time, viewers included; further ones are refused.
    ///
    /// 20,000 by default, or fewer if the process may not have four open files for each. A number
    /// above the default is taken as it is, for sessions that share connections.
    public var sessions = 20_000
    /// Sessions present over one connection; further ones are refused.
    ///
    /// 64 by default.
    public var sessionsPerConnection = 64
    /// Sessions of one process present at a time, where the kernel tells the process; further ones
    /// are refused.
    ///
    /// 256 by default.
    public var sessionsPerProcess = 256
    /// Connections that one process keeps when hardly any room is left, where the kernel tells the
    /// process; the newest are cut off.
    ///
    /// 1,024 by default, but never more than a quarter of the room for connections.
    public var connectionsPerProcess = 1_024
    /// Sessions known at a time, including those that have left while their tasks are still shown;
    /// no process or member may have more than are left for others.
    ///
    /// 200,000 by default.
    public var knownSessions = 200_000
    /// Tasks that one session may have; further ones are refused.
    ///
    /// 1,000,000 by default.
    public var tasksPerSession = 1_000_000
    /// Bytes of text that one session may state in a second; above it new tasks are refused.
    ///
    /// 8,388,608 by default.
    public var textPerSecond = 8_388_608
    /// Tasks of all sessions together; no process or member may have more than are left for others.
    ///
    /// 4,000,000 by default.
    public var tasks = 4_000_000
    /// Log lines kept for each job; the oldest go.
    ///
    /// 200 by default.
    public var logLinesPerJob = 200
    /// Bytes of log lines of all jobs together, of one process or member no more than are left for
    /// others; above it, a job loses its oldest lines.
    ///
    /// 134,217,728 by default.
    public var logBytes = 134_217_728
    /// Ended jobs that wait for a viewer to dismiss them; above this number the oldest leave.
    ///
    /// 1,000 by default.
    public var endedJobsKept = 1_000
    /// Tasks of the broker itself (`progressbus begin`), including ended ones that are still shown;
    /// no process or member may have more than are left for others.
    ///
    /// 100,000 by default.
    public var detachedTasks = 100_000
    /// Requests about detached tasks that are remembered for an hour, so that a repetition is not
    /// carried out twice; the oldest go.
    ///
    /// 100,000 by default.
    public var detachedRequests = 100_000
    /// Different topics that may be subscribed at a time; above it, the broker cuts the largest
    /// connection of the process or member that holds most.
    ///
    /// 10,000 by default.
    public var topics = 10_000
    /// Topics that one connection may be subscribed to; a viewer with more is cut off.
    ///
    /// 4,096 by default.
    public var subscriptionsPerConnection = 4_096
    /// Commands that may wait for answers at a time; no process or member may have more than are
    /// left for others.
    ///
    /// 1,000 by default.
    public var commands = 1_000
    /// Commands that one session may ask for in a second; further ones are refused.
    ///
    /// 100 by default.
    public var commandsPerSecond = 100
    /// Tasks that one session may look for in a second, by name or id; further questions are
    /// refused.
    ///
    /// 100 by default.
    public var findsPerSecond = 100

    /// The defaults.
    public init() {}
}

extension BrokerLimits {
    /// What each number may be.
    static let range = 1...1_000_000_000

    private typealias Core = CoreConfiguration
    typealias Number<Root> = any WritableKeyPath<Root, Int> & Sendable

    /// Every limit: its name on the command line, and its property of the core; `nil` if the core
    /// does not keep it.
    static let all: [(name: String, path: Number<Self>, core: Number<CoreConfiguration>?)] = [
        ("sessions", \.sessions, \Core.sessions),
        ("sessions-per-connection", \.sessionsPerConnection, \Core.sessionsPerConnection),
        ("sessions-per-process", \.sessionsPerProcess, \Core.sessionsPerProcess),
        ("connections-per-process", \.connectionsPerProcess, nil),
        ("known-sessions", \.knownSessions, \Core.knownSessions),
        ("tasks-per-session", \.tasksPerSession, \Core.tasksPerSession),
        ("text-per-second", \.textPerSecond, \Core.textPerSecond),
        ("tasks", \.tasks, \Core.tasks),
        ("log-lines-per-job", \.logLinesPerJob, \Core.logLinesPerJob),
        ("log-bytes", \.logBytes, \Core.logBytes),
        ("ended-jobs-kept", \.endedJobsKept, \Core.endedJobsKept),
        ("detached-tasks", \.detachedTasks, \Core.detachedTasks),
        ("detached-requests", \.detachedRequests, \Core.detachedRequests),
        ("topics", \.topics, nil),
        ("subscriptions-per-connection", \.subscriptionsPerConnection, nil),
        ("commands", \.commands, \Core.commands),
        ("commands-per-second", \.commandsPerSecond, \Core.commandsPerSecond),
        ("finds-per-second", \.findsPerSecond, \Core.findsPerSecond),
    ]

    /// Sets a limit as the command line names it; `false` if there is none of this name.
    package mutating func set(_ name: String, to number: Int) -> Bool {
        guard let path = Self.all.first(where: { $0.name == name })?.path else { return false }
        self[keyPath: path] = number
        return true
    }

    /// The names that ``set(_:to:)`` knows.
    package static var allNames: [String] { all.map(\.name) }
}
