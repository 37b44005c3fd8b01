import CZeroMQ

// Every call into libzmq: no other file of the package makes one.
//
// Here -1 becomes a thrown error, a call interrupted by a signal is made again, and memory of
// libzmq becomes Swift's. No policy: what an error means is for the callers to decide.

/// The I/O threads of libzmq and the sockets that share them.
///
/// Safe to use from any thread. Sockets keep their context alive; when the last reference goes,
/// the context terminates, which takes at most the longest linger time of its sockets (0 unless
/// one was set).
package final class ZeroMQContext: Sendable {
    // A libzmq context may be used from any thread ("zmq_ctx_new": thread safe), and the handle
    // never changes.
    nonisolated(unsafe) let handle: Calls.Handle

    /// Starts a context; `maxSockets` may be open at a time, by libzmq's own limit 1,023.
    ///
    /// Throws where the process has no room for another context: libzmq 4.3.4 would end it.
    package init(ioThreads: Int = 1, maxSockets: Int? = nil) throws(ZeroMQError) {
        try DescriptorLimit.requireRoom(for: 10 + 2 * max(1, ioThreads))
        guard let context = zmq_ctx_new() else {
            throw ZeroMQError(code: zmq_errno(), call: "zmq_ctx_new")
        }
        handle = context
        // From here on the object is whole: a throw runs deinit, which terminates the context.
        try repeated("zmq_ctx_set") {
            zmq_ctx_set(handle, ZMQ_IO_THREADS, Int32(clamping: ioThreads))
        }
        guard let maxSockets else { return }
        try repeated("zmq_ctx_set") {
            zmq_ctx_set(handle, ZMQ_MAX_SOCKETS, Int32(clamping: maxSockets))
        }
    }

    deinit {
        // A signal interrupts the wait for the I/O threads; the manual says to call again.
        while zmq_ctx_term(handle) == -1, zmq_errno() == ZeroMQError.interrupted {}
    }

    /// Makes every waiting and, within some milliseconds, every later call on the sockets throw
    /// `contextTerminated`.
    ///
    /// Closing is still left to the sockets' owners. Calling it again does nothing.
    package func shutdown() {
        // Its only error is a handle that is no context.
        _ = zmq_ctx_shutdown(handle)
    }
}

/// The handle of a socket that does not linger, shared by the socket and its poll items.
///
/// A poll item that outlives its socket then throws `notASocket`, and names no memory that is gone.
///
/// Not thread-safe: belongs to the thread of its socket.
final class SocketHandle {
    private var socket: Calls.Handle?
    // libzmq waits for all sockets when a context terminates: hold on to it until closed.
    private let context: ZeroMQContext

    init(_ kind: SocketKind, in context: ZeroMQContext) throws(ZeroMQError) {
        self.context = context
        try repeated("zmq_socket") {
            socket = zmq_socket(context.handle, kind.rawValue)
            return socket == nil ? -1 : 0
        }
        // The default, for ever, makes a process without a broker hang at its end.
        var linger: Int32 = 0
        try repeated("zmq_setsockopt", about: SocketOption.linger.name) {
            zmq_setsockopt(socket, ZMQ_LINGER, &linger, MemoryLayout<Int32>.size)
        }
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
        // Its only error is a handle that is no socket.
        _ = zmq_close(socket)
    }
}

extension ZeroMQSocket {
    /// Sets a number; most options take effect only for later binds and connects.
    package func set(_ option: SocketOption, to value: Int32) throws(ZeroMQError) {
        let socket = try handle.open()
        try repeated("zmq_setsockopt", about: option.name) {
            if option.isWide {
                var wide = Int64(value)
                return zmq_setsockopt(socket, option.code, &wide, MemoryLayout<Int64>.size)
            }
            var narrow = value
            return zmq_setsockopt(socket, option.code, &narrow, MemoryLayout<Int32>.size)
        }
    }

    func set(_ option: SocketOption, to value: [UInt8]) throws(ZeroMQError) {
        let socket = try handle.open()
        try repeated("zmq_setsockopt", about: option.name) {
            zmq_setsockopt(socket, option.code, value, value.count)
        }
    }

    /// Listens at an address, `ipc:///path` or `tcp://host:port`.
    ///
    /// A second bind at the path of a living ipc listener succeeds and takes the path away from it:
    /// guard the path with a lock.
    package func bind(_ address: String) throws(ZeroMQError) {
        let socket = try handle.open()
        try repeated("zmq_bind", about: address) { zmq_bind(socket, address) }
    }

    /// Connects to an address, now or as soon as somebody listens there.
    package func connect(_ address: String) throws(ZeroMQError) {
        let socket = try handle.open()
        try repeated("zmq_connect", about: address) { zmq_connect(socket, address) }
    }

    /// Ends the connection to an address, and does not try to make it any more.
    package func disconnect(_ address: String) throws(ZeroMQError) {
        let socket = try handle.open()
        try repeated("zmq_disconnect", about: address) { zmq_disconnect(socket, address) }
    }

    /// Tells a pair socket of the same context about these events of its connections from now on.
    ///
    /// The pair must be connected to the address, `inproc://name`, before the first event, and stay
    /// until this socket is closed: libzmq's own thread waits while nobody takes its events.
    package func announce(_ events: ConnectionEvent, at address: String) throws(ZeroMQError) {
        let socket = try handle.open()
        try repeated("zmq_socket_monitor", about: address) {
            zmq_socket_monitor(socket, address, Int32(events.rawValue))
        }
    }

