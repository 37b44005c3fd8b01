import Dispatch
import Synchronization

/// Waits on this thread for something that Swift's own threads do; not to be called on one of them.
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
