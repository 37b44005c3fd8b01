import BusProtocol
import TaskTree
import ZeroMQ

/// A question that is sent to a broker, without a session, until the broker answers it.
///
/// Each repetition is the same frame, so that the broker can carry the question out only once.
struct ControlQuestion {
    enum Outcome<Answer> {
        case answered(Answer)
        /// The broker does not talk to us; the sentence says why.
        case refused(String)
        case silence
    }

    let frame: WireClientFrame
    /// Seconds between two repetitions.
    let repeatEvery: Double
    /// Whether a connection has taken the frame.
    private(set) var isSent = false
    private var due = Moment(nanoseconds: 0)

    init(_ frame: WireClientFrame, repeatEvery: Double) {
        self.frame = frame
        self.repeatEvery = repeatEvery
    }

    /// Whether it is time to send the frame, for the first time or again.
    func isDue(at now: Moment) -> Bool { due <= now }

    mutating func sent(at now: Moment) {
        isSent = true
        due = now.advanced(bySeconds: repeatEvery)
    }

    /// Milliseconds between attempts to send while there is no connection: `soon` during the first
    /// `patience` seconds, then `later`.
    private static let connecting = (soon: 1, later: 10, patience: 0.1)
    private static let longestWait = 50

    /// Asks until the broker answers; blocks for at most `seconds`.
    ///
    /// The broker may be restarted meanwhile. `answer` returns `nil` for a frame that is no answer.
    /// Call this on a thread that may wait.
    mutating func ask<Answer>(
        of endpoint: BusEndpoint,
        within seconds: Double,
        meanwhile: () -> Void = {},
        answer: (WireBrokerFrame) -> Answer?
    ) throws(ZeroMQError) -> Outcome<Answer> {
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
            guard now < end else { return .silence }
            if case .refused(let sentence)? = try control.trouble() {
                return .refused(sentence)
            }
            var wait = Self.longestWait
            if isDue(at: now) {
                if control.send(frame) {
                    sent(at: now)
                } else {
                    let isEarly = now.seconds(since: began) < Self.connecting.patience
                    wait = isEarly ? Self.connecting.soon : Self.connecting.later
                }
            }
            if try poll(&items, timeout: wait) == 0, wait > Self.connecting.soon { meanwhile() }
            while let received = control.receive() {
                switch received {
                case .success(let frame):
                    if let answer = answer(frame) { return .answered(answer) }
                case .failure(let violation):
                    // A malformed frame is the peer's mistake, and is ignored. A frame of another
                    // major version ends the question.
                    if violation.major != nil { return .refused(violation.sentence) }
                }
            }
        }
    }
}
