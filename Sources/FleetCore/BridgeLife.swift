import TaskTree

/// As which of all bridges that its broker has had this one speaks: others take the words of the highest life.
///
/// Two bridges with one number, as two hosts with one file have, are twins: others hear the one with the higher
/// life alone, until that is gone and the other one begins a higher life.
struct BridgeLife {
    /// Seconds without a word of a twin after which that is gone; in as many after the beginning, late words are
    /// those of a former bridge.
    private static let patience = 5.0

    /// 0 until the stream was read.
    private(set) var number: UInt64 = 0
    private var began: Moment?
    private var highestOther: UInt64 = 0
    /// When a twin was heard last; `nil`: there is none.
    private var twinHeard: Moment?

    /// Takes note of what is kept of this life, or of one that another bridge with this one's number has or had.
    mutating func note(_ other: UInt64, at now: Moment) {
        highestOther = max(highestOther, min(other, .max - 1))
        // It has spoken while this one was away from NATS, and may be there still.
        if number != 0, other > number { twinHeard = twinHeard ?? now }
    }

    /// NATS is reached: while it was not, no twin could be heard.
    mutating func connect(at now: Moment) {
        if twinHeard != nil { twinHeard = now }
    }

    mutating func begin(at now: Moment, unixTime: Double) {
        number = max(UInt64(max(unixTime, 0) * 1_000), highestOther &+ 1)
        began = now
    }

    /// Hears a bridge with this one's number say something; whether it is a twin.
    mutating func hear(_ other: UInt64, at now: Moment) -> Bool {
        guard let began, other != number else { return false }
        guard other > number || now.seconds(since: began) >= Self.patience else { return false }
        highestOther = max(highestOther, min(other, .max - 1))
        twinHeard = now
        return true
    }

    /// Whether the twin that others have heard is gone, so that a higher life is to begin; says so once.
    mutating func hasLostTwin(at now: Moment) -> Bool {
        guard let twinHeard, now.seconds(since: twinHeard) >= Self.patience else { return false }
        self.twinHeard = nil
        return highestOther > number
    }
}
