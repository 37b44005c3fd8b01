import Synchronization
import TaskTree
import ZeroMQ

/// What other threads leave for the loop that minds commands.
final class RunMailbox: Sendable {
    enum Event: Sendable {
        /// Somebody who looks at the bus asks for it; of one of many commands by its number.
        case request(ChildSupervisor.Request, of: Int)
        /// Something below this task of ours reports itself.
        case reported(below: TaskID)
        /// Whether anything below this task of ours can have heard of a cancel.
        case heard(Bool, of: TaskID)
        /// The bus knows what was said before.
        case flushed
    }

    private let events = Mutex<[Event]>([])
    private let wakeUp: WakeUp

    init() throws(ZeroMQError) {
        wakeUp = try WakeUp()
    }

    /// Readable when there is something; for poll(2).
    var descriptor: Int32 { wakeUp.descriptor }

    func put(_ event: Event) {
        events.withLock { $0.append(event) }
        wakeUp.signal()
    }

    func take() -> [Event] {
        wakeUp.drain()
        return events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}
