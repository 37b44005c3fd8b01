import TaskTree

/// The number of this bridge's life among all bridges of its broker: others accept only the records
/// of the highest life.
///
/// Two bridges of one broker number are twins, for example two hosts with copies of one file.
/// Others hear only the twin with the higher life. When that twin is gone, the other one begins a
/// still higher life.
struct BridgeLife {
    /// Seconds without a record of a twin after which the twin is gone.
    ///
    /// For as many seconds after the beginning of a life, records of a lower life are late ones of
    /// a former bridge.
    private static let patience = 5.0

    /// The number of this life; 0 until the stream was read.
    private(set) var number: UInt64 = 0
    private var began: Moment?
    private var highestOther: UInt64 = 0
    /// When a twin was heard last; `nil`: there is none.
    private var twinHeard: Moment?

    /// Takes note of the life in a stored record of this broker: this life, or another bridge's.
    mutating func note(_ other: UInt64, at now: Moment) {
        highestOther = max(highestOther, min(other, .max - 1))
        // The other bridge has spoken while this one was away from NATS, and may still run.
        if number != 0, other > number { twinHeard = twinHeard ?? now }
    }

    /// Begins the wait for a twin again, as no twin could be heard while NATS was not reached.
    mutating func connect(at now: Moment) {
        if twinHeard != nil { twinHeard = now }
    }

    mutating func begin(at now: Moment, unixTime: Double) {
        number = max(UInt64(max(unixTime, 0) * 1_000), highestOther &+ 1)
        began = now
    }

    /// Hears the life of a bridge with this broker's number; returns whether it is a twin.
    mutating func hear(_ other: UInt64, at now: Moment) -> Bool {
        guard let began, other != number else { return false }
        guard other > number || now.seconds(since: began) >= Self.patience else { return false }
        highestOther = max(highestOther, min(other, .max - 1))
        twinHeard = now
        return true
    }

    /// Whether a twin with a higher life is gone, so that this bridge has to begin a still higher
    /// life; true only once.
    mutating func hasLostTwin(at now: Moment) -> Bool {
        guard let twinHeard, now.seconds(since: twinHeard) >= Self.patience else { return false }
        self.twinHeard = nil
        return highestOther > number
    }
}
