import Dispatch
import Synchronization
import ZeroMQ

/// A thread of the broker beside its loop; `wake` interrupts its waiting.
final class BrokerThread: Sendable {
    let wake: WakeUp
    private let stopping = Atomic(false)
    private let handle = Mutex<ThreadHandle?>(nil)
    private let error = Mutex<ZeroMQError?>(nil)
    private let begun = DispatchSemaphore(value: 0)

    /// Starts the thread and waits for its ``begin(_:)``; throws the error that it gives there.
    ///
    /// Blocks; never to be called on Swift's cooperative threads.
    init(
        _ name: String,
        wake: WakeUp,
        _ run: @escaping @Sendable (BrokerThread) -> Void
    ) throws(ZeroMQError) {
        self.wake = wake
        let thread = try startThread(name: name) { run(self) }
        handle.withLock { $0 = thread }
        begun.wait()
        if let error = error.withLock({ $0 }) { throw error }
    }

    /// Called by the thread itself: it has begun, or cannot because of this error.
    func begin(_ error: ZeroMQError? = nil) {
        self.error.withLock { $0 = error }
        begun.signal()
    }

    /// Whether the thread is to end.
    var isStopping: Bool { stopping.load(ordering: .acquiring) }

    /// Ends the thread and waits for it.
    func stop() {
        stopping.store(true, ordering: .releasing)
        wake.signal()
        handle.withLock { $0 }?.join()
    }
}
