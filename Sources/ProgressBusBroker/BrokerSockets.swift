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
    /// Whether a thread hears of every connection: see ``AdmissionGate`` and ``KeyHandler``.
    let isGuarded: Bool
    /// The broker's secret key; `nil` if everybody is let in who reaches the endpoint.
    let secret: BusKey?

    /// The addresses within the process at which the sockets announce their connections.
    private static let announcements = [
        "inproc://control", "inproc://updates", "inproc://reports",
    ]

    /// The paths of the sockets of an ipc endpoint.
    var paths: [String] {
        [endpoint.controlAddress, endpoint.updatesAddress, endpoint.reportsAddress]
            .filter { $0.hasPrefix("ipc://") }
            .map { String($0.dropFirst("ipc://".count)) }
    }

    /// Makes a context with two I/O threads.
    ///
    /// "One I/O thread for each gigabyte per second" is plenty for the bytes, but with more than
    /// some hundred connections one thread delays handshakes.
    static func makeContext() throws(ZeroMQError) -> ZeroMQContext {
        try ZeroMQContext(ioThreads: 2)
    }

    /// The I/O thread that serves the reports socket alone.
    ///
    /// It takes in more reports at a time, and the urgent messages on the other sockets do not wait
    /// behind reports.
    private static let reportsThread: Int32 = 1 << 0
    private static let othersThread: Int32 = 1 << 1

    /// Binds control, a ROUTER: hellos, endings, commands, snapshots.
    func bindControl() throws(ZeroMQError) -> ZeroMQSocket {
        let socket = try ZeroMQSocket(.router, in: context)
        try setCommonOptions(socket, of: .control)
        // ROUTER_MANDATORY: "report EHOSTUNREACH if the message cannot be routed" instead of
        // dropping it, so that the machine learns that a route is gone.
        try socket.set(.mandatory, to: 1)
        // A short queue: a peer that has not read asks again for what was dropped.
        try socket.set(.sendHighWaterMark, to: 64)
        try socket.set(.receiveHighWaterMark, to: 64)
        try socket.set(.affinity, to: Self.othersThread)
        if isGuarded { try socket.announce(.accepted, at: Self.announcements[0]) }
        try socket.bind(endpoint.controlAddress)
        return socket
    }

    /// Binds updates, an XPUB: the tree for viewers.
    func bindUpdates() throws(ZeroMQError) -> ZeroMQSocket {
        let socket = try ZeroMQSocket(.xpub, in: context)
        try setCommonOptions(socket, of: .updates)
        // XPUB_VERBOSER passes on every subscription, also to a topic that has subscribers: the
        // machine answers each with a beat, and counts them.
        try socket.set(.verboser, to: 1)
        // Some seconds of updates. Above it the newest are dropped for this subscriber alone,
        // which sees the gap in the sequence and asks for a snapshot.
        try socket.set(.sendHighWaterMark, to: 256)
        // libzmq puts subscriptions into its own tree before the loop receives them. With this
        // limit it takes in few enough at a time for ``SubscriptionBook`` to see them in time.
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

    /// Binds reports, a SUB: the running state of tasks.
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

    /// Opens a socket that hears of the connections of control (0), updates (1) or reports (2).
    func listen(to number: Int) throws(ZeroMQError) -> ZeroMQSocket {
        let socket = try ZeroMQSocket(.pair, in: context)
        try socket.listen(at: Self.announcements[number])
        return socket
    }

    /// Bytes of the longest command of CURVE's handshake, with libzmq's metadata.
    ///
    /// MAXMSGSIZE holds for the handshake too.
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
        // A cable that is pulled causes no event; within one machine the kernel tells of every end.
        try socket.noticeVanishedPeers()
        if host.contains(":") { try socket.set(.ipv6, to: 1) }
    }
}
