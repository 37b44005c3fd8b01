import TaskTree

/// What the broker knows of time: it has no clock itself.
struct BrokerClock {
    let began: Moment
    var lastTick: Moment
    var lastSecond: Moment
    /// Unix seconds minus monotonic seconds, as of the last tick.
    var unixOffset: Double
    var timers = Timers()

    init(now: Moment, unixTime: Double) {
        began = now
        lastTick = now
        lastSecond = now
        unixOffset = unixTime - Double(now.nanoseconds) / 1e9
    }
}
