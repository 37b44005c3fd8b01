import Foundation

/// What `progressbus status --json` prints: all fields of the documentation, none optional that
/// must always be there.
struct StatusReport: Decodable, Sendable {
    struct Broker: Decodable, Sendable {
        var epoch: String
        var version: String
        var uptime: Double
        var settling: Bool
        var sessions: Int
        var tasks: Int
        var jobs: Int
    }

    var broker: Broker
    var jobs: [StatusTask]

    /// A status that could not be had.
    struct Unavailable: Error, CustomStringConvertible {
        var result: CommandResult
        var description: String { "status: \(result)" }
    }

    /// Every task of every job, parents before their children.
    var allTasks: [StatusTask] {
        jobs.flatMap(\.subtree)
    }

    func job(titled title: String) -> StatusTask? {
        jobs.first { $0.title == title }
    }

    func task(_ id: String) -> StatusTask? {
        allTasks.first { $0.id == id }
    }
}

/// One task of a status.
struct StatusTask: Decodable, Equatable, Sendable {
    struct Process: Decodable, Equatable, Sendable {
        var host: String
        var pid: Int
        var command: String
    }

    struct Counts: Decodable, Equatable, Sendable {
        var waiting = 0
        var running = 0
        var succeeded = 0
        var failed = 0
        var cancelled = 0
        var lost = 0
    }

    struct ByHost: Decodable, Equatable, Sendable {
        struct Host: Decodable, Equatable, Sendable {
            var host: String
            var counts: Counts
        }

        var hosts: [Host]
        var otherHosts: Int
        var others: Counts
        var partial: Bool
    }

    struct Exit: Decodable, Equatable, Sendable {
        var status: Int?
        var signal: Int?
    }

    var id: String
    var parent: String?
    var key: String?
    var slot: Int?
    var place: Int?
    var title: String
    var detail: String
    var unit: String
    var style: String
    var background: Bool
    var tint: String?
    var state: String
    var stalled: Bool
    var silent: Bool
    var needsAttention: Bool
    var indeterminate: Bool
    var percent: Int?
    var fraction: Double?
    var displayFraction: Double?
    var completed: Int
    var total: Int?
    var totalIsEstimate: Bool
    var share: Int?
    var attempt: Int
    var rate: Double?
    var secondsLeft: Double?
    var elapsed: Double?
    var secondsSinceAdvance: Double?
    var startedAt: String?
    var endedAt: String?
    var reason: String?
    var note: String
    var exit: Exit?
    var cancellable: Bool
    var pausable: Bool
    var consequence: String?
    var host: String?
    var process: Process?
    var counts: Counts
    var byHost: ByHost?
    var childrenLeftOut: Int
    var children: [StatusTask]

    /// Itself and all below it that is listed.
    var subtree: [StatusTask] {
        [self] + children.flatMap(\.subtree)
    }

    func child(titled title: String) -> StatusTask? {
        children.first { $0.title == title }
    }
}

extension StatusReport: CustomStringConvertible {
    /// The tree in few words, for a failure; bounded.
    var description: String {
        let tasks = allTasks
        let lines = tasks.prefix(40).map { task in
            let parent = task.parent.map { " in \($0)" } ?? ""
            return "  \(task.id)\(parent) \(task.title) \(task.state) \(task.completed)/"
                + "\(task.total.map(String.init) ?? "–") attempt \(task.attempt) "
                + "slot \(task.slot.map(String.init) ?? "–") "
                + "place \(task.place.map(String.init) ?? "–") \(task.counts) \(task.reason ?? "")"
        }
        let settling = broker.settling ? ", settling" : ""
        return "\(broker.sessions) sessions, \(tasks.count) tasks\(settling)\n"
            + lines.joined(separator: "\n")
    }
}
