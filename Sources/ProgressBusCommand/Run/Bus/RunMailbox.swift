import Synchronization
import TaskTree
import ZeroMQ

/// Events from other threads for the loop that serves commands.
final class RunMailbox: Sendable {
    enum Event: Sendable {
        /// A viewer's request to the command of this number in a batch, or to the whole run (0).
        case request(ChildSupervisor.Request, of: Int)
        /// Another session reports below this task of ours.
        case reported(below: TaskID)
        /// Whether a session below this task of ours can have received a cancel.
        case heard(Bool, of: TaskID)
        /// `RunBus.flush` has ended.
        case flushed
    }

    private let events = Mutex<[Event]>([])
    private let wakeUp: WakeUp

    init() throws(ZeroMQError) {
        wakeUp = try WakeUp()
    }

    /// The descriptor for poll(2), which is readable when there is an event.
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
