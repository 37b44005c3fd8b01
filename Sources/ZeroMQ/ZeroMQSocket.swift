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

    /// Opens a socket that does not linger.
    package init(_ kind: SocketKind, in context: ZeroMQContext) throws(ZeroMQError) {
        let handle = SocketHandle(try Calls.newSocket(kind, in: context.handle), in: context)
        // The default, for ever, makes a process without a broker hang at its end.
        try Calls.set(.linger, to: 0, of: handle.open())
        self.handle = handle
    }

    deinit {
        handle.close()
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

    /// Tells a pair socket of the same context about every connection that is accepted from now on.
    ///
    /// The pair connects to the address, `inproc://name`, before and stays until this socket is
    /// closed: libzmq's own thread waits while nobody takes what it has to say.
    package func announceAccepted(at address: String) throws(ZeroMQError) {
        try Calls.announceAccepted(handle.open(), at: address)
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
        try next()?.parts
    }

    /// Takes the next message whole, with the sender's transport address where libzmq knows it.
    ///
    /// On ipc the address ends in `:uid:gid:pid`, which the kernel vouches for as of the moment the
    /// connection was made; Linux only.
    package func receiveWithPeer() throws(ZeroMQError) -> (
        parts: [[UInt8]], peerAddress: String?
    )? {
        guard let message = try next(isPeerWanted: true) else { return nil }
        return (message.parts, message.peerAddress)
    }

    /// Takes the next message whole, with the connection that it came over.
    ///
    /// For an xpub: the ends of subscriptions that libzmq itself makes up, when a connection has
    /// gone, have none.
    package func receiveWithConnection() throws(ZeroMQError) -> (
        parts: [[UInt8]], connection: PeerConnection?
    )? {
        guard let message = try next(isPeerWanted: true, isConnectionWanted: true) else {
            return nil
        }
        guard let address = message.peerAddress, let descriptor = message.descriptor else {
            return (message.parts, nil)
        }
        return (message.parts, PeerConnection(descriptor: descriptor, address: address))
    }

    private func next(
        isPeerWanted: Bool = false,
        isConnectionWanted: Bool = false
    ) throws(ZeroMQError) -> (parts: [[UInt8]], peerAddress: String?, descriptor: Int32?)? {
        let socket = try handle.open()
        var parts: [[UInt8]] = []
        var peerAddress: String?
        var descriptor: Int32?
        // Messages arrive whole or not at all, so once there is a first part there is a last.
        while true {
            let isKept = parts.count < Self.maximumParts
            guard
                let part = try Calls.receive(
                    from: socket,
                    isKept: isKept,
                    isPeerWanted: isPeerWanted,
                    isConnectionWanted: isConnectionWanted
                )
            else { return nil }
            if isKept {
                parts.append(part.bytes)
                peerAddress = part.peerAddress ?? peerAddress
                descriptor = part.descriptor ?? descriptor
            }
            if !part.more {
                return (parts, peerAddress, descriptor)
            }
        }
    }
}
