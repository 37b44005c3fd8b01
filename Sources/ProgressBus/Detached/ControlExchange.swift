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
        var control = try ControlSocket(
            to: endpoint,
            in: try ZeroMQContext(),
            reconnectMilliseconds: (20, 200),
            lingerMilliseconds: 0
        )
        let began = Moment.present
        let end = began.advanced(bySeconds: seconds)
        var items = control.pollItems
        while true {
            let now = Moment.present
            guard now < end else { return question.silence }
            if case .refused(let sentence)? = try control.trouble() {
                return question.refused(sentence)
            }
            var wait = longestWait
            if question.isDue(at: now) {
                if control.send(question.frame) {
                    question.sent(at: now)
                } else {
                    let isEarly = now.seconds(since: began) < connecting.patience
                    wait = isEarly ? connecting.soon : connecting.later
                }
            }
            if try poll(&items, timeout: wait) == 0, wait > connecting.soon { meanwhile() }
            while let received = control.receive() {
                switch received {
                case .success(let frame):
                    if let answer = question.answer(in: frame) { return answer }
                case .failure(let violation):
                    // What is not a frame of ours is a peer's mistake; of another version, the end.
                    if violation.major != nil { return question.refused(violation.sentence) }
                }
            }
        }
    }
}
