import Dispatch
import ProcessControl

/// Standard input, read without holding a thread of Swift's cooperative pool.
struct StandardInput {
    private let queue = DispatchQueue(label: "progressbus.standard-input")
    private static let chunk = 65_536

    /// Waits for the next bytes; empty at the end of the input and where it cannot be read.
    func read() async -> [UInt8] {
        await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(
                    returning: readBytes(from: STDIN_FILENO, upTo: Self.chunk) ?? []
                )
            }
        }
    }
}
