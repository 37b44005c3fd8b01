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

    private let handle: SocketHandle
    /// Where it tells of its own connections, if that was asked for.
    private var events: SocketHandle?

    /// Opens a socket that does not linger.
    package init(_ kind: SocketKind, in context: ZeroMQContext) throws(ZeroMQError) {
        let handle = SocketHandle(try Calls.newSocket(kind, in: context.handle), in: context)
        // The default, for ever, makes a process without a broker hang at its end.
        try Calls.set(.linger, to: 0, of: handle.open())
        self.handle = handle
    }

    deinit {
        handle.close()
        // Behind it: libzmq's own thread waits for whoever hears of connections.
        events?.close()
    }

    /// Closes the socket now; what was not sent is dropped after the linger time.
    package consuming func close() {
        // Consuming it runs deinit.
    }

    /// Sets a number; before `bind` or `connect`, as most options do not act on connections there.
    package func set(_ option: SocketOption, to value: Int32) throws(ZeroMQError) {
        try Calls.set(option, to: value, of: handle.open())
    }

    /// Receives messages whose first part begins with these bytes from now on; sub only.
    ///
    /// At most 200 bytes: libzmq 4.3.4 breaks the connection at 246 to 255.
    package func subscribe(_ prefix: [UInt8]) throws(ZeroMQError) {
        try Calls.subscribe(handle.open(), to: prefix)
    }

    /// Takes one `subscribe` of the same bytes back; sub only.
    package func unsubscribe(_ prefix: [UInt8]) throws(ZeroMQError) {
        try Calls.unsubscribe(handle.open(), from: prefix)
    }

    /// Listens at an address, `ipc:///path` or `tcp://host:port`.
    ///
    /// A second bind at the path of a living ipc listener succeeds and takes the path away from it:
    /// guard the path with a lock.
    package func bind(_ address: String) throws(ZeroMQError) {
        try Calls.bind(handle.open(), to: address)
    }

    /// Connects to an address, now or as soon as somebody listens there.
    package func connect(_ address: String) throws(ZeroMQError) {
        try Calls.connect(handle.open(), to: address)
    }

    /// Ends the connection to an address, and does not try to make it any more.
    package func disconnect(_ address: String) throws(ZeroMQError) {
        try Calls.disconnect(handle.open(), from: address)
    }

    /// Lets in, from `bind` or `connect` on, only who has the keys.
    package func protect(with keys: SocketKeys) throws(ZeroMQError) {
        switch keys {
        case .server(let secret, let domain):
            try Calls.set(.curveServer, to: 1, of: handle.open())
            try Calls.set(BytesOption.curveSecretKey, to: secret, of: handle.open())
            try Calls.set(BytesOption.zapDomain, to: Array(domain.utf8), of: handle.open())
        case .client(let server, let own, let secret):
            try Calls.set(BytesOption.curveServerKey, to: server, of: handle.open())
            try Calls.set(BytesOption.curvePublicKey, to: own, of: handle.open())
            try Calls.set(BytesOption.curveSecretKey, to: secret, of: handle.open())
        }
    }

    /// Tells a pair socket of the same context about these events of its connections from now on.
    ///
    /// The pair connects to the address, `inproc://name`, before and stays until this socket is
    /// closed: libzmq's own thread waits while nobody takes what it has to say.
    package func announce(_ events: ConnectionEvent, at address: String) throws(ZeroMQError) {
        try Calls.announce(Int32(events.rawValue), of: handle.open(), at: address)
    }

    /// Keeps these events of its connections from now on, for ``nextEvent()``.
    package mutating func keep(
        _ events: ConnectionEvent,
        in context: ZeroMQContext
    ) throws(ZeroMQError) {
        let pair = SocketHandle(try Calls.newSocket(.pair, in: context.handle), in: context)
        self.events = pair
        // 0 is no limit: libzmq's thread would wait at one.
        try Calls.set(.receiveHighWaterMark, to: 0, of: pair.open())
        let number = Self.keepers.add(1, ordering: .relaxed).newValue
        let address = "inproc://own-connections-\(number)"
        try announce(events, at: address)
        try Calls.connect(pair.open(), to: address)
    }

    /// How many sockets of the process have kept events so far.
    private static let keepers = Atomic<UInt64>(0)

    /// For `poll`: whether there may be something for ``nextEvent()``.
    package var eventItem: PollItem? { events.map { PollItem(socket: $0) } }

    /// Takes the next event that was kept; nil where there is none.
    package func nextEvent() throws(ZeroMQError) -> ConnectionEvent? {
        guard let events else { return nil }
        return try Self.event(from: events)?.event
    }

    /// Takes the next event that another socket announces to this one; nil where there is none.
    package func receiveEvent() throws(ZeroMQError) -> (event: ConnectionEvent, value: Int32)? {
        try Self.event(from: handle)
    }

    private static func event(
        from socket: SocketHandle
    ) throws(ZeroMQError) -> (event: ConnectionEvent, value: Int32)? {
        while let parts = try message(from: socket, withSender: [])?.parts {
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

    /// The address last bound or connected to, with the port that `tcp://host:*` was given.
    package func lastEndpoint() throws(ZeroMQError) -> String {
        try Calls.lastEndpoint(of: handle.open())
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
            if try Calls.send(part, more: !isLast, through: socket) { continue }
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

    /// Takes the next message whole, with what is asked for of its sender, as far as it is known.
    ///
    /// The ends of subscriptions that libzmq itself makes up, when a connection has gone, have no
    /// sender.
    package func receive(
        withSender wanted: SenderFacts
    ) throws(ZeroMQError) -> ReceivedMessage? {
        try Self.message(from: handle, withSender: wanted)
    }

    private static func message(
        from handle: SocketHandle,
        withSender wanted: SenderFacts
    ) throws(ZeroMQError) -> ReceivedMessage? {
        let socket = try handle.open()
        var message = ReceivedMessage()
        // Messages arrive whole or not at all, so once there is a first part there is a last.
        while true {
            let isKept = message.parts.count < maximumParts
            guard let part = try Calls.receive(from: socket, isKept: isKept, wanted: wanted) else {
                return nil
            }
            if isKept {
                message.parts.append(part.bytes)
                message.peerAddress = part.peerAddress ?? message.peerAddress
                message.user = part.user ?? message.user
                if let descriptor = part.descriptor, let address = part.peerAddress {
                    message.connection = PeerConnection(descriptor: descriptor, address: address)
                }
            }
            if !part.more { return message }
        }
    }
}
