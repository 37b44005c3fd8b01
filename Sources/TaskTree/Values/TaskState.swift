/// The state of a task, from its owner's statements, its children and the broker's inference.
public enum TaskState: String, Sendable, Hashable, CaseIterable {
    /// A ticket nobody has redeemed.
    case waiting
    /// At work.
    case running
    /// Told to stand still, and standing still.
    case paused
    /// Asked to stop, without an answer so far.
    case cancelling
    /// Done; only its owner can make it so.
    case succeeded
    /// Given up by its owner.
    case failed
    /// Stopped because somebody asked.
    case cancelled
    /// Its owner is gone without an ending; a later statement replaces this.
    case lost

    /// Whether nothing more is expected of the attempt unless its owner speaks again.
    public var isEnded: Bool {
        switch self {
        case .waiting, .running, .paused, .cancelling: false
        case .succeeded, .failed, .cancelled, .lost: true
        }
    }
}

extension TaskState {
    /// Whether the work has begun and has not ended: running, paused or cancelling.
    package var isUnderWay: Bool { !isEnded && self != .waiting }

    /// Whether time counts as time at work: running or cancelling.
    package var isActive: Bool { self == .running || self == .cancelling }
}

/// How many tasks are in which state.
public struct StateCounts: Sendable, Hashable {
    /// Tickets nobody has redeemed.
    public var waiting = 0
    /// At work, paused or about to stop.
    public var running = 0
    /// Done.
    public var succeeded = 0
    /// Given up.
    public var failed = 0
    /// Stopped on request.
    public var cancelled = 0
    /// Their owner is gone without an ending.
    public var lost = 0

    /// No tasks at all.
    public init() {}

    /// All of them.
    public var sum: Int { waiting &+ running &+ succeeded &+ failed &+ cancelled &+ lost }
}

/// The sum of amounts with the same unit.
public struct UnitSum: Sendable, Hashable {
    /// Beyond this many units the amounts have nothing in common, and there are no sums.
    package static let limit = 16

    /// What is counted.
    public var unit: String
    /// How many are done.
    public var completed: Int64
    /// How many there are.
    public var total: Int64

    package init(unit: String, completed: Int64, total: Int64) {
        self.unit = unit
        self.completed = completed
        self.total = total
    }
}
