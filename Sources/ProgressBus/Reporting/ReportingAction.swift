import BusProtocol
import TaskTree

/// What the machine wants done; done by the reporting thread, one at a time and in order.
enum ReportingAction: Sendable {
    /// Send this on the reports socket, then call `reportTaken`.
    case report(WireReport)
    /// Send this on the control socket, then call `controlTaken`.
    case control(WireClientFrame)
    /// Let the tasks' handlers answer, then call `answered`.
    case deliver(RequestDelivery)
    /// The session is over: write this into the endpoint's spool, if it has one.
    case spool(LastWords)
    /// Tell somebody who waits in `sync` or `close` how it went.
    case finish(waiter: UInt64, isDone: Bool)
    /// Tell the people who run this program, once.
    case warn(String)
    /// Nothing to do until this moment, an event or a wake-up.
    case wait(until: Moment?)
    /// The session is over: close the sockets.
    case leave
}

/// What follows from an event for callers that wait and for code that runs.
struct RequestEffects: Sendable {
    /// Tasks whose callers in `checkpoint()` are to look again.
    var released: [UInt64] = []
    /// Swift tasks to be cancelled.
    var cancelled: [@Sendable () -> Void] = []
}

/// What the code of a task wants to be called for.
struct RequestHandlers: Sendable {
    typealias Handler = @Sendable () throws -> Void

    private var handlers: [TaskRequest: [Handler]] = [:]
    /// Cancels the Swift task that runs the body of `withChild`.
    var body: (@Sendable () -> Void)?

    func handlers(for request: TaskRequest) -> [Handler] { handlers[request] ?? [] }

    mutating func add(_ handler: @escaping Handler, for request: TaskRequest) {
        handlers[request, default: []].append(handler)
    }
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

    var needsHandlers: Bool { steps.contains { !$0.handlers.isEmpty } }

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
            return .refuse(ProgressTask.sentence(of: error))
        }
    }
}
