#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif
import TaskTree

extension ReportingMachine {
    /// Asks for the time of day where that was not done for a second.
    ///
    /// For each of many short children it would cost as much as the rest of its life.
    mutating func lookAtWallClock(at now: Moment) {
        if let lookedAt = lookedAtWallClock, now < lookedAt.later(by: 1_000_000_000) { return }
        lookedAtWallClock = now
        setWallOffset(WallClock.offset())
    }
}

/// The time of day, for people.
enum WallClock {
    /// What to add to a moment, in seconds, for the time of day in Unix seconds.
    static func offset() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        // Read right behind it: the caller's present may be old already where processors are scarce.
        let now = Moment.present
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9 - Double(now.nanoseconds) / 1e9
    }
}
