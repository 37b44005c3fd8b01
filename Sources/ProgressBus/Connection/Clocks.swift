import CLibrary
package import TaskTree

/// The clocks that a reporting session reads: the system's, or those of a bus in memory.
struct SessionClocks: Sendable {
    var present: @Sendable () -> Moment
    /// What to add to a moment, in seconds, to get Unix time.
    var unixOffset: @Sendable () -> Double

    static let system = SessionClocks(present: { .present }) {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        // Both clocks are read together: on a busy machine the caller's moment may be old already.
        let now = Moment.present
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9 - Double(now.nanoseconds) / 1e9
    }
}

extension ReportingMachine {
    /// Reads the time of day, unless that was done within the last second.
    ///
    /// To read it for every short child would cost as much as all the rest of the child's life.
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
