import BusProtocol
import TaskTree

/// The newest sentence about what keeps a bridge from its fleet, as long as it holds.
struct BridgeTrouble {
    /// Seconds after which a sentence that is not noted again no longer holds, while NATS is
    /// reached.
    private static let patience = 10.0

    private var sentence = ""
    /// The sentence that the broker was last told; `nil` if it may not have got it.
    private var told: String? = ""
    /// Until when the sentence holds if it is not noted again; `nil` if it was noted since the last
    /// look.
    private var until: Moment?

    mutating func note(_ sentence: String) {
        self.sentence = sentence.limited(toUTF8: ProtocolLimits.sentenceBytes)
        until = nil
    }

    /// Clears the sentence, as NATS is reached.
    mutating func connect() { sentence = "" }

    /// Has the broker told again, as it may not have got the sentence.
    mutating func tellAgain() { told = nil }

    var isToTell: Bool { told != sentence }

    /// Clears a sentence that was not noted again in time.
    mutating func look(at now: Moment, isConnected: Bool) {
        let end = until ?? now.advanced(bySeconds: Self.patience)
        until = end
        if isConnected, end <= now { sentence = "" }
    }

    /// The sentence to tell the broker; empty if nothing keeps the bridge from the fleet.
    mutating func tell() -> String {
        told = sentence
        return sentence
    }
}
