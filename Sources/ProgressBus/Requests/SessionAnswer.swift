import BusProtocol
public import TaskTree

/// The answer of one session, or of the broker, to a request.
public struct SessionAnswer: Sendable, Hashable {
    /// What a session makes of a request.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// The session will do what was asked.
        case accepted
        /// The session refuses to do it.
        case refused
        /// The session cannot do what was asked.
        case unsupported
        /// The session has ended, or its part of the task has.
        case gone
        /// The session did not answer in time.
        case noAnswer
    }

    /// Who answers; `nil` is the broker itself.
    public var session: SessionID?
    /// The process of the session, if it is known.
    public var process: TaskSnapshot.Process?
    /// What the session makes of the request.
    public var outcome: Outcome
    /// A sentence that explains the outcome; may be empty.
    public var text: String

    package init(
        session: SessionID? = nil,
        process: TaskSnapshot.Process? = nil,
        outcome: Outcome,
        text: String = ""
    ) {
        self.session = session
        self.process = process
        self.outcome = outcome
        self.text = text
    }

    init(_ result: WireCommandResult) {
        session = result.session == 0 ? nil : SessionID(rawValue: result.session)
        process = result.hasProcess ? TaskSnapshot.Process(result.process) : nil
        outcome = Outcome(result.outcome)
        text = result.text
    }
}

extension SessionAnswer.Outcome {
    fileprivate init(_ outcome: WireOutcome) {
        switch outcome {
        case .accepted: self = .accepted
        case .refused: self = .refused
        case .unsupported: self = .unsupported
        case .gone: self = .gone
        // This version cannot tell what an outcome of a newer minor version means.
        case .noAnswer, .unknown, .UNRECOGNIZED: self = .noAnswer
        }
    }
}
