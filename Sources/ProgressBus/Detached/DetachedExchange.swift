package import BusProtocol
package import TaskTree
import ZeroMQ

/// One request about a detached task, to be repeated unchanged until it is answered, on the caller's
/// thread.
///
/// Broker and journal tell repetitions by the request's id, so that they cost nothing but a frame.
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

    /// Whether it says how a task has ended.
    package var isEnding: Bool {
        if case .end = operation { true } else { false }
    }

    /// Asks until there is an answer, and calls `meanwhile` now and then; blocks for so many
    /// seconds at most.
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

    /// What a frame of the broker means for it; `nil` if that is no answer.
    func answer(in frame: WireBrokerFrame) -> DetachedResult? {
        switch frame.body {
        case .detached(let answer) where answer.requestIDBytes == id:
            if answer.code == RefusalCode.busy.rawValue { return .failed(answer.sentence) }
            guard answer.code == 0 else { return .refused(answer.sentence) }
            // An answer without a task to what names one: the broker's mistake, but an answer.
            guard let task = answer.task.taskID() else {
                return .refused("The broker's answer names no task; use programs of one version.")
            }
            return .done(task, warning: answer.sentence.isEmpty ? nil : answer.sentence)
        case .refusal(let refusal):
            switch RefusalCode(rawValue: refusal.code) {
            case .busy, .stopping: return nil
            // The sender may not report at all: the broker has not looked at what was asked.
            case .notPermitted: return .failed(refusal.sentence)
            default: return .refused(refusal.sentence)
            }
        default: return nil
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
    /// It is done; the task it was about, or began, and a warning unless it is on the broker's disk.
    case done(TaskID, warning: String?)
    /// Nothing has changed, for the reason in the sentence.
    case refused(String)
    /// No answer in time; `wasSent` says whether it may take effect all the same.
    case unanswered(wasSent: Bool)
    /// Sockets could not be made, the broker has no room, or one may not report: nothing has changed.
    case failed(String)
}
