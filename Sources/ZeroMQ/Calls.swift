import CZeroMQ

/// Every call into libzmq: no other file of the package makes one.
///
/// Here -1 becomes a thrown error, a call interrupted by a signal is made again, and memory of
/// libzmq becomes Swift's. No policy: what an error means is for the callers to decide.
enum Calls {
    typealias Handle = UnsafeMutableRawPointer

    // MARK: Contexts

    static func newContext() throws(ZeroMQError) -> Handle {
        guard let context = zmq_ctx_new() else {
            throw ZeroMQError(code: zmq_errno(), call: "zmq_ctx_new")
        }
        return context
    }

    static func set(
        _ option: Int32,
        to value: Int32,
        in context: Handle
    ) throws(ZeroMQError) {
        try repeated("zmq_ctx_set") { zmq_ctx_set(context, option, value) }
    }

    static func shutDown(_ context: Handle) {
        // Its only error is a handle that is no context.
        _ = zmq_ctx_shutdown(context)
    }

    static func terminate(_ context: Handle) {
        // A signal interrupts the wait for the I/O threads; the manual says to call again.
        while zmq_ctx_term(context) == -1, zmq_errno() == ZeroMQError.interrupted {}
    }

    // MARK: Sockets

    static func newSocket(_ kind: SocketKind, in context: Handle) throws(ZeroMQError) -> Handle {
        while true {
            if let socket = zmq_socket(context, kind.rawValue) {
                return socket
            }
            let code = zmq_errno()
            guard code == ZeroMQError.interrupted else {
                throw ZeroMQError(code: code, call: "zmq_socket")
            }
        }
    }

    static func close(_ socket: Handle) {
        // Its only error is a handle that is no socket.
        _ = zmq_close(socket)
    }

    /// The value has the option's width.
    static func set(
        _ option: SocketOption,
        to value: Int32,
        of socket: Handle
    ) throws(ZeroMQError) {
        try repeated("zmq_setsockopt", about: option.name) {
            if option.isWide {
                var wide = Int64(value)
                return zmq_setsockopt(socket, option.code, &wide, MemoryLayout<Int64>.size)
            }
            var narrow = value
            return zmq_setsockopt(socket, option.code, &narrow, MemoryLayout<Int32>.size)
        }
    }

    static func set(
        _ option: BytesOption,
        to value: [UInt8],
        of socket: Handle
    ) throws(ZeroMQError) {
        try repeated("zmq_setsockopt", about: option.name) {
            zmq_setsockopt(socket, option.code, value, value.count)
        }
    }

    static func subscribe(_ socket: Handle, to prefix: [UInt8]) throws(ZeroMQError) {
        try repeated("zmq_setsockopt", about: "ZMQ_SUBSCRIBE") {
            zmq_setsockopt(socket, ZMQ_SUBSCRIBE, prefix, prefix.count)
        }
    }

    static func unsubscribe(_ socket: Handle, from prefix: [UInt8]) throws(ZeroMQError) {
        try repeated("zmq_setsockopt", about: "ZMQ_UNSUBSCRIBE") {
            zmq_setsockopt(socket, ZMQ_UNSUBSCRIBE, prefix, prefix.count)
        }
    }

    static func bind(_ socket: Handle, to address: String) throws(ZeroMQError) {
        try repeated("zmq_bind", about: address) { zmq_bind(socket, address) }
    }

    static func connect(_ socket: Handle, to address: String) throws(ZeroMQError) {
        try repeated("zmq_connect", about: address) { zmq_connect(socket, address) }
    }

    static func disconnect(_ socket: Handle, from address: String) throws(ZeroMQError) {
        try repeated("zmq_disconnect", about: address) { zmq_disconnect(socket, address) }
    }

    static func announce(
        _ events: Int32,
        of socket: Handle,
        at address: String
    ) throws(ZeroMQError) {
        try repeated("zmq_socket_monitor", about: address) {
            zmq_socket_monitor(socket, address, events)
        }
    }

