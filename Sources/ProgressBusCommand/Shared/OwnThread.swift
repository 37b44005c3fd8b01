import ZeroMQ

/// Runs something that blocks on a thread of its own, away from Swift's cooperative pool.
func onOwnThread<Result: Sendable>(
    _ name: String,
    _ body: @escaping @Sendable () -> Result
) async -> Result {
    await withCheckedContinuation { continuation in
        do {
            _ = try startThread(name: name) { continuation.resume(returning: body()) }
        } catch {
            // No room for a thread: slower for others, but the work gets done.
            continuation.resume(returning: body())
        }
    }
}
