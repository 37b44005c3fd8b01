import CLibrary
import TaskTree

/// The only place where the broker looks at a clock.
enum Clocks {
    /// The monotonic clock; on Linux it stands still while the machine sleeps.
    static var now: Moment {
        let time = read(CLOCK_MONOTONIC)
        return Moment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// The wall clock, in seconds since 1970.
    static var unixTime: Double {
        let time = read(CLOCK_REALTIME)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The same in whole seconds; 0 before 1970.
    static var unixSeconds: UInt64 { UInt64(max(0, unixTime)) }

    /// How long processors have worked for this process, all its threads together.
    static var processorSeconds: Double {
        let time = read(CLOCK_PROCESS_CPUTIME_ID)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        // Fails only for clocks that do not exist; these always do.
        clock_gettime(clock, &time)
        return time
    }
}
