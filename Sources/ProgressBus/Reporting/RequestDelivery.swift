import BusProtocol
import TaskTree

/// Requests of viewers under way.
struct Requests {
    /// Deliveries for the handlers, the newest first.
    var deliveries: [RequestDelivery] = []
    /// Answers for the broker.
    var answers: [WireCommandAnswer] = []
    /// The latest deliveries and their answers, so that a repeated one is not carried out twice.
    var answered: [(number: UInt64, answer: WireCommandAnswer?)] = []

    /// Deliveries remembered; while as many wait to be handed out, further ones are refused.
    static let limit = 64
}

/// One request to some tasks of this session and everything unfinished below them.
struct RequestDelivery: Sendable {
    /// A task it reaches, parents before their children.
    struct Step: Sendable {
        var index: UInt64
        /// The task above it if the request reaches that too, else 0.
        var parent: UInt64
        var handlers: [RequestHandlers.Handler]
        /// It has said that it can do this.
        var isAble: Bool
    }

    /// The broker's number for it; 0 for a request from within the process.
    var number: UInt64
    /// Which broker gave the number; `nil` before the first welcome.
    var epoch: UInt64?
    var verb: TaskRequest
    var steps: [Step]

    /// Calls every handler once and collects what they say.
    func callHandlers() -> [UInt64: [RequestAnswer]] {
        var answers: [UInt64: [RequestAnswer]] = [:]
        for step in steps where !step.handlers.isEmpty {
            answers[step.index] = step.handlers.map(Self.answer)
        }
        return answers
    }

    private static func answer(of handler: RequestHandlers.Handler) -> RequestAnswer {
        do {
            try handler()
            return .accept
        } catch {
            return .refuse(error.sentenceForPeople)
        }
    }
}

/// The handlers that a task's code has registered.
struct RequestHandlers: Sendable {
    typealias Handler = @Sendable () throws -> Void

    var handlers: [TaskRequest: [Handler]] = [:]
    /// Cancels the Swift task that runs the body of `withChild`.
    var body: (@Sendable () -> Void)?
}

/// What came of calling a handler.
enum RequestAnswer: Hashable {
    case accept
    case refuse(_ sentence: String)
}

/// What an event does to callers that wait and to code that runs.
struct RequestEffects: Sendable {
    /// Tasks whose callers in `checkpoint()` are to look again.
    var released: [UInt64] = []
    /// Swift tasks to be cancelled.
    var cancelled: [@Sendable () -> Void] = []
}
