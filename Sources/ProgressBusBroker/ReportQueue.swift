import BusProtocol
import Synchronization
import TaskTree
import ZeroMQ

/// Report messages on their way from the ingress thread to the loop, bounded in bytes.
///
/// At the bound the ingress thread stops receiving until half of it has been worked off. Frames
/// then wait in the kernel and, conflated, with the workers themselves, whose sends are refused
/// and whose tasks stay marked as changed: too much load becomes delay, not loss and not memory.
final class ReportQueue: Sendable {
    /// A message as it came: its parts.
    typealias Message = [[UInt8]]

    /// A report that says, as far as can be seen, only that its session lives.
    struct Heartbeat {
        let contents: Frame.EmptyReport
        /// It counts from here on, however long it waits.
        let arrived: Moment

        /// It as it came, up to how its numbers were written.
        var message: Message { [contents.frame] }
        /// What it counts for in the queue.
        static let size = 96
    }

    /// Everything that waits; a heartbeat may have come before any of the messages, or after.
    struct Waiting {
        var messages: [Message] = []
        var heartbeats: [Heartbeat] = []
    }

    /// Heartbeats for which the loop is woken; fewer wait until it has another reason to wake.
    ///
    /// It has one every quarter of a second at least.
    static let heartbeatsHeld = 512

    /// Some milliseconds of work, so that who waits outside for room waits no longer.
    ///
    /// Passed by one batch of the ingress thread at most, and by one frame.
    static let byteLimit = 1 << 17

    private struct State {
        var waiting = Waiting()
        /// Of everything not worked off yet, what the loop has taken included.
        var bytes = 0
        var isWaitedFor = false
    }

    private let state = Mutex(State())
    private let wake: WakeUp
    /// Wakes the ingress thread: there is room again, or it is to end.
    let room: WakeUp

    private let tickNanoseconds = Atomic<Int64>(.min)
    private let isResting = Atomic(false)

    /// Makes an empty queue that signals `wake` when there are messages to take.
    init(wake: WakeUp) throws(ZeroMQError) {
        self.wake = wake
        room = try WakeUp()
    }

    /// Whether more may be added; `room` is signalled when it becomes so.
    var hasRoom: Bool { state.withLock { !$0.isWaitedFor } }

    /// Adds messages in their order, and heartbeats; returns whether there is room for more.
    func add(_ messages: [Message], _ heartbeats: [Heartbeat] = []) -> Bool {
        let size =
            messages.reduce(0) { $0 + Self.size($1) } + heartbeats.count * Heartbeat.size
        let (hasRoom, isDue) = state.withLock { state in
            state.waiting.messages += messages
            state.waiting.heartbeats += heartbeats
            state.bytes += size
            state.isWaitedFor = state.bytes >= Self.byteLimit
            let isDue = !messages.isEmpty || state.waiting.heartbeats.count >= Self.heartbeatsHeld
            return (!state.isWaitedFor, isDue)
        }
        if isDue { wake.signal() }
        return hasRoom
    }

    /// Takes everything that waits; it counts until ``finished(_:)`` is called for it.
    func take() -> Waiting {
        state.withLock { state in
            defer { state.waiting = Waiting() }
            return state.waiting
        }
    }

    /// The loop has worked a message off.
    func finished(_ message: Message) {
        free(Self.size(message))
    }

    /// The loop has worked so many heartbeats off, or has made messages of some: these then count
    /// anew when they are ``adopted(_:)``.
    func finished(heartbeats count: Int) {
        guard count > 0 else { return }
        free(count * Heartbeat.size)
    }

    /// A heartbeat has become a message for the loop, see ``finished(heartbeats:)``.
    func adopted(_ message: Message) {
        state.withLock { $0.bytes += Self.size(message) }
    }

    private func free(_ bytes: Int) {
        let mayGoOn = state.withLock { state in
            state.bytes -= bytes
            guard state.isWaitedFor, state.bytes < Self.byteLimit / 2 else { return false }
            state.isWaitedFor = false
            return true
        }
        if mayGoOn { room.signal() }
    }

    /// The loop will not tick before this moment.
    func ticks(at moment: Moment) {
        tickNanoseconds.store(moment.nanoseconds, ordering: .relaxed)
    }

    /// Somebody may wait for reports on their way: the ingress thread is not to let them lie.
    func hurry() {
        if isResting.load(ordering: .acquiring) { room.signal() }
    }

    /// For the ingress thread: before this moment nobody sees what is received.
    var nextTick: Moment { Moment(nanoseconds: tickNanoseconds.load(ordering: .relaxed)) }

    /// For the ingress thread: whether `room` is also to be signalled when somebody hurries.
    func rests(_ isResting: Bool) {
        self.isResting.store(isResting, ordering: .releasing)
    }

    /// Also counts what a message and each of its parts take besides, so that nothing can be sent
    /// for nothing.
    private static func size(_ message: Message) -> Int {
        message.reduce(16) { $0 + 48 + $1.count }
    }
}
