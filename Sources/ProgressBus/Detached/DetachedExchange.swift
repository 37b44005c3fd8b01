package import BusProtocol
import TaskTree
import ZeroMQ

/// One request about a detached task, and its way to a broker and back, on the caller's thread.
package struct DetachedExchange: Sendable {
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
            return try ControlExchange.ask(
                &question,
                of: endpoint,
                within: seconds,
                meanwhile: meanwhile
            )
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
}
