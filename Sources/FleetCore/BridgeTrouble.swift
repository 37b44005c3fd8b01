import BusProtocol
import TaskTree

/// What keeps a bridge from its fleet: the newest sentence of the log that still holds, and whether the broker
/// knows of it.
struct BridgeTrouble {
    /// Seconds after which what was not said again is over, while NATS is reached.
    private static let patience = 10.0

    private var sentence = ""
    private var until: Moment?
    private var told = ""

    mutating func note(_ sentence: String) {
        self.sentence = sentence.limited(toUTF8: ProtocolLimits.sentenceBytes)
        until = nil
    }

    /// NATS is reached.
    mutating func connect() { sentence = "" }

    /// Whether the broker is to be told now.
    mutating func isNew(at now: Moment, isConnected: Bool) -> Bool {
        let end = until ?? now.advanced(bySeconds: Self.patience)
        until = end
        if isConnected, end <= now { sentence = "" }
        return sentence != told
    }

    /// What the broker is told; empty: nothing keeps the bridge from the fleet.
    mutating func tell() -> String {
        told = sentence
        return sentence
    }
}
