import BusProtocol
import TaskTree

/// What keeps a bridge from its fleet: the newest sentence about that, as long as it holds.
struct BridgeTrouble {
    /// Seconds after which what was not said again is over, while NATS is reached.
    private static let patience = 10.0

    private var sentence = ""
    /// Until when it holds if it is not said again; `nil`: it was said since the last look.
    private var until: Moment?
    private(set) var isToTell = false

    mutating func note(_ sentence: String) {
        set(sentence.limited(toUTF8: ProtocolLimits.sentenceBytes))
        until = nil
    }

    /// NATS is reached.
    mutating func connect() { set("") }

    /// The broker may not have got what it was told.
    mutating func tellAgain() { isToTell = true }

    /// Forgets what was not said again.
    mutating func look(at now: Moment, isConnected: Bool) {
        let end = until ?? now.advanced(bySeconds: Self.patience)
        until = end
        if isConnected, end <= now { set("") }
    }

    /// What the broker is told; empty: nothing keeps the bridge from the fleet.
    mutating func tell() -> String {
        isToTell = false
        return sentence
    }

    private mutating func set(_ sentence: String) {
        isToTell = isToTell || sentence != self.sentence
        self.sentence = sentence
    }
}
