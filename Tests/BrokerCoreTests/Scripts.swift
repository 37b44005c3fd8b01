import BrokerCore
import BusProtocol
import TaskTree
import Testing

/// What scripts ask of detached tasks; each request on a connection of its own.
struct Script {
    /// The one that the stage gives to its machines.
    static let session = SessionID(rawValue: 77)
    private(set) var requests: UInt64 = 0

    static func task(_ index: UInt64) -> TaskID { TaskID(index: index, session: session) }

    /// A new request.
    mutating func request(_ operation: WireDetachedRequest.OneOf_Operation) -> WireDetachedRequest {
        requests += 1
        var request = WireDetachedRequest()
        request.requestIDBytes = [UInt8](repeating: 9, count: 8) + requests.bytes
        request.operation = operation
        return request
    }
}

extension UInt64 {
    fileprivate var bytes: [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> $0) }
    }
}

extension Bus {
    /// Sends a request over a new connection and returns its answers, if there are any by now.
    mutating func send(
        _ request: WireDetachedRequest,
        over route: UInt8 = 200
    ) -> [WireDetachedAnswer] {
        let route = Route(bytes: [1, route])
        let before = sent.count
        var frame = WireClientFrame()
        frame.credentialBytes = request.requestIDBytes
        frame.detached = request
        perform(machine.receive(frame, from: route, now: now))
        return answers(to: route, since: before)
    }

    func answers(to route: Route, since before: Int) -> [WireDetachedAnswer] {
        sent.dropFirst(before).compactMap { message in
            guard message.route == route, case .detached(let answer)? = message.frame.body else {
                return nil
            }
            return answer
        }
    }

    /// Asks something new; returns the one answer.
    mutating func ask(
        _ script: inout Script,
        _ operation: WireDetachedRequest.OneOf_Operation
    ) -> WireDetachedAnswer? {
        let answers = send(script.request(operation))
        return answers.count == 1 ? answers[0] : nil
    }

    /// Begins a task and returns its id.
    mutating func begin(
        _ script: inout Script,
        _ title: String,
        _ fill: (inout WireDetachedBegin) -> Void = { _ in }
    ) throws -> TaskID {
        var begin = WireDetachedBegin()
        begin.title = title
        fill(&begin)
        let answer = ask(&script, .begin(begin))
        #expect(answer?.code == 0, "\(answer?.sentence ?? "no answer")")
        return try #require(answer?.task.taskID())
    }

    /// The row of a task that is shown.
    mutating func shown(_ id: TaskID, to viewer: Client) throws -> WireRow {
        let row = row(id, asking: viewer)
        return try #require(row)
    }
}

extension WireDetachedRequest.OneOf_Operation {
    static func advance(_ id: TaskID, by: Int64 = 1) -> Self {
        var advance = WireDetachedAdvance()
        advance.task = WireTaskRef(id)
        advance.by = by
        return .advance(advance)
    }

    static func update(
        _ id: TaskID,
        _ fill: (inout WireDetachedUpdate) -> Void = { _ in }
    ) -> Self {
        var update = WireDetachedUpdate()
        update.task = WireTaskRef(id)
        fill(&update)
        return .update(update)
    }

    static func end(
        _ id: TaskID,
        _ state: WireStatedState = .succeeded,
        _ reason: String = ""
    ) -> Self {
        var end = WireDetachedEnd()
        end.task = WireTaskRef(id)
        end.state = state
        end.reason = reason
        return .end(end)
    }
}

extension WireDetachedAnswer {
    var refusal: RefusalCode? { code == 0 ? nil : RefusalCode(rawValue: code) }
}
