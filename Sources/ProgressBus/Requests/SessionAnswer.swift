import BusProtocol
public import TaskTree

/// What one session, or the broker, said to a request.
public struct SessionAnswer: Sendable, Hashable {
    /// How a session took a request.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
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
    }

    /// Who answers; `nil` is the broker itself.
    public var session: SessionID?
    /// The process of the session, if it is known.
    public var process: TaskSnapshot.Process?
    /// What it says.
    public var outcome: Outcome
    /// More words to it; empty for none.
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
        // An answer of a newer minor version says nothing that we could pass on.
        case .noAnswer, .unknown, .UNRECOGNIZED: self = .noAnswer
        }
    }
}
