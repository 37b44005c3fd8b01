import Synchronization
import TaskTree
import ZeroMQ

/// What other threads leave for the loop that minds commands.
final class RunMailbox: Sendable {
    enum Letter: Sendable {
        /// Somebody who looks at the bus asks for it; of one of many commands by its number.
        case request(ChildSupervisor.Request, of: Int)
        /// Something below this task of ours reports itself.
        case reported(below: TaskID)
        /// The bus knows what was said before.
        case flushed
    }

    private let letters = Mutex<[Letter]>([])
    private let wakeUp: WakeUp

    init() throws(ZeroMQError) {
        wakeUp = try WakeUp()
    }

    /// Readable when there is something; for poll(2).
    var descriptor: Int32 { wakeUp.descriptor }

    func put(_ letter: Letter) {
        letters.withLock { $0.append(letter) }
        wakeUp.signal()
    }

    func take() -> [Letter] {
        wakeUp.drain()
        return letters.withLock { letters in
            defer { letters = [] }
            return letters
        }
    }
}
