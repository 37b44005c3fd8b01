import CLibrary
package import TaskTree

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
