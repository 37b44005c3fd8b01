import Dispatch
import Synchronization
import TaskTree
import ZeroMQ

/// The thread that owns the SUB socket: it receives and hands over, nothing else.
///
/// A bound SUB announces its subscription to a new worker only while its thread is inside libzmq.
/// If the loop owned it, workers that connect while the loop is busy would hold everything back
/// until it is not. So this thread decodes nothing, and also while it may not receive (see
/// ``ReportQueue``) it goes on entering the library.
final class ReportIngress: Sendable {
    /// Messages and bytes handed over at a time: a lock and a wake-up for each message would cost
    /// more than it does, and a batch may pass the bound of the queue.
    private static let batch = 64
    private static let batchBytes = 1 << 15
    /// How often the library is entered while there is no room, in milliseconds.
    private static let restWithoutRoom = 10

    private let sockets: BrokerSockets
    private let queue: ReportQueue
    private let inbox: LoopInbox
    private let isStopping = Atomic(false)
    private let thread = Mutex<ThreadHandle?>(nil)

    private init(sockets: BrokerSockets, queue: ReportQueue, inbox: LoopInbox) {
        self.sockets = sockets
        self.queue = queue
        self.inbox = inbox
    }

    /// Starts the thread; returns when the socket is bound, throws when it cannot be.
    static func start(
        sockets: BrokerSockets,
        queue: ReportQueue,
        inbox: LoopInbox
    ) throws(ZeroMQError) -> ReportIngress {
        let ingress = ReportIngress(sockets: sockets, queue: queue, inbox: inbox)
        let bound = Answer()
        let thread = try startThread(name: "reports") { ingress.run(bound) }
        ingress.thread.withLock { $0 = thread }
        try bound.wait()
        return ingress
    }

    /// Closes the socket and waits for the thread; what it has handed over stays in the queue.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        queue.room.signal()
        thread.withLock { $0 }?.join()
    }

    private func run(_ bound: Answer) {
        let socket: ZeroMQSocket
        do {
            socket = try sockets.bindReports()
            bound.give(nil)
        } catch {
            bound.give(error)
            return
        }
        do {
            try receive(from: socket)
        } catch {
            inbox.fail(error)
        }
        socket.close()
    }

    private func receive(from socket: borrowing ZeroMQSocket) throws(ZeroMQError) {
        let wake = PollItem.descriptor(queue.room.descriptor)
        var all = [wake, socket.pollItem]
        var wakeOnly = [wake]
        var socketOnly = [socket.pollItem]
        while !isStopping.load(ordering: .acquiring) {
            _ = try poll(&all, timeout: -1)
            queue.room.drain()
            var hasRoom = try handOver(from: socket)
            while !hasRoom, !isStopping.load(ordering: .acquiring) {
                _ = try poll(&wakeOnly, timeout: Self.restWithoutRoom)
                queue.room.drain()
                // Not whether it was signalled: it may be after the poll and before the drain.
                if queue.hasRoom {
                    hasRoom = try handOver(from: socket)
                } else {
                    // Only to be inside the library: it would say at once that there are messages.
                    _ = try poll(&socketOnly, timeout: 0)
                }
            }
        }
    }

    /// Receives until nothing is there, nothing may be handed over or the thread is to end; whether
    /// there is room for more.
    private func handOver(from socket: borrowing ZeroMQSocket) throws(ZeroMQError) -> Bool {
        let wanted: SenderFacts = sockets.secret == nil ? [] : .user
        var messages: [ReportQueue.Message] = []
        while !isStopping.load(ordering: .acquiring) {
            messages.removeAll(keepingCapacity: true)
            var bytes = 0
            while messages.count < Self.batch, bytes < Self.batchBytes,
                let message = try socket.receive(withSender: wanted)
            {
                messages.append(message)
                bytes += message.parts.reduce(0) { $0 + $1.count }
            }
            guard !messages.isEmpty else { return true }
            guard queue.add(messages) else { return false }
        }
        return true
    }
}

/// One thread's answer to another that waits for it.
final class Answer: Sendable {
    private let error = Mutex<ZeroMQError?>(nil)
    private let given = DispatchSemaphore(value: 0)

    func give(_ error: ZeroMQError?) {
        self.error.withLock { $0 = error }
        given.signal()
    }

    /// Blocks; never to be called on Swift's cooperative threads.
    func wait() throws(ZeroMQError) {
        given.wait()
        if let error = error.withLock({ $0 }) { throw error }
    }
}
