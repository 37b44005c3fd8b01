import BusProtocol
package import TaskTree

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

/// One request to the broker about a detached task, to be repeated unchanged until it is answered.
///
/// Broker and journal tell repetitions by the request's id, so that they cost nothing but a frame.
struct DetachedQuestion: ControlQuestion {
    /// Seconds between two repetitions.
    static let repeatEvery = 0.25

    let frame: WireClientFrame
    private let id: [UInt8]
    private(set) var isSent = false
    private var due: Moment

    init(_ operation: WireDetachedRequest.OneOf_Operation, id: [UInt8], at now: Moment) {
        self.id = id
        due = now
        var request = WireDetachedRequest()
        request.requestIDBytes = id
        request.operation = operation
        var frame = WireClientFrame()
        // There is no session; any 16 bytes will do.
        frame.credentialBytes = id
        frame.detached = request
        self.frame = frame
    }

    func isDue(at now: Moment) -> Bool { due <= now }

    mutating func sent(at now: Moment) {
        isSent = true
        due = now.advanced(bySeconds: Self.repeatEvery)
    }

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

    func refused(_ sentence: String) -> DetachedResult { .failed(sentence) }

    var silence: DetachedResult { .unanswered(wasSent: isSent) }
}
