import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Standard input, read without holding a thread of Swift's cooperative pool.
struct StandardInput {
    private let queue = DispatchQueue(label: "progressbus.standard-input")
    private static let chunk = 65_536

    /// Waits for the next bytes; empty at the end of the input and where it cannot be read.
    func read() async -> [UInt8] {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Self.readNow()) }
        }
    }

    private static func readNow() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: chunk) { buffer, count in
            var result: Int
            repeat {
                result = read(buffer)
            } while result < 0 && (errno == EINTR || waitIfEmpty())
            count = max(result, 0)
        }
    }

    private static func read(_ buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        #if canImport(Glibc)
        Glibc.read(STDIN_FILENO, buffer.baseAddress, buffer.count)
        #elseif canImport(Musl)
        Musl.read(STDIN_FILENO, buffer.baseAddress, buffer.count)
        #else
        Darwin.read(STDIN_FILENO, buffer.baseAddress, buffer.count)
        #endif
    }

    /// Waits where somebody has set the input to non-blocking and nothing is there.
    private static func waitIfEmpty() -> Bool {
        guard errno == EAGAIN else { return false }
        var item = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        _ = poll(&item, 1, -1)
        return true
    }
}
