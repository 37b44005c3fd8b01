import CLibrary
package import TaskTree

/// The clocks that a reporting session reads: the system's, or those of a bus in memory.
struct SessionClocks: Sendable {
    var present: @Sendable () -> Moment
    /// What to add to a moment, in seconds, for the time of day in Unix seconds.
    var unixOffset: @Sendable () -> Double

    static let system = SessionClocks(present: { .present }) {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        // Read right behind it: the caller's present may be old already where processors are scarce.
        let now = Moment.present
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9 - Double(now.nanoseconds) / 1e9
    }
}

extension ReportingMachine {
    /// Asks for the time of day where that was not done for a second.
    ///
    /// For each of many short children it would cost as much as the rest of its life.
    mutating func lookAtWallClock(of clocks: SessionClocks, at now: Moment) {
        if let lookedAt = lookedAtWallClock, now < lookedAt.later(by: 1_000_000_000) { return }
        lookedAtWallClock = now
        setWallOffset(clocks.unixOffset())
    }
}

extension Moment {
    private static let origin = reading

    /// The present by a clock that also runs while the machine sleeps; what `ContinuousClock` reads
    /// too, without the 128-bit arithmetic of `Duration`.
    package static var present: Moment { Moment(nanoseconds: reading &- origin) }

    private static var reading: Int64 {
        var time = timespec()
        #if os(Linux)
        clock_gettime(CLOCK_BOOTTIME, &time)
        #else
        clock_gettime(CLOCK_MONOTONIC_RAW, &time)
        #endif
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
