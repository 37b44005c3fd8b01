package import BusProtocol
import TaskTree
import ZeroMQ

/// One request about a detached task, and its way to a broker and back, on the caller's thread.
package struct DetachedExchange: Sendable {
    /// Milliseconds between tries to send while there is no connection: for one that is being
    /// made, and when there seems to be nobody.
    private static let connecting = (soon: 1, later: 10, patience: 0.1)
    private static let longestWait = 50

    private let id = SessionCredential.random().bytes
    private let operation: WireDetachedRequest.OneOf_Operation
    private let endpoint: BusEndpoint

    /// - Parameters:
    ///   - operation: What is asked.
    ///   - endpoint: Of which bus.
    package init(_ operation: WireDetachedRequest.OneOf_Operation, at endpoint: BusEndpoint) {
        self.operation = operation
        self.endpoint = endpoint
    }

    /// Whether it says how a task has ended.
    package var isEnding: Bool {
        if case .end = operation { true } else { false }
    }

    /// Asks until there is an answer; blocks for so many seconds at most.
    ///
    /// Brokers may go and come meanwhile. To be called on a thread that may wait.
    ///
    /// - Parameters:
    ///   - seconds: How long to wait for the answer.
    ///   - meanwhile: Called now and then while there is none.
    /// - Returns: The answer, or that there was none.
    package func ask(
        within seconds: Double,
        meanwhile: () -> Void = {}
    ) -> DetachedResult {
        var question = DetachedQuestion(operation, id: id, at: .present)
        do {
            let context = try ZeroMQContext()
            let control = try Self.open(endpoint, in: context)
            return try Self.ask(&question, through: control, within: seconds, meanwhile)
        } catch {
            return question.isSent ? question.silence : .failed(error.description)
        }
    }

    /// Leaves an ending that nobody has answered in the spool, from which a broker takes it.
    ///
    /// If one has heard it all the same, it knows it by its id, and carries it out once.
    ///
    /// - Returns: Whether it lies there; what is no ending never does: its loss is made good by the
    ///   next one, and a thousand of them would keep others' endings out.
    package func leaveInSpool() -> Bool {
        guard isEnding, let directory = endpoint.spoolPath else { return false }
        let question = DetachedQuestion(operation, id: id, at: .present)
        let name = id.map { String(UInt32($0) + 256, radix: 16).dropFirst() }.joined()
        do {
            try SpoolWriter.save(SpoolFile.encode([question.frame]), named: name, to: directory)
            return true
        } catch {
            return false
        }
    }

    private static func ask(
        _ question: inout DetachedQuestion,
        through control: borrowing ZeroMQSocket,
        within seconds: Double,
        _ meanwhile: () -> Void
    ) throws(ZeroMQError) -> DetachedResult {
        let began = Moment.present
        let end = began.advanced(bySeconds: seconds)
        var items = [control.pollItem]
        while true {
            let now = Moment.present
            guard now < end else { return question.silence }
            var wait = longestWait
            if question.isDue(at: now) {
                if try control.send([Frame.encode(question.frame)]) {
                    question.sent(at: now)
                } else {
                    let isEarly = now.seconds(since: began) < connecting.patience
                    wait = isEarly ? connecting.soon : connecting.later
                }
            }
            if try poll(&items, timeout: wait) == 0, wait > connecting.soon { meanwhile() }
            while let parts = try control.receive() {
                if let result = result(of: question, in: parts) { return result }
            }
        }
    }

    private static func result(
        of question: DetachedQuestion,
        in parts: [[UInt8]]
    ) -> DetachedResult? {
        guard parts.count == 1 else { return nil }
        do {
            return question.result(in: try Frame.decodeBroker(parts[0]))
        } catch {
            // What is not a frame of ours is a peer's mistake; of another version, the end.
            return error.major == nil ? nil : .refused(error.sentence)
        }
    }

    private static func open(
        _ endpoint: BusEndpoint,
        in context: ZeroMQContext
    ) throws(ZeroMQError) -> ZeroMQSocket {
        let control = try ZeroMQSocket(.dealer, in: context)
        // What is not said yet is said anew to the next broker, not delivered late.
        try control.set(.immediate, to: 1)
        try control.set(.reconnectInterval, to: 20)
        try control.set(.maximumReconnectInterval, to: 200)
        try control.set(.maximumMessageSize, to: Int32(ProtocolLimits.frameBytes))
        if case .tcp = endpoint.kind {
            try control.set(.heartbeatInterval, to: 1_000)
            try control.set(.heartbeatTimeout, to: 3_000)
        }
        try control.connect(endpoint.controlAddress)
        return control
    }
}
