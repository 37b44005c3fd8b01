import Dispatch
import Synchronization

/// Blocks this thread until `body` has returned; not for a thread of Swift's cooperative pool.
func waitForAnswer<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
    let answer = Mutex<Value?>(nil)
    let isGiven = DispatchSemaphore(value: 0)
    Task {
        let value = await body()
        answer.withLock { $0 = value }
        isGiven.signal()
    }
    while true {
        if let value = answer.withLock({ $0 }) { return value }
        isGiven.wait()
    }
}