    static func lastEndpoint(of socket: Handle) throws(ZeroMQError) -> String {
        var buffer = [UInt8](repeating: 0, count: 1024)
        var size = buffer.count
        try repeated("zmq_getsockopt", about: "ZMQ_LAST_ENDPOINT") {
            zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, &buffer, &size)
        }
        return String(decoding: buffer.prefix(while: { $0 != 0 }), as: UTF8.self)
    }

    // MARK: Messages

    /// Hands one part to libzmq, which copies it; false where it cannot take it now.
    static func send(
        _ part: [UInt8],
        more: Bool,
        through socket: Handle
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

    /// One part of a message as it came in.
    struct Part {
        /// Empty where the caller asked for the bytes to be dropped.
        var bytes: [UInt8]
        /// Whether the same message has another part.
        var more: Bool
        /// The transport address of the sender, where asked for and known.
        var peerAddress: String?
        /// Its connection, as far as that is known with the address.
        var descriptor: Int32?
        /// The user that the handler of keys has named, where asked for and known.
        var user: String?
    }

    /// Takes one part; nil where there is none.
    ///
    /// Without `isKept` the bytes are dropped.
    static func receive(
        from socket: Handle,
        isKept: Bool,
        wanted: SenderFacts
    ) throws(ZeroMQError) -> Part? {
        var storage = zmq_msg_t()
        // The manual forbids to move a message while it is in use, so that all happens in place.
        return try withUnsafeMutablePointer(to: &storage) { message throws(ZeroMQError) -> Part? in
            _ = zmq_msg_init(message)
            defer { _ = zmq_msg_close(message) }
            while zmq_msg_recv(message, socket, ZMQ_DONTWAIT) == -1 {
                let code = zmq_errno()
                switch code {
                case ZeroMQError.interrupted: continue
                case ZeroMQError.again: return nil
                default: throw ZeroMQError(code: code, call: "zmq_msg_recv")
                }
            }
            var part = Part(bytes: [], more: zmq_msg_more(message) != 0, peerAddress: nil)
            if isKept {
                part.bytes = Array(
                    UnsafeRawBufferPointer(
                        start: zmq_msg_data(message),
                        count: zmq_msg_size(message)
                    )
                )
            }
            // Every part of a message knows it; asking costs as much as receiving.
            guard isKept, !part.more else { return part }
            if wanted.contains(.address), let address = zmq_msg_gets(message, "Peer-Address") {
                part.peerAddress = String(cString: address)
                if wanted.contains(.connection) {
                    let descriptor = zmq_msg_get(message, ZMQ_SRCFD)
                    if descriptor >= 0 { part.descriptor = descriptor }
                }
            }
            if wanted.contains(.user), let user = zmq_msg_gets(message, "User-Id") {
                part.user = String(cString: user)
            }
            return part
        }
    }

    // MARK: Keys

    /// A new key pair, each half 32 bytes; nil where this libzmq has no CURVE.
    static func newKeyPair() -> (public: [UInt8], secret: [UInt8])? {
        var publicText = [CChar](repeating: 0, count: 41)
        var secretText = publicText
        guard zmq_curve_keypair(&publicText, &secretText) == 0 else { return nil }
        return (bytes(ofZ85: publicText), bytes(ofZ85: secretText))
    }

    /// The public half of a secret key; nil where this libzmq has no CURVE.
    static func publicKey(of secret: [UInt8]) -> [UInt8]? {
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

    // MARK: Waiting

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

    // MARK: The library itself

    static func text(of code: Int32) -> String {
        guard let text = zmq_strerror(code) else { return "error \(code)" }
        return String(cString: text)
    }

    static func version() -> (major: Int32, minor: Int32, patch: Int32) {
        var version: (major: Int32, minor: Int32, patch: Int32) = (0, 0, 0)
        zmq_version(&version.major, &version.minor, &version.patch)
        return version
    }

    /// Makes a call again as long as signals interrupt it, and throws what else goes wrong.
    private static func repeated(
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
}
