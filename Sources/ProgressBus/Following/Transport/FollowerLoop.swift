import BusProtocol
import Synchronization
import TaskTree
import ZeroMQ

/// The thread that owns a follower's sockets, and the way to hand it commands.
///
/// Commands come through a locked list and a wake-up descriptor; values go back through
/// continuations, one per waiting consumer, so that a slow consumer costs nothing.
final class FollowerLoop: Sendable {
    private struct Inbox {
        var commands: [FollowerCommand] = []
        var isClosed = false
        var lastID: UInt64 = 0
    }

    private let inbox = Mutex(Inbox())
    private let wakeUp: WakeUp
    private let received = Atomic<Int>(0)
    /// When the broker last said something that was asked for, in nanoseconds; first, the beginning.
    private let heard = Atomic<Int64>(Moment.present.nanoseconds)

    private init(wakeUp: WakeUp) {
        self.wakeUp = wakeUp
    }

    /// Starts the thread; it connects when there is a broker and as often as it takes.
    static func start(
        endpoint: BusEndpoint,
        isOnce: Bool
    ) throws(FollowError) -> FollowerLoop {
        do {
            // A missing directory is made here: otherwise another user could make it, and show a
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
    func send(_ command: FollowerCommand) {
        let isTaken = inbox.withLock { inbox in
            guard !inbox.isClosed else { return false }
            inbox.commands.append(command)
            return true
        }
        if isTaken { wakeUp.signal() } else { Self.refuse(command) }
    }

    /// Bytes of updates that have arrived so far.
    var receivedUpdateBytes: Int { received.load(ordering: .relaxed) }

    /// Returns when the broker has answered nothing for so long, however long that takes.
    ///
    /// What is asked for may be of any size: that answers stop is what shows that none will come.
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
        send(.stop)
    }

    private static func refuse(_ command: FollowerCommand) {
        switch command {
        case .next(_, let continuation): continuation.resume(returning: .finished)
        case .ask(_, _, _, let continuation): continuation.resume(returning: .failed(.closed))
        case .follow, .unfollow, .show, .refresh, .stopWaiting, .giveUp, .withdraw, .stop: break
        }
    }

    private func takeCommands() -> [FollowerCommand] {
        inbox.withLock { inbox in
            defer { inbox.commands.removeAll() }
            return inbox.commands
        }
    }

    // MARK: - On the thread

    private func run(endpoint: BusEndpoint, context: ZeroMQContext, isOnce: Bool) {
        var consumers = Consumers()
        do {
            var sockets = try FollowerSockets(to: endpoint, in: context, isOnce: isOnce)
            var machine = FollowerMachine.starting(isOnce: isOnce, at: .present)
            while true {
                for command in takeCommands() { consumers.take(command, machine: &machine) }
                if consumers.isStopped { break }
                let bytes = try sockets.drain(into: &machine)
                received.wrappingAdd(bytes, ordering: .relaxed)
                if let at = machine.link.answeredAt {
                    heard.store(at.nanoseconds, ordering: .relaxed)
                }
                machine.tick(at: .present)
                sockets.perform(machine.takeActions(), machine: &machine, consumers: &consumers)
                consumers.deliver(from: &machine, at: .present)
                // What was subscribed or asked for may be answered by now.
                let now = Moment.present
                let wait = machine.nextTime(after: now).seconds(since: now)
                try sockets.wait(for: wakeUp, seconds: wait)
            }
            sockets.leave(machine.goodbye())
        } catch {
            consumers.failAll(FollowError(.cannotConnect, String(describing: error)))
        }
        inbox.withLock { $0.isClosed = true }
        takeCommands().forEach(Self.refuse)
        consumers.failAll(.closed)
    }
}

extension FollowError {
    static let closed = FollowError(.closed, "the follower was closed; make another one")
}
