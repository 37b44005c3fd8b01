package import BusProtocol
package import TaskTree
import ZeroMQ

/// One request about a detached task, repeated on the caller's thread until it is answered.
///
/// Broker and journal recognise a repetition by the request's id, so that it changes nothing.
package struct DetachedExchange: Sendable {
    let id = SessionCredential.random().bytes
    private let operation: WireDetachedRequest.OneOf_Operation
    private let endpoint: BusEndpoint

    package init(_ operation: WireDetachedRequest.OneOf_Operation, at endpoint: BusEndpoint) {
        self.operation = operation
        self.endpoint = endpoint
    }

    var question: ControlQuestion {
        var request = WireDetachedRequest()
        request.requestIDBytes = id
        request.operation = operation
        // There is no session; any 16 bytes will do.
        let frame = WireClientFrame(credential: id, .detached(request))
        return ControlQuestion(frame, repeatEvery: 0.25)
    }

    /// Whether the request ends a task.
    package var isEnding: Bool {
        if case .end = operation { true } else { false }
    }

    /// Asks until the broker answers, and calls `meanwhile` now and then; blocks for at most
    /// `seconds`.
    package func ask(within seconds: Double, meanwhile: () -> Void = {}) -> DetachedResult {
        var question = question
        do {
            switch try question.ask(
                of: endpoint,
                within: seconds,
                meanwhile: meanwhile,
                answer: answer(in:)
            ) {
            case .answered(let result): return result
            case .refused(let sentence): return .failed(sentence)
            case .silence: return .unanswered(wasSent: question.isSent)
            }
        } catch {
            return question.isSent ? .unanswered(wasSent: true) : .failed(error.description)
        }
    }

    /// The result that a broker's frame gives; `nil` if the frame does not answer this request.
    func answer(in frame: WireBrokerFrame) -> DetachedResult? {
        switch frame.body {
        case .detached(let answer) where answer.requestIDBytes == id:
            if answer.code == RefusalCode.busy.rawValue { return .failed(answer.sentence) }
            guard answer.code == 0 else { return .refused(answer.sentence) }
            // An answer that names no task is the broker's mistake, but an answer.
            guard let task = answer.task.taskID() else {
                return .refused("The broker's answer names no task; use programs of one version.")
            }
            return .done(task, warning: answer.sentence.isEmpty ? nil : answer.sentence)
        case .refusal(let refusal):
            switch RefusalCode(rawValue: refusal.code) {
            case .busy, .stopping: return nil
            // The sender may not report at all, so the broker has not looked at the request.
            case .notPermitted: return .failed(refusal.sentence)
            default: return .refused(refusal.sentence)
            }
        default: return nil
        }
    }

    /// Writes an ending that no broker has answered into the spool, where a broker finds it.
    ///
    /// A broker that got the request all the same recognises its id, and ends the task only once.
    ///
    /// - Returns: Whether the file was written. Only endings are: any other lost request is made
    ///   good by the next one, and a thousand files of them would keep out other sessions' endings.
    package func leaveInSpool() -> Bool {
        guard isEnding, let directory = endpoint.spoolPath else { return false }
        let name = id.map { String(UInt32($0) + 256, radix: 16).dropFirst() }.joined()
        do {
            try SpoolWriter.save(SpoolFile.encode([question.frame]), named: name, to: directory)
            return true
        } catch {
            return false
        }
    }
}

/// What has become of a request about a detached task.
package enum DetachedResult: Sendable, Hashable {
    /// The request is carried out on this task, or began it; there is a warning if the broker could
    /// not write it to disk.
    case done(TaskID, warning: String?)
    /// Nothing has changed; the sentence says why.
    case refused(String)
    /// There was no answer in time; if the request was sent, it may still take effect.
    case unanswered(wasSent: Bool)
    /// Nothing has changed: no socket could be made, or the broker is busy, does not talk to us or
    /// does not let the sender report.
    case failed(String)
}
