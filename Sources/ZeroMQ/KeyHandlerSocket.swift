/// The socket at which libzmq asks, for each handshake of a context, whether a key is let in: the
/// protocol ZAP 1.0, rfc.zeromq.org/spec/27.
///
/// To be bound before the sockets that it speaks for, and to be closed after them. Belongs to one
/// thread.
package struct KeyHandlerSocket: ~Copyable {
    /// A question.
    package struct Request {
        fileprivate let id: [UInt8]
        /// The name of the socket that asks.
        package let domain: String
        /// The address of the peer.
        package let address: String
        /// The public key of the peer; empty if it does not use CURVE.
        package let key: [UInt8]
    }

    private let socket: ZeroMQSocket

    package init(in context: ZeroMQContext) throws(ZeroMQError) {
        let socket = try ZeroMQSocket(.reply, in: context)
        try socket.bind("inproc://zeromq.zap.01")
        self.socket = socket
    }

    package var pollItem: PollItem { socket.pollItem }

    /// Takes the next question; nil if there is none.
    ///
    /// Another one comes only after this one was answered.
    package func receive() throws(ZeroMQError) -> Request? {
        while let parts = try socket.receive() {
            guard parts.count >= 6 else {
                _ = try socket.send([Array("1.0".utf8), [], Array("500".utf8), [], [], []])
                continue
            }
            let isCurve = parts[5] == Array("CURVE".utf8)
            return Request(
                id: parts[1],
                domain: String(decoding: parts[2], as: UTF8.self),
                address: String(decoding: parts[3], as: UTF8.self),
                key: isCurve && parts.count == 7 ? parts[6] : []
            )
        }
        return nil
    }

    /// Lets the peer in as this user, or refuses it if `user` is nil.
    ///
    /// Answers 200 or 400 only: libzmq 4.3.4 never ends a connection that was answered with 300.
    package func answer(_ request: Request, user: String?) throws(ZeroMQError) {
        _ = try socket.send([
            Array("1.0".utf8), request.id, Array((user == nil ? "400" : "200").utf8), [],
            Array((user ?? "").utf8), [],
        ])
    }
}
