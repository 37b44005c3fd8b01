import TaskTree

/// When the thread that receives reports lets heartbeats gather.
///
/// Each wake-up costs more than what it brings, and with very many quiet sessions heartbeats come
/// all the time. Nobody sees a report that comes meanwhile before the loop's next tick; where no
/// tick is near, the rest is so short that it is little beside the ticks of workers. With few
/// sessions there is none at all.
struct HeartbeatPace {
    /// What was received in one go.
    enum Contents {
        case nothing, heartbeats, reports
    }

    /// Milliseconds of a rest until a tick at most: new workers are not heard before its end.
    static let longest = 10
    /// Milliseconds before the tick at which such a rest is over.
    static let margin = 2
    /// Milliseconds of a rest where no tick is near.
    static let usual = 3
    /// Milliseconds between two heartbeats that come thick.
    static let thick = 5

    private var lastHeartbeats: Moment?

    /// How many milliseconds to rest after what was received just now; nil for none.
    mutating func rest(after contents: Contents, now: Moment, tick: Moment) -> Int? {
        guard contents == .heartbeats else {
            if contents == .reports { lastHeartbeats = nil }
            return nil
        }
        guard let last = lastHeartbeats,
            now.seconds(since: last) * 1_000 <= Double(Self.thick)
        else {
            lastHeartbeats = now
            return nil
        }
        let toTick = now < tick ? Int(tick.seconds(since: now) * 1_000) - Self.margin : 0
        let rest = max(Self.usual, min(toTick, Self.longest))
        lastHeartbeats = now.advanced(bySeconds: Double(rest) / 1_000)
        return rest
    }
}
