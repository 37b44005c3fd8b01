#if os(Linux)
import CLibrary
import CZeroMQ
#endif

/// Ends the `poll` of one thread from any other thread.
///
/// The waiting thread polls `descriptor` beside its sockets and calls `drain` before it looks at
/// what it was woken for; signals until then count as one. An eventfd on Linux, a pipe elsewhere.
package final class WakeUp: Sendable {
    /// Readable from the first `signal` until the next `drain`.
    package let descriptor: Int32
    private let writingEnd: Int32

    /// Opens the descriptor; throws where the process has no room for it.
    package init() throws(ZeroMQError) {
        #if os(Linux)
        descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        writingEnd = descriptor
        guard descriptor >= 0 else {
            throw ZeroMQError(code: errno, call: "eventfd")
        }
        #else
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw ZeroMQError(code: errno, call: "pipe")
        }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        descriptor = ends[0]
        writingEnd = ends[1]
        #endif
    }

    deinit {
        close(descriptor)
        if writingEnd != descriptor {
            close(writingEnd)
        }
    }

    /// Makes the descriptor readable; from any thread, never blocks.
    package func signal() {
        // Both refuse only when full, and then the descriptor is readable already.
        #if os(Linux)
        var one: UInt64 = 1
        _ = write(writingEnd, &one, MemoryLayout<UInt64>.size)
        #else
        var one: UInt8 = 1
        _ = write(writingEnd, &one, 1)
        #endif
    }

    /// Makes the descriptor unreadable again.
    package func drain() {
        #if os(Linux)
        // One read takes all that was signalled.
        var count: UInt64 = 0
        while read(descriptor, &count, MemoryLayout<UInt64>.size) < 0, errno == EINTR {}
        #else
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { buffer in
            while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
        }
        #endif
    }
}
