#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif
import TaskTree

/// The time of day, for people.
enum WallClock {
    /// What to add to a moment, in seconds, for the time of day in Unix seconds.
    static func offset(at now: Moment) -> Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9 - Double(now.nanoseconds) / 1e9
    }
}
