/// The handle of a socket, shared by the socket and its poll items so that none of them dangles.
///
/// Not thread-safe: belongs to the thread of its socket.
final class SocketHandle {
    private var socket: Calls.Handle?
    // libzmq waits for all sockets when a context terminates: hold on to it until closed.
    private let context: ZeroMQContext

    init(_ socket: Calls.Handle, in context: ZeroMQContext) {
        self.socket = socket
        self.context = context
    }

    deinit {
        close()
    }

    /// The handle for a call; throws `notASocket` after the socket was closed.
    func open() throws(ZeroMQError) -> Calls.Handle {
        guard let socket else {
            throw ZeroMQError(code: ZeroMQError.notASocket, call: "use of a closed socket")
        }
        return socket
    }

    func close() {
        guard let socket else { return }
        self.socket = nil
        Calls.close(socket)
    }
}
