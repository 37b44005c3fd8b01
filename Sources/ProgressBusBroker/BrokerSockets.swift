import BusProtocol
import ZeroMQ

/// The three sockets that a broker binds, with every option in one place.
///
/// Quotations are from zmq_setsockopt(3) of libzmq 4.3.4.
struct BrokerSockets {
    let endpoint: BusEndpoint
    let context: ZeroMQContext
    /// Connections that may wait at each socket to be accepted.
    let backlog: Int
    /// Whether somebody hears of every connection: see ``AdmissionGate`` and ``KeyHandler``.
    let isGuarded: Bool
    /// The key that the broker is known by; `nil` where everybody is let in who reaches it.
    let secret: BusKey?

    /// Where the sockets tell of their connections, within the process.
    private static let announcements = [
        "inproc://control", "inproc://updates", "inproc://reports",
    ]

    /// The paths of the sockets of an ipc endpoint.
    var paths: [String] {
        [endpoint.controlAddress, endpoint.updatesAddress, endpoint.reportsAddress]
            .filter { $0.hasPrefix("ipc://") }
            .map { String($0.dropFirst("ipc://".count)) }
    }

    /// Two threads move the bytes: "one I/O thread for each gigabyte per second" is plenty, but
    /// with more than some hundred connections one thread delays handshakes.
    static func makeContext() throws(ZeroMQError) -> ZeroMQContext {
        try ZeroMQContext(ioThreads: 2)
    }

    /// Reports have a thread for themselves: it takes in more of them at a time, and what is urgent,
    /// which is on the other sockets, does not wait behind them.
    private static let reportsThread: Int32 = 1 << 0
    private static let othersThread: Int32 = 1 << 1

    /// Hello, endings, commands, snapshots: a ROUTER.
    func bindControl() throws(ZeroMQError) -> ZeroMQSocket {
        let socket = try ZeroMQSocket(.router, in: context)
        try setCommonOptions(socket, of: .control)
        // ROUTER_MANDATORY: "report EHOSTUNREACH if the message cannot be routed" instead of
        // dropping it, so that the machine learns that a route is gone.
        try socket.set(.mandatory, to: 1)
        // A peer that does not read gets what it is owed by asking again, never by a long queue.
        try socket.set(.sendHighWaterMark, to: 64)
        try socket.set(.receiveHighWaterMark, to: 64)
        try socket.set(.affinity, to: Self.othersThread)
        if isGuarded { try socket.announce(.accepted, at: Self.announcements[0]) }
        try socket.bind(endpoint.controlAddress)
        return socket
    }

    /// The tree for viewers: an XPUB.
    func bindUpdates() throws(ZeroMQError) -> ZeroMQSocket {
        let socket = try ZeroMQSocket(.xpub, in: context)
        try setCommonOptions(socket, of: .updates)
        // XPUB_VERBOSER: every subscription is passed on, also of a topic that has subscribers:
        // each is answered by a beat, and the machine counts them.
        try socket.set(.verboser, to: 1)
        // Some seconds of updates. Above it the newest are dropped for this subscriber alone,
        // which sees the gap in the sequence and asks for a snapshot.
        try socket.set(.sendHighWaterMark, to: 256)
        // All that a connection has sent goes into libzmq's tree of subscriptions before any of it
        // is received: so much of it at a time that ``SubscriptionBook`` sees it in time.
        try socket.set(.receiveHighWaterMark, to: 4)
        let handshake = secret == nil ? 0 : Self.handshakeBytes
        try socket.set(
            .maximumMessageSize,
            to: Int32(max(ProtocolLimits.subscriptionBytes, handshake))
        )
        try socket.set(.affinity, to: Self.othersThread)
        if isGuarded { try socket.announce(.accepted, at: Self.announcements[1]) }
        try socket.bind(endpoint.updatesAddress)
        return socket
    }

    /// Running state of tasks: a SUB.
    ///
    /// To be called on the thread that will own it.
    func bindReports() throws(ZeroMQError) -> ZeroMQSocket {
        let socket = try ZeroMQSocket(.sub, in: context)
        try setCommonOptions(socket, of: .reports)
        // Workers conflate; what waits here would be stale. With the default of 1,000 a broker
        // that dies takes about as many accepted frames with it.
        try socket.set(.receiveHighWaterMark, to: 4)
        try socket.set(.affinity, to: Self.reportsThread)
        // The magic of every frame. Workers send nothing before they see this subscription.
        try socket.subscribe(FrameHeader.magic)
        if isGuarded { try socket.announce(.accepted, at: Self.announcements[2]) }
        try socket.bind(endpoint.reportsAddress)
        return socket
    }

    /// Hears of the connections of one of the sockets, in that order.
    func listen(to number: Int) throws(ZeroMQError) -> ZeroMQSocket {
        let socket = try ZeroMQSocket(.pair, in: context)
        try socket.listen(at: Self.announcements[number])
        return socket
    }

    /// The longest command of CURVE's handshake, with what libzmq says of a socket in it; the limit
    /// of messages holds for it too.
    private static let handshakeBytes = 512
    /// What CURVE adds to a message.
    private static let sealBytes = 64

    private func setCommonOptions(
        _ socket: borrowing ZeroMQSocket,
        of door: AccessDoor
    ) throws(ZeroMQError) {
        if let secret {
            try socket.protect(with: .server(secret: secret.bytes, domain: door.rawValue))
        }
        // HANDSHAKE_IVL: a connection that says nothing holds a descriptor this long, by default
        // 30 s.
        try socket.set(.handshakeInterval, to: 3_000)
        // MAXMSGSIZE: a larger part cuts the connection instead of filling the memory.
        let seal = secret == nil ? 0 : Self.sealBytes
        try socket.set(.maximumMessageSize, to: Int32(ProtocolLimits.clientFrameBytes + seal))
        try socket.set(.backlog, to: Int32(clamping: backlog))
        guard case .tcp(let host, _) = endpoint.kind else { return }
        // A cable that is pulled gives no event; on one machine the kernel tells of every end.
        try socket.noticeVanishedPeers()
        if host.contains(":") { try socket.set(.ipv6, to: 1) }
    }
}
