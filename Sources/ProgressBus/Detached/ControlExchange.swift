import BusProtocol
import TaskTree
import ZeroMQ

/// Something that is asked of a broker until it is answered, without a session.
protocol ControlQuestion {
    associatedtype Answer

    var frame: WireClientFrame { get }
    /// Whether it is time to say it, for the first time or again.
    func isDue(at now: Moment) -> Bool
    /// A connection has taken it.
    mutating func sent(at now: Moment)
    /// What a frame of the broker means for it; `nil` if that is no answer.
    func answer(in frame: WireBrokerFrame) -> Answer?
    /// What it comes to where the broker does not speak with us, for the reason in the sentence.
    func refused(_ sentence: String) -> Answer
    /// What it comes to without an answer in time.
    var silence: Answer { get }
}

/// One question, and its way to a broker and back, on the caller's thread.
enum ControlExchange {
    /// Milliseconds between tries to send while there is no connection: for one that is being
    /// made, and when there seems to be nobody.
    private static let connecting = (soon: 1, later: 10, patience: 0.1)
    private static let longestWait = 50

    /// Asks until there is an answer; blocks for so many seconds at most.
    ///
    /// Brokers may go and come meanwhile. To be called on a thread that may wait.
    static func ask<Question: ControlQuestion>(
        _ question: inout Question,
        of endpoint: BusEndpoint,
        within seconds: Double,
        meanwhile: () -> Void
    ) throws(ZeroMQError) -> Question.Answer {
        let context = try ZeroMQContext()
        var control = try ZeroMQSocket(.dealer, in: context)
        // What is not said yet is said anew to the next broker, not delivered late.
        try control.set(.immediate, to: 1)
        try control.prepare(for: endpoint, reconnectMilliseconds: (20, 200))
        var handshakes = try HandshakeWatch(&control, of: endpoint, in: context)
        try control.connect(endpoint.controlAddress)

        let began = Moment.present
        let end = began.advanced(bySeconds: seconds)
        var items = [control.pollItem]
        while true {
            let now = Moment.present
            guard now < end else { return question.silence }
            switch handshakes.trouble(of: control) {
            case .refused(let sentence): return question.refused(sentence)
            case .renewed(let membership):
                try control.connectAnew(to: endpoint.controlAddress, for: membership)
            case nil: break
            }
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
                if let answer = answer(to: question, in: parts, heardBy: &handshakes) {
                    return answer
                }
            }
        }
    }

    private static func answer<Question: ControlQuestion>(
        to question: Question,
        in parts: [[UInt8]],
        heardBy handshakes: inout HandshakeWatch
    ) -> Question.Answer? {
        guard parts.count == 1 else { return nil }
        do {
            let frame = try Frame.decodeBroker(parts[0])
            handshakes.hear(frame)
            return question.answer(in: frame)
        } catch {
            // What is not a frame of ours is a peer's mistake; of another version, the end.
            return error.major == nil ? nil : question.refused(error.sentence)
        }
    }
}
