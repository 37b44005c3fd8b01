import Synchronization
import ZeroMQ

/// Report messages on their way from the ingress thread to the loop, bounded in bytes.
///
/// At the bound the ingress thread stops receiving until the loop has worked off half of it. Frames
/// then wait in the kernel, until the workers' sends are refused. A worker whose send is refused
/// keeps its tasks marked as changed and sends their newest state later: too much load becomes
/// delay, not loss and not memory.
final class ReportQueue: Sendable {
    typealias Message = ReceivedMessage

    /// Bytes that may wait: some milliseconds of work, so that senders do not wait longer for room.
    ///
    /// One batch of the ingress thread may exceed it, and the last frame of a batch may be large.
    static let byteLimit = 1 << 15

    private struct State {
        var waiting: [Message] = []
        /// The bytes of all messages not worked off yet, including those that the loop has taken.
        var bytes = 0
        var isWaitedFor = false
    }

    private let state = Mutex(State())
    private let wake: WakeUp
    /// Wakes the ingress thread: there is room again, or it is to end.
    let room: WakeUp

    /// Makes an empty queue that signals `wake` when there are messages to take.
    init(wake: WakeUp) throws(ZeroMQError) {
        self.wake = wake
        room = try WakeUp()
    }

    /// Whether more may be added; `room` is signalled when that becomes true.
    var hasRoom: Bool { state.withLock { !$0.isWaitedFor } }

    /// Adds messages in their order; returns whether there is room for more.
    func add(_ messages: [Message]) -> Bool {
        let size = messages.reduce(0) { $0 + Self.size($1) }
        let hasRoom = state.withLock { state in
            state.waiting += messages
            state.bytes += size
            state.isWaitedFor = state.bytes >= Self.byteLimit
            return !state.isWaitedFor
        }
        wake.signal()
        return hasRoom
    }

    /// Takes all waiting messages; each counts until ``finished(_:)`` is called for it.
    func take() -> [Message] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    /// The loop has worked a message off.
    func finished(_ message: Message) {
        let mayGoOn = state.withLock { state in
            state.bytes -= Self.size(message)
            guard state.isWaitedFor, state.bytes < Self.byteLimit / 2 else { return false }
            state.isWaitedFor = false
            return true
        }
        if mayGoOn { room.signal() }
    }

    /// The bytes of a message with an overhead for it and each of its parts, so that empty parts
    /// count too.
    private static func size(_ message: Message) -> Int {
        message.parts.reduce(48) { $0 + 48 + $1.count }
    }
}
