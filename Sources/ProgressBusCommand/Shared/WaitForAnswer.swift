import Dispatch
import Synchronization

/// Waits on this thread for something that Swift's own threads do; not to be called on one of them.
func waitForAnswer<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
    let answer = Answer<Value>()
    Task { answer.give(await body()) }
    return answer.wait()
}

/// A value that one thread waits for.
private final class Answer<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let given = DispatchSemaphore(value: 0)

    func give(_ value: Value) {
        self.value.withLock { $0 = value }
        given.signal()
    }

    func wait() -> Value {
        while true {
            if let value = value.withLock({ $0 }) { return value }
            given.wait()
        }
    }
}
