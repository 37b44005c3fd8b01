import BusProtocol
import Synchronization
import TaskTree
import ZeroMQ

/// The thread that owns a follower's sockets, and the way to hand it commands.
///
/// Commands come through a locked list and a wake-up descriptor; values go back through
/// continuations, one per waiting consumer, so that a slow consumer costs nothing.
final class FollowerLoop: Sendable {
    /// What the thread is to do next.
    typealias Command = @Sendable (inout Consumers) -> Void

    private struct Inbox {
        var commands: [Command] = []
        var isClosed = false
        var lastID: UInt64 = 0
    }

    private let inbox = Mutex(Inbox())
    private let wakeUp: WakeUp
    private let received = Atomic<Int>(0)
    /// The machine's `link.answeredAt` in nanoseconds; at first, when the loop was made.
    private let heard = Atomic<Int64>(Moment.present.nanoseconds)

    private init(wakeUp: WakeUp) {
        self.wakeUp = wakeUp
    }

    /// Starts the thread, which connects, and connects again, whenever there is a broker.
    static func start(
        endpoint: BusEndpoint,
        isOnce: Bool
    ) throws(FollowError) -> FollowerLoop {
        do {
            // A missing directory is made here: otherwise another user could make it and show a
            // false board.
            try endpoint.createDirectory()
        } catch {
            throw FollowError(error)
        }
        do {
            let context = try ZeroMQContext()
            let loop = FollowerLoop(wakeUp: try WakeUp())
            _ = try startThread(name: isOnce ? "progressbus-1" : "progressbus-f") {
                loop.run(endpoint: endpoint, context: context, isOnce: isOnce)
            }
            return loop
        } catch {
            throw FollowError(.cannotConnect, error.description)
        }
    }

    /// A number for a follow or a question.
    func newID() -> UInt64 {
        inbox.withLock { inbox in
            inbox.lastID += 1
            return inbox.lastID
        }
    }

    /// Hands over a command; from any thread, never blocks.
    ///
    /// - Returns: Whether it will be carried out, which it is not once the thread has ended.
    @discardableResult
    func send(_ command: @escaping Command) -> Bool {
        let isTaken = inbox.withLock { inbox in
            guard !inbox.isClosed else { return false }
            inbox.commands.append(command)
            return true
        }
        if isTaken { wakeUp.signal() }
        return isTaken
    }

    /// Bytes of updates that have arrived so far.
    var receivedUpdateBytes: Int { received.load(ordering: .relaxed) }

    /// Returns when the broker has sent no welcome and no snapshot chunk for `patience`.
    ///
    /// An answer may be of any size, so only silence shows that no more will come.
    func waitForSilence(of patience: Duration) async throws {
        var left = patience
        while left > .zero {
            try await Task.sleep(for: left)
            let last = Moment(nanoseconds: heard.load(ordering: .relaxed))
            left = patience - .seconds(Moment.present.seconds(since: last))
        }
    }

    /// Ends the thread; whoever waits is told.
    func stop() {
        send { $0.isStopped = true }
    }

    private func takeCommands() -> [Command] {
        inbox.withLock { inbox in
            defer { inbox.commands.removeAll() }
            return inbox.commands
        }
    }

    // MARK: - On the thread

    private func run(endpoint: BusEndpoint, context: ZeroMQContext, isOnce: Bool) {
        var consumers = Consumers(machine: FollowerMachine(isOnce: isOnce, at: .present))
        do {
            var sockets = try FollowerSockets(to: endpoint, in: context, isOnce: isOnce)
            while true {
                for command in takeCommands() { command(&consumers) }
                if consumers.isStopped { break }
                let bytes = try sockets.drain(into: &consumers.machine)
                received.wrappingAdd(bytes, ordering: .relaxed)
                if let at = consumers.machine.link.answeredAt {
                    heard.store(at.nanoseconds, ordering: .relaxed)
                }
                consumers.machine.tick(at: .present)
                sockets.perform(consumers.machine.takeActions(), for: &consumers)
                consumers.deliver(at: .present)
                // What was subscribed or asked for may be answered by now.
                let now = Moment.present
                let wait = consumers.machine.nextTime(after: now).milliseconds(since: now)
                try sockets.wait(for: wakeUp, milliseconds: wait)
            }
            sockets.leave(consumers.machine.goodbye())
        } catch {
            consumers.failAll(FollowError(.cannotConnect, String(describing: error)))
        }
        inbox.withLock { $0.isClosed = true }
        for command in takeCommands() { command(&consumers) }
        consumers.failAll(.closed)
    }
}

/// The consumers that wait for values of the machine, on the follower's thread.
struct Consumers {
    var machine: FollowerMachine
    var isStopped = false
    private var waiting: [UInt64: CheckedContinuation<Delivery, Never>] = [:]
    private var asking: [UInt64: CheckedContinuation<InquiryResult, Never>] = [:]

    init(machine: FollowerMachine) {
        self.machine = machine
    }

    mutating func wait(_ id: UInt64, _ continuation: CheckedContinuation<Delivery, Never>) {
        // Two waiting in one iterator is a misuse; the first is told that this was the end.
        waiting.updateValue(continuation, forKey: id)?.resume(returning: .finished)
    }

    /// Ends the wait of a consumer that was cancelled, or whose time is over.
    mutating func finish(_ id: UInt64, _ delivery: Delivery = .finished) {
        waiting.removeValue(forKey: id)?.resume(returning: delivery)
    }

    mutating func ask(
        _ id: UInt64,
        _ question: Inquiry,
        seconds: Double?,
        _ continuation: CheckedContinuation<InquiryResult, Never>
    ) {
        asking[id] = continuation
        machine.ask(id, question, deadline: seconds.map { .present.advanced(bySeconds: $0) })
    }

    mutating func withdraw(_ id: UInt64) {
        machine.withdraw(id)
        answer(id, .failed(.closed))
    }

    mutating func answer(_ id: UInt64, _ result: InquiryResult) {
        asking.removeValue(forKey: id)?.resume(returning: result)
    }

    /// Hands new values to those that wait.
    mutating func deliver(at now: Moment) {
        guard !machine.isOnce || machine.isOnceComplete || machine.link.fatal != nil else { return }
        for id in waiting.keys {
            if let delivery = machine.nextValue(for: id, at: now) { finish(id, delivery) }
        }
    }

    mutating func failAll(_ error: FollowError) {
        for id in waiting.keys { finish(id, error.code == .closed ? .finished : .failed(error)) }
        for id in asking.keys { answer(id, .failed(error)) }
    }
}

extension FollowError {
    static let closed = FollowError(.closed, "the follower was closed; make another one")
}
