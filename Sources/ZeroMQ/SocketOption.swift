import CZeroMQ

/// A number, or bytes, that can be set on a socket; most take effect for later binds and connects
/// only.
package struct SocketOption: Sendable {
    let code: Int32
    /// The name in libzmq's manual.
    let name: String
    /// Whether libzmq wants a number of 64 bits.
    let isWide: Bool

    private init(_ code: Int32, _ name: String, isWide: Bool = false) {
        self.code = code
        self.name = name
        self.isWide = isWide
    }

    /// Queue only for completed connections (1), and tell a lost connection from a living one.
    package static let immediate = SocketOption(ZMQ_IMMEDIATE, "ZMQ_IMMEDIATE")
    /// How long unsent messages survive the socket, in milliseconds; 0 from the start.
    package static let linger = SocketOption(ZMQ_LINGER, "ZMQ_LINGER")
    /// Messages queued per connection before it counts as full; 0 is no limit.
    package static let sendHighWaterMark = SocketOption(ZMQ_SNDHWM, "ZMQ_SNDHWM")
    /// Messages received ahead per connection; 0 is no limit.
    package static let receiveHighWaterMark = SocketOption(ZMQ_RCVHWM, "ZMQ_RCVHWM")
    /// Refuse to send instead of dropping where a subscriber's queue is full (1); xpub.
    package static let noDrop = SocketOption(ZMQ_XPUB_NODROP, "ZMQ_XPUB_NODROP")
    /// Pass on every subscription and every end of one, also repeated ones (1); xpub.
    package static let verboser = SocketOption(ZMQ_XPUB_VERBOSER, "ZMQ_XPUB_VERBOSER")
    /// Throw `hostUnreachable` for an unknown route instead of dropping (1); router.
    package static let mandatory = SocketOption(ZMQ_ROUTER_MANDATORY, "ZMQ_ROUTER_MANDATORY")
    /// The largest part accepted, in bytes; a larger one cuts its connection; -1 is no limit.
    package static let maximumMessageSize = SocketOption(
        ZMQ_MAXMSGSIZE,
        "ZMQ_MAXMSGSIZE",
        isWide: true
    )
    /// The system asks whether the other end of a quiet tcp connection is still there (1).
    package static let keepAlive = SocketOption(ZMQ_TCP_KEEPALIVE, "ZMQ_TCP_KEEPALIVE")
    /// Seconds of quiet before it asks.
    package static let keepAliveIdle = SocketOption(
        ZMQ_TCP_KEEPALIVE_IDLE,
        "ZMQ_TCP_KEEPALIVE_IDLE"
    )
    /// Seconds between two questions.
    package static let keepAliveInterval = SocketOption(
        ZMQ_TCP_KEEPALIVE_INTVL,
        "ZMQ_TCP_KEEPALIVE_INTVL"
    )
    /// Questions without an answer after which the connection counts as lost.
    package static let keepAliveCount = SocketOption(ZMQ_TCP_KEEPALIVE_CNT, "ZMQ_TCP_KEEPALIVE_CNT")
    /// Milliseconds that bytes sent over tcp may stay unacknowledged before the connection counts
    /// as lost.
    package static let maximumRetransmission = SocketOption(ZMQ_TCP_MAXRT, "ZMQ_TCP_MAXRT")
    /// Milliseconds that a new connection has to say who it is.
    package static let handshakeInterval = SocketOption(ZMQ_HANDSHAKE_IVL, "ZMQ_HANDSHAKE_IVL")
    /// Milliseconds after which libzmq gives up an attempt to connect; 0 leaves that to the system,
    /// which after a while tries only every few minutes.
    package static let connectTimeout = SocketOption(ZMQ_CONNECT_TIMEOUT, "ZMQ_CONNECT_TIMEOUT")
    /// Milliseconds before the first attempt to connect again.
    package static let reconnectInterval = SocketOption(ZMQ_RECONNECT_IVL, "ZMQ_RECONNECT_IVL")
    /// Milliseconds up to which `reconnectInterval` doubles with every attempt; 0 keeps it as it
    /// is.
    package static let maximumReconnectInterval = SocketOption(
        ZMQ_RECONNECT_IVL_MAX,
        "ZMQ_RECONNECT_IVL_MAX"
    )
    /// Which of the context's threads may serve its connections, a bit each; 0 is any.
    package static let affinity = SocketOption(ZMQ_AFFINITY, "ZMQ_AFFINITY", isWide: true)
    /// Connections that the system keeps for a listener that has not accepted them yet.
    package static let backlog = SocketOption(ZMQ_BACKLOG, "ZMQ_BACKLOG")
    /// Let in only peers that the ``KeyHandlerSocket`` admits (1), see ``SocketKeys``.
    static let curveServer = SocketOption(ZMQ_CURVE_SERVER, "ZMQ_CURVE_SERVER")
    /// Also use IPv6 (1).
    package static let ipv6 = SocketOption(ZMQ_IPV6, "ZMQ_IPV6")

    // Bytes.
    static let subscribe = SocketOption(ZMQ_SUBSCRIBE, "ZMQ_SUBSCRIBE")
    static let unsubscribe = SocketOption(ZMQ_UNSUBSCRIBE, "ZMQ_UNSUBSCRIBE")
    static let curvePublicKey = SocketOption(ZMQ_CURVE_PUBLICKEY, "ZMQ_CURVE_PUBLICKEY")
    static let curveSecretKey = SocketOption(ZMQ_CURVE_SECRETKEY, "ZMQ_CURVE_SECRETKEY")
    static let curveServerKey = SocketOption(ZMQ_CURVE_SERVERKEY, "ZMQ_CURVE_SERVERKEY")
    static let zapDomain = SocketOption(ZMQ_ZAP_DOMAIN, "ZMQ_ZAP_DOMAIN")
}
