import BusProtocol
import TaskTree

/// The questions of other brokers that this one has not answered yet.
///
/// The bridge asks its broker as a viewer does, under numbers of its own.
struct ForeignQuestions {
    private struct Question {
        let broker: UInt64
        /// The asking broker's number of the question.
        let request: UInt64
        let deadline: Moment
        /// The id of a request about a detached task; empty for other questions.
        let detached: [UInt8]
        /// Whether all brokers were asked: then a broker that finds no task does not answer.
        let isForAll: Bool
    }

    private var questions: [UInt64: Question] = [:]
    /// The bridge's own requests have small numbers.
    private var lastRequest: UInt64 = 1 << 63
    private static let limit = 1_000
    /// Seconds that this broker has for an answer, besides the timeout of a command, at most 600 s.
    private static let patience = 6.0

    /// Adds a question, and returns the frame's body with which the bridge asks it; `nil` if there
    /// is no room.
    mutating func begin(
        _ question: WireFleetQuestion,
        of broker: UInt64,
        at now: Moment
    ) -> WireClientFrame.OneOf_Body? {
        let detached = question.detached.requestIDBytes
        // A repeated request with an id replaces the former one.
        if !detached.isEmpty, let former = number(of: detached) { questions[former] = nil }
        guard questions.count < Self.limit else { return nil }
        let timeout = Double(question.command.timeout) / 1_000
        lastRequest += 1
        questions[lastRequest] = Question(
            broker: broker,
            request: question.request,
            deadline: now.advanced(bySeconds: Self.patience + timeout),
            detached: detached,
            isForAll: question.isForAll
        )
        var question = question
        question.request = lastRequest
        return question.body
    }

    /// The answer in a frame of this broker, and the broker that is to be told; `nil` for any other
    /// frame.
    mutating func answer(
        _ frame: WireBrokerFrame,
        of own: UInt64
    ) -> (WireFleetAnswer, to: UInt64?)? {
        guard var answer = WireFleetAnswer(frame.body, of: own) else { return nil }
        if case .detached(let said) = answer.answer {
            answer.request = number(of: said.requestIDBytes) ?? 0
        }
        guard let question = questions[answer.request] else { return nil }
        if answer.isLast { questions[answer.request] = nil }
        answer.request = question.request
        let isSilent = question.isForAll && answer.found.tasks.isEmpty
        return (answer, isSilent ? nil : question.broker)
    }

    private func number(of detached: [UInt8]) -> UInt64? {
        questions.first { $0.value.detached == detached }?.key
    }

    /// Forgets what was not answered in time.
    mutating func tick(at now: Moment) {
        for (number, question) in questions where question.deadline <= now {
            questions[number] = nil
        }
    }
}
