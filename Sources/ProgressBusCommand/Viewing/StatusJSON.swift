import ProgressBus
import TaskTree

/// What `status --json` prints: Protocol/schemas/status.schema.json.
struct StatusJSON: Encodable {
    /// The version of the format of `status --json` and `watch --json`, to which fields are only
    /// added.
    static let version = 1

    let version = StatusJSON.version
    let broker: BrokerJSON?
    let jobs: [TaskJSON]

    /// - Parameters:
    ///   - board: The board to print.
    ///   - hosts: The hosts of the jobs that were named, as far as they are known.
    init(_ board: Board, hosts: [TaskID: JobHosts] = [:]) {
        broker = board.broker.map(BrokerJSON.init)
        jobs = board.jobs.map { TaskJSON($0, byHost: hosts[$0.id]) }
    }
}

struct BrokerJSON: Encodable {
    let epoch: String
    let version: String
    let uptime: Double
    let settling: Bool
    let sessions: Int
    let tasks: Int
    let jobs: Int
    let needingAttention: Int
    let refused: Int

    init(_ broker: Board.Broker) {
        // Sixteen hexadecimal digits: JSON readers lose the low bits of large numbers.
        let digits = String(broker.epoch, radix: 16)
        epoch = String(repeating: "0", count: 16 - digits.count) + digits
        version = broker.version
        uptime = broker.uptime.isFinite ? broker.uptime.roundedToMilliseconds : 0
        settling = broker.isSettling
        sessions = broker.sessions
        tasks = broker.tasks
        jobs = broker.jobs
        needingAttention = broker.needingAttention
        refused = broker.refused
    }
}