    /// The address last bound or connected to, with the port that `tcp://host:*` was given.
    package func lastEndpoint() throws(ZeroMQError) -> String {
        let socket = try handle.open()
        var buffer = [UInt8](repeating: 0, count: 1024)
        var size = buffer.count
        try repeated("zmq_getsockopt", about: "ZMQ_LAST_ENDPOINT") {
            zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, &buffer, &size)
        }
        return String(decoding: buffer.prefix(while: { $0 != 0 }), as: UTF8.self)
    }

    /// Hands one part to libzmq, which copies it; false where it cannot take it now.
    static func send(
        _ part: [UInt8],
        more: Bool,
        through socket: Calls.Handle
    ) throws(ZeroMQError) -> Bool {
        let flags = more ? ZMQ_DONTWAIT | ZMQ_SNDMORE : ZMQ_DONTWAIT
        while true {
            if zmq_send(socket, part, part.count, flags) != -1 {
                return true
            }
            let code = zmq_errno()
            switch code {
            case ZeroMQError.interrupted: continue
            case ZeroMQError.again: return false
            default: throw ZeroMQError(code: code, call: "zmq_send")
            }
        }
    }

    /// Receives one part into the message, or drops it beyond `maximumParts`.
    ///
    /// Returns whether another part follows; nil if there was none to receive.
    static func receive(
        from socket: Calls.Handle,
        into message: inout ReceivedMessage,
        withSender wanted: SenderFacts
    ) throws(ZeroMQError) -> Bool? {
        var storage = zmq_msg_t()
        // The manual forbids moving a message while it is in use, so everything happens in place.
        return try withUnsafeMutablePointer(to: &storage) { part throws(ZeroMQError) -> Bool? in
            _ = zmq_msg_init(part)
            defer { _ = zmq_msg_close(part) }
            while zmq_msg_recv(part, socket, ZMQ_DONTWAIT) == -1 {
                let code = zmq_errno()
                switch code {
                case ZeroMQError.interrupted: continue
                case ZeroMQError.again: return nil
                default: throw ZeroMQError(code: code, call: "zmq_msg_recv")
                }
            }
            let isMore = zmq_msg_more(part) != 0
            guard message.parts.count < maximumParts else { return isMore }
            let bytes = UnsafeRawBufferPointer(start: zmq_msg_data(part), count: zmq_msg_size(part))
            message.parts.append(Array(bytes))
            // Every part names the sender, but asking costs as much as receiving: ask the last part
            // only.
            guard !isMore else { return true }
            if wanted.contains(.address), let text = zmq_msg_gets(part, "Peer-Address") {
                let address = String(cString: text)
                message.peerAddress = address
                let descriptor = wanted.contains(.connection) ? zmq_msg_get(part, ZMQ_SRCFD) : -1
                if descriptor >= 0 {
                    message.connection = PeerConnection(descriptor: descriptor, address: address)
                }
            }
            if wanted.contains(.user), let user = zmq_msg_gets(part, "User-Id") {
                message.user = String(cString: user)
            }
            return false
        }
    }
}

extension SocketKeys {
    /// A new key pair, each half 32 bytes; nil where this libzmq has no CURVE.
    package static func newPair() -> (public: [UInt8], secret: [UInt8])? {
        var publicText = [CChar](repeating: 0, count: 41)
        var secretText = publicText
        guard zmq_curve_keypair(&publicText, &secretText) == 0 else { return nil }
        return (bytes(ofZ85: publicText), bytes(ofZ85: secretText))
    }

    /// The public half of a secret key; nil where this libzmq has no CURVE.
    package static func publicKey(of secret: [UInt8]) -> [UInt8]? {
        var secretText = [CChar](repeating: 0, count: 41)
        var publicText = secretText
        guard secret.count == 32, zmq_z85_encode(&secretText, secret, 32) != nil,
            zmq_curve_public(&publicText, secretText) == 0
        else { return nil }
        return bytes(ofZ85: publicText)
    }

    private static func bytes(ofZ85 text: [CChar]) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 32)
        _ = zmq_z85_decode(&bytes, text)
        return bytes
    }
}

enum Calls {
    typealias Handle = UnsafeMutableRawPointer

    /// Waits once and returns how many items have something; 0 also when a signal came first.
    static func waitForEvents(
        _ items: UnsafeMutableBufferPointer<zmq_pollitem_t>,
        milliseconds: Int
    ) throws(ZeroMQError) -> Int {
        let ready = zmq_poll(items.baseAddress, Int32(items.count), milliseconds)
        guard ready == -1 else { return Int(ready) }
        let code = zmq_errno()
        guard code == ZeroMQError.interrupted else {
            throw ZeroMQError(code: code, call: "zmq_poll")
        }
        return 0
    }

    static func text(of code: Int32) -> String {
        guard let text = zmq_strerror(code) else { return "error \(code)" }
        return String(cString: text)
    }
}

/// The libzmq that this process runs with.
package enum ZeroMQVersion {
    /// Its version, for instance "4.3.4"; the running library's, not the header's.
    package static var text: String {
        var version: (major: Int32, minor: Int32, patch: Int32) = (0, 0, 0)
        zmq_version(&version.major, &version.minor, &version.patch)
        return "\(version.major).\(version.minor).\(version.patch)"
    }
}

/// Makes a call again as long as signals interrupt it, and throws what else goes wrong.
private func repeated(
    _ call: StaticString,
    about subject: String? = nil,
    _ body: () -> Int32
) throws(ZeroMQError) {
    while body() == -1 {
        let code = zmq_errno()
        guard code == ZeroMQError.interrupted else {
            throw ZeroMQError(code: code, call: "\(call)", subject: subject)
        }
    }
}
