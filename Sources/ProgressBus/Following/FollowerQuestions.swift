import BusProtocol
public import TaskTree

/// What can be asked of a task.
public enum FollowerVerb: String, Sendable, Hashable, CaseIterable {
    /// To stop for good.
    case cancel
    /// To stand still.
    case pause
    /// To go on.
    case resume
    /// To leave the board, for an ended job.
    case dismiss

    var wire: WireVerb {
        switch self {
        case .cancel: .cancel
        case .pause: .pause
        case .resume: .resume
        case .dismiss: .dismiss
        }
    }
}

/// A task that goes by a name.
public struct FollowerMatch: Sendable, Hashable {
    /// The task.
    public var task: TaskID
    /// The job it belongs to.
    public var job: TaskID
    /// Its title.
    public var title: String
    /// Its key.
    public var key: String
    /// The slot of its job.
    package var slot: Int?
    /// The tasks from the job down to its parent; empty for a job.
    package var path: [TaskID] = []
    /// As many: the place of `path[1]` in `path[0]` and so on, last its own; 0 for none.
    package var places: [Int] = []
}

/// What one session said to a verb.
public struct FollowerAnswer: Sendable, Hashable {
    /// Who answers; `nil` is the broker itself.
    public var session: SessionID?
    /// The process of the session, if it is known.
    public var process: TaskSnapshot.Process?
    /// What it says.
    public var outcome: FollowerOutcome
    /// More words to it; empty for none.
    public var text: String

    package init(
        session: SessionID?,
        process: TaskSnapshot.Process?,
        outcome: FollowerOutcome,
        text: String
    ) {
        self.session = session
        self.process = process
        self.outcome = outcome
        self.text = text
    }

    init(_ result: WireCommandResult) {
        session = result.session == 0 ? nil : SessionID(rawValue: result.session)
        process = result.hasProcess ? TaskSnapshot.Process(result.process) : nil
        outcome = FollowerOutcome(result.outcome)
        text = result.text
    }
}

/// How a session took a verb.
public enum FollowerOutcome: String, Sendable, Hashable, CaseIterable {
    /// It will do so.
    case accepted
    /// It will not.
    case refused
    /// It does not know how to.
    case unsupported
    /// It is no longer there.
    case gone
    /// It did not answer in time.
    case noAnswer

    init(_ outcome: WireOutcome) {
        switch outcome {
        case .accepted: self = .accepted
        case .refused: self = .refused
        case .unsupported: self = .unsupported
        case .gone: self = .gone
        // An answer of a newer minor version says nothing that we could pass on.
        case .noAnswer, .unknown, .UNRECOGNIZED: self = .noAnswer
        }
    }
}
