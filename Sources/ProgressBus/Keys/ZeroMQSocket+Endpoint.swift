package import BusProtocol
package import ZeroMQ

extension ZeroMQSocket {
    /// The bytes that CURVE adds to a message, which libzmq counts as part of it.
    private static let sealBytes = 64

    /// Sets the options that every client socket of an endpoint needs, before the socket connects.
    package func prepare(
        for endpoint: BusEndpoint,
        reconnectMilliseconds: (first: Int32, longest: Int32)
    ) throws(ZeroMQError) {
        try set(.reconnectInterval, to: reconnectMilliseconds.first)
        try set(.maximumReconnectInterval, to: reconnectMilliseconds.longest)
        let seal = endpoint.membership == nil ? 0 : Self.sealBytes
        try set(.maximumMessageSize, to: Int32(ProtocolLimits.frameBytes + seal))
        guard case .tcp(let host, _) = endpoint.kind else { return }
        // A machine that vanishes closes no connection.
        try noticeVanishedPeers()
        try set(.connectTimeout, to: 3_000)
        if host.contains(":") { try set(.ipv6, to: 1) }
        if let membership = endpoint.membership { try protect(for: membership) }
    }

    /// Connects anew to a broker that has changed its key.
    package func connectAnew(
        to address: String,
        for membership: Membership
    ) throws(ZeroMQError) {
        try disconnect(address)
        try protect(for: membership)
        try connect(address)
    }

    private func protect(for membership: Membership) throws(ZeroMQError) {
        try protect(
            with: .client(
                server: membership.server.bytes,
                public: membership.keys.public.bytes,
                secret: membership.keys.secret.bytes
            )
        )
    }
}
