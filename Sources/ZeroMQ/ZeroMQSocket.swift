import Synchronization

/// A socket of libzmq with one owner; it closes when its owner lets go of it.
///
/// Not thread-safe, as the manual says: one thread uses it at a time. It may be handed to another
/// thread where a lock or the start of that thread lies between. Nothing here blocks.
package struct ZeroMQSocket: ~Copyable {
    /// Parts of one message that are kept; a message of the bus has three at most.
    ///
    /// A peer may send more: these are read and dropped, and the message arrives with exactly this
    /// many, which no caller takes for valid.
    package static let maximumParts = 16

    let handle: SocketHandle
    /// Receives the events of this socket's own connections, after ``keep(_:in:)``.
    private var events: Listener?

    /// Opens a socket that does not linger.
    package init(_ kind: SocketKind, in context: ZeroMQContext) throws(ZeroMQError) {
        handle = try SocketHandle(kind, in: context)
    }

    deinit {
        // Closes this socket before `events`: libzmq's own thread waits while nobody takes an
        // event.
        handle.close()
    }

    /// Closes the socket now; what was not sent is dropped after the linger time.
    package consuming func close() {
        // Consuming it runs deinit.
    }

    /// Receives messages whose first part begins with these bytes from now on; sub only.
    ///
    /// At most 200 bytes: libzmq 4.3.4 breaks the connection at 246 to 255.
    package func subscribe(_ prefix: [UInt8]) throws(ZeroMQError) {
        try set(.subscribe, to: prefix)
    }

    /// Takes one `subscribe` of the same bytes back; sub only.
    package func unsubscribe(_ prefix: [UInt8]) throws(ZeroMQError) {
        try set(.unsubscribe, to: prefix)
    }

    /// Admits only peers with the right keys; to be called before `bind` or `connect`.
    package func protect(with keys: SocketKeys) throws(ZeroMQError) {
        switch keys {
        case .server(let secret, let domain):
            try set(.curveServer, to: 1)
            try set(.curveSecretKey, to: secret)
            try set(.zapDomain, to: Array(domain.utf8))
        case .client(let server, let own, let secret):
            try set(.curveServerKey, to: server)
            try set(.curvePublicKey, to: own)
            try set(.curveSecretKey, to: secret)
        }
    }

    /// Ends tcp connections within seconds after the machine at the other end has vanished.
    ///
    /// To be called before the socket connects or binds. A machine that vanishes closes no
    /// connection.
    ///
    /// Uses no pings of ZMTP: libzmq 4.3.4 ends the process (`!_io_error`) if one is due on a
    /// broken connection whose messages nobody has taken.
    package func noticeVanishedPeers() throws(ZeroMQError) {
        try set(.keepAlive, to: 1)
        try set(.keepAliveIdle, to: 1)
        try set(.keepAliveInterval, to: 1)
        try set(.keepAliveCount, to: 3)
        try set(.maximumRetransmission, to: 5_000)
    }

    /// For `poll`: whether there is something to receive.
    package var pollItem: PollItem {
        PollItem(socket: handle)
    }

    /// Sends a message of one part or more; false where it cannot be sent now.
    ///
    /// True says that libzmq took it, not that it arrived. On a router the first part is the route;
    /// with `mandatory` set an unknown one throws `hostUnreachable`.
    package func send(_ parts: [[UInt8]]) throws(ZeroMQError) -> Bool {
        precondition(!parts.isEmpty, "a message has at least one part")
        let socket = try handle.open()
        var isWhole = true
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            if try Self.send(part, more: !isLast, through: socket) { continue }
            if index == 0 { return false }
            // The connection broke within the message. libzmq now drops what is left of it, up to
            // the part that says it is the last, so that part must be sent all the same.
            isWhole = false
        }
        return isWhole
    }

    /// Takes the next message whole; nil where there is none.
    package func receive() throws(ZeroMQError) -> [[UInt8]]? {
        try receive(withSender: []).map(\.parts)
    }

    /// Takes the next message whole, with the wanted facts about its sender, as far as known.
    ///
    /// When a connection has gone, libzmq itself makes up the ends of its subscriptions; these have
    /// no sender.
    package func receive(
        withSender wanted: SenderFacts
    ) throws(ZeroMQError) -> ReceivedMessage? {
        let socket = try handle.open()
        var message = ReceivedMessage()
        // Messages arrive whole or not at all, so once there is a first part there is a last.
        while let isMore = try Self.receive(from: socket, into: &message, withSender: wanted) {
            if !isMore { return message }
        }
        return nil
    }
}

// MARK: Events of connections

extension ZeroMQSocket {
    /// A class, as a socket cannot hold another one itself.
    private final class Listener {
        let socket: ZeroMQSocket

        init(_ socket: consuming ZeroMQSocket) {
            self.socket = socket
        }
    }

    /// How many sockets of the process have kept events so far.
    private static let keepers = Atomic<UInt64>(0)

    /// Keeps these events of its connections from now on, for ``nextEvent()``.
    package mutating func keep(
        _ events: ConnectionEvent,
        in context: ZeroMQContext
    ) throws(ZeroMQError) {
        let number = Self.keepers.add(1, ordering: .relaxed).newValue
        let address = "inproc://own-connections-\(number)"
        let listener = Listener(try ZeroMQSocket(.pair, in: context))
        self.events = listener
        try announce(events, at: address)
        try listener.socket.listen(at: address)
    }

    /// Connects a pair to the address where another socket announces its connections.
    package func listen(at address: String) throws(ZeroMQError) {
        // 0 is no limit: libzmq's thread would wait at one. A descriptor bounds what comes.
        try set(.receiveHighWaterMark, to: 0)
        try connect(address)
    }

    /// For `poll`: whether there may be something for ``nextEvent()``.
    package var eventItem: PollItem? { events?.socket.pollItem }

    /// Takes the next event that was kept; nil where there is none.
    package func nextEvent() throws(ZeroMQError) -> ConnectionEvent? {
        guard let events else { return nil }
        return try events.socket.receiveEvent()?.event
    }

    /// Takes the next event that another socket announces to this one; nil where there is none.
    package func receiveEvent() throws(ZeroMQError) -> (event: ConnectionEvent, value: Int32)? {
        while let parts = try receive() {
            // zmq_socket_monitor(3): 16 bits of event, 32 bits of value; then the address.
            guard let bytes = parts.first, bytes.count == 6 else { continue }
            return bytes.withUnsafeBytes {
                (
                    ConnectionEvent(rawValue: $0.loadUnaligned(fromByteOffset: 0, as: UInt16.self)),
                    $0.loadUnaligned(fromByteOffset: 2, as: Int32.self)
                )
            }
        }
        return nil
    }
}
