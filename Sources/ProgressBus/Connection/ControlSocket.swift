package import BusProtocol
package import ZeroMQ

/// The socket over which a client and a broker ask and answer; belongs to one thread.
package struct ControlSocket: ~Copyable {
    private let socket: ZeroMQSocket
    private var handshakes: HandshakeWatch
    private let endpoint: BusEndpoint

    /// Begins to connect; never waits.
    ///
    /// Without a connection the socket queues nothing, so that no frame reaches another broker
    /// late. When it closes, a last goodbye may go out for `lingerMilliseconds`. `queue` bounds the
    /// frames that wait in each direction; without it libzmq's own bound holds.
    package init(
        to endpoint: BusEndpoint,
        in context: ZeroMQContext,
        reconnectMilliseconds: (first: Int32, longest: Int32),
        lingerMilliseconds: Int32,
        queue: Int32? = nil
    ) throws(ZeroMQError) {
        var socket = try ZeroMQSocket(.dealer, in: context)
        if let queue {
            try socket.set(.sendHighWaterMark, to: queue)
            try socket.set(.receiveHighWaterMark, to: queue)
        }
        try socket.set(.immediate, to: 1)
        try socket.set(.linger, to: lingerMilliseconds)
        try socket.prepare(for: endpoint, reconnectMilliseconds: reconnectMilliseconds)
        let handshakes = try HandshakeWatch(&socket, of: endpoint, in: context)
        try socket.connect(endpoint.controlAddress)
        self.socket = socket
        self.handshakes = handshakes
        self.endpoint = endpoint
    }

    /// What to wait for.
    package var pollItems: [PollItem] {
        if let item = socket.eventItem { [socket.pollItem, item] } else { [socket.pollItem] }
    }

    /// Why the broker is not reached; if it may have its next key by now, the socket connects anew.
    package mutating func trouble() throws(ZeroMQError) -> HandshakeWatch.Trouble? {
        let trouble = handshakes.trouble(of: socket)
        if case .renewed(let membership)? = trouble {
            try socket.connectAnew(to: endpoint.controlAddress, for: membership)
        }
        return trouble
    }

    /// Whether libzmq has taken the frame.
    package func send(_ frame: WireClientFrame) -> Bool {
        // An error means that the context or socket is gone, which is as good as a full queue.
        (try? socket.send([Frame.encode(frame)])) ?? false
    }

    /// What has arrived, or what is wrong with it; `nil` when nothing is there.
    package mutating func receive() -> Result<WireBrokerFrame, ProtocolViolation>? {
        while let parts = try? socket.receive() {
            // A malformed message is dropped, so that a peer's mistake does not end this process.
            guard parts.count == 1 else { continue }
            do throws(ProtocolViolation) {
                let frame = try Frame.decodeBroker(parts[0])
                handshakes.hear(frame)
                return .success(frame)
            } catch {
                return .failure(error)
            }
        }
        return nil
    }
}
