import Synchronization
import ZeroMQ

/// Report messages on their way from the ingress thread to the loop, bounded in bytes.
///
/// At the bound the ingress thread stops receiving until half of it has been worked off. Frames
/// then wait in the kernel and, conflated, with the workers themselves, whose sends are refused
/// and whose tasks stay marked as changed: too much load becomes delay, not loss and not memory.
final class ReportQueue: Sendable {
    typealias Message = ReceivedMessage

    /// Some milliseconds of work, so that who waits outside for room waits no longer.
    ///
    /// Passed by one batch of the ingress thread at most, and by one frame.
    static let byteLimit = 1 << 15

    private struct State {
        var waiting: [Message] = []
        /// Of everything not worked off yet, what the loop has taken included.
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

    /// Whether more may be added; `room` is signalled when it becomes so.
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

    /// Takes everything that waits; it counts until ``finished(_:)`` is called for it.
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

    /// Also counts what a message and each of its parts take besides, so that nothing can be sent
    /// for nothing.
    private static func size(_ message: Message) -> Int {
        message.parts.reduce(48) { $0 + 48 + $1.count }
    }
}
