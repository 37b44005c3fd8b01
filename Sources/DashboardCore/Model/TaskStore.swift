import ProgressBus
import TaskTree

/// What the dashboard holds of the bus: the rows of the parts it follows, by where they are.
///
/// Bounds: what is followed is at most what fits on a screen, rounded up to whole parts.
struct TaskStore: Sendable {
    /// Messages kept of one job.
    static let messageLimit = 200

    /// What is remembered of a task besides its row.
    struct Memory: Sendable {
        /// Numbers that would flicker if they were shown as often as they come.
        var rate: Double?
        var secondsLeft: Double?
        var madeAt: Moment
        var takenAt: Moment
        var trend: RateTrend
        /// Since when it has been seen to be asked to stop.
        var cancellingSince: Moment?
    }

    var connection = Board.Connection.connecting
    /// Since when the connection is not live; `nil` while it is.
    var notLiveSince: Moment?
    /// Since when something that is shown has not arrived.
    var loadingSince: Moment?
    /// What the broker says of all its tasks; `nil` before the first picture.
    var broker: Board.Broker?
    /// When it was started; messages are kept as long as it runs.
    var brokerBegan: Moment?
    /// The highest slot that a job has; 0 without any.
    var highestSlot = 0
    var rows: [TaskID: TaskSnapshot] = [:]
    var members: [ViewportPart: [TaskID]] = [:]
    var inSlot: [Int: TaskID] = [:]
    var atPlace: [TaskID: [Int: TaskID]] = [:]
    var states: [ViewportPart: [UInt8]] = [:]
    var messages: [TaskID: [TaskMessage]] = [:]
    var hosts: [TaskID: JobHosts] = [:]
    var memories: [TaskID: Memory] = [:]

    init(at now: Moment) {
        notLiveSince = now
    }

    /// Seconds after which something that is not as it should be is said.
    static let patience = 2.0

    /// How long no broker has answered, once that is to be said.
    func secondsWithoutBroker(at now: Moment) -> Double? {
        let seconds = notLiveSince.map { now.seconds(since: $0) } ?? 0
        return seconds >= Self.patience ? seconds : nil
    }

    /// Whether a task that is not here is not on the bus, as far as its part is followed.
    var isComplete: Bool { connection == .live && loadingSince == nil }

    /// The row as it is shown, its rate and time left at most a second younger than before.
    func row(_ id: TaskID?) -> TaskSnapshot? {
        guard let id, var row = rows[id] else { return nil }
        if let calm = memories[id] {
            row.rate = calm.rate
            let passed = row.madeAt.seconds(since: calm.madeAt)
            row.secondsLeft = calm.secondsLeft.map { max($0 - passed, 0) }
        }
        return row
    }

    func job(inSlot slot: Int) -> TaskSnapshot? { row(inSlot[slot]) }

    func child(of parent: TaskID, at place: Int) -> TaskSnapshot? { row(atPlace[parent]?[place]) }
}
