import Foundation

/// Processor time of this thread: what others do on the machine is not in it, other than through
/// caches they share.
enum ProcessorClock {
    static var seconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Seconds of processor time that something takes.
    static func time(_ body: () -> Void) -> Double {
        let start = seconds
        body()
        return seconds - start
    }
}
