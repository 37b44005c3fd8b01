import BusProtocol
import TaskTree

/// What keeps a bridge from its fleet: the newest sentence about that, as long as it holds.
struct BridgeTrouble {
    /// Seconds after which what was not said again is over, while NATS is reached.
    private static let patience = 10.0

    private var sentence = ""
    /// What the broker was told; `nil`: it may not have got it.
    private var told: String? = ""
    /// Until when it holds if it is not said again; `nil`: it was said since the last look.
    private var until: Moment?

    mutating func note(_ sentence: String) {
        self.sentence = sentence.limited(toUTF8: ProtocolLimits.sentenceBytes)
        until = nil
    }

    /// NATS is reached.
    mutating func connect() { sentence = "" }

    /// The broker may not have got what it was told.
    mutating func tellAgain() { told = nil }

    var isToTell: Bool { told != sentence }

    /// Forgets what was not said again.
    mutating func look(at now: Moment, isConnected: Bool) {
        let end = until ?? now.advanced(bySeconds: Self.patience)
        until = end
        if isConnected, end <= now { sentence = "" }
    }

    /// What the broker is told; empty: nothing keeps the bridge from the fleet.
    mutating func tell() -> String {
        told = sentence
        return sentence
    }
}
