import ZeroMQ

/// The thread that owns the SUB socket: it receives messages and hands them to the loop.
///
/// A bound SUB announces its subscription to a new worker only while its thread is inside libzmq.
/// If the loop owned it, a worker that connects while the loop is busy could send nothing until
/// then. So this thread decodes nothing, and it keeps calling libzmq even while ``ReportQueue`` has
/// no room.
struct ReportIngress: Sendable {
    /// Messages handed over at a time, and bytes at which a batch is complete.
    ///
    /// A lock and a wake-up for each message would cost more than the message. The queue may exceed
    /// its bound by one batch.
    private static let batch = 64
    private static let batchBytes = 1 << 13
    /// Milliseconds between two calls of libzmq while the queue has no room.
    private static let restWithoutRoom = 10

    let sockets: BrokerSockets
    let queue: ReportQueue
    let inbox: LoopInbox

    /// Starts the thread; throws when the socket cannot be bound.
    ///
    /// Once it has been stopped, the socket is closed; what was handed over stays in the queue.
    func start() throws(ZeroMQError) -> BrokerThread {
        try BrokerThread("reports", wake: queue.room) { run($0) }
    }

    private func run(_ thread: BrokerThread) {
        let socket: ZeroMQSocket
        do {
            socket = try sockets.bindReports()
            thread.begin()
        } catch {
            thread.begin(error)
            return
        }
        do {
            try receive(from: socket, thread)
        } catch {
            inbox.fail(error)
        }
        socket.close()
    }

    private func receive(
        from socket: borrowing ZeroMQSocket,
        _ thread: BrokerThread
    ) throws(ZeroMQError) {
        let wake = PollItem.descriptor(queue.room.descriptor)
        var all = [wake, socket.pollItem]
        var wakeOnly = [wake]
        var socketOnly = [socket.pollItem]
        while !thread.isStopping {
            _ = try poll(&all, timeout: -1)
            queue.room.drain()
            var hasRoom = try handOver(from: socket, thread)
            while !hasRoom, !thread.isStopping {
                _ = try poll(&wakeOnly, timeout: Self.restWithoutRoom)
                queue.room.drain()
                // Asks the queue itself: a signal between the poll and the drain would be missed.
                if queue.hasRoom {
                    hasRoom = try handOver(from: socket, thread)
                } else {
                    // Only to be inside libzmq. Messages wait there, so a longer timeout would not
                    // wait either.
                    _ = try poll(&socketOnly, timeout: 0)
                }
            }
        }
    }

    /// Hands over messages until none is left, the queue is full or the thread is to end.
    ///
    /// Returns whether there is room for more.
    private func handOver(
        from socket: borrowing ZeroMQSocket,
        _ thread: BrokerThread
    ) throws(ZeroMQError) -> Bool {
        let wanted: SenderFacts = sockets.secret == nil ? [] : .user
        var messages: [ReportQueue.Message] = []
        while !thread.isStopping {
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
