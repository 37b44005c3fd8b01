import CZeroMQ

/// The keys by which a socket proves who it is and knows its peer: CURVE, curvezmq.org.
///
/// All keys are 32 bytes. A server asks the ``KeyHandlerSocket`` of its context about every peer;
/// without one it would let everybody in.
package enum SocketKeys: Sendable {
    /// The secret key of a socket that binds, and the name by which the handler knows the socket.
    case server(secret: [UInt8], domain: String)
    /// The public key of the server that is meant, and one's own key pair.
    case client(server: [UInt8], public: [UInt8], secret: [UInt8])
}

/// What may happen to a connection of a socket.
package struct ConnectionEvent: OptionSet, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    private init(_ event: Int32) {
        rawValue = UInt16(truncatingIfNeeded: event)
    }

    /// A listener has a new connection; the value is its descriptor.
    package static let accepted = ConnectionEvent(ZMQ_EVENT_ACCEPTED)
    /// The handshake has succeeded.
    package static let handshakeDone = ConnectionEvent(ZMQ_EVENT_HANDSHAKE_SUCCEEDED)
    /// The other side does not speak ZMTP, or has another key than the expected one.
    package static let handshakeFailed = ConnectionEvent(
        ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL
    )
    /// The other side does not speak ZMTP, or only one side uses keys; libzmq does not try again.
    package static let notUnderstood = ConnectionEvent(ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL)
    /// The other side does not let this key in; libzmq 4.3.4 never tries again.
    package static let refused = ConnectionEvent(ZMQ_EVENT_HANDSHAKE_FAILED_AUTH)
}
