import BusProtocol
import Foundation
import ZeroMQ

/// A peer that speaks to the sockets of a broker without any of the product's manners.
///
/// Everything here blocks: call it through `onOwnThread`.
struct HostilePeer: Sendable {
    let endpoint: BusEndpoint

    init(_ endpoint: String) throws {
        self.endpoint = try BusEndpoint(parsing: endpoint)
    }

    /// Sends one message to control and returns the refusal that comes back, if one does in time.
    func ask(
        _ parts: [[UInt8]],
        patience milliseconds: Int = 5_000
    ) throws -> WireRefusal? {
        let context = try ZeroMQContext()
        let socket = try dealer(in: context)
        try send(parts, through: socket)
        let deadline = ContinuousClock.now + .milliseconds(milliseconds)
        while ContinuousClock.now < deadline {
            try wait(for: socket, milliseconds: 20)
            while let answer = try socket.receive() {
                if let refusal = refusal(in: answer) { return refusal }
            }
        }
        return nil
    }

    /// Sends many messages to control over one connection; returns the refusals that came back.
    func flood(control messages: [[[UInt8]]]) throws -> [WireRefusal] {
        let context = try ZeroMQContext()
        let socket = try dealer(in: context)
        var refusals: [WireRefusal] = []
        func drain() throws {
            while let answer = try socket.receive() {
                if let refusal = refusal(in: answer) { refusals.append(refusal) }
            }
        }
        for message in messages {
            try send(message, through: socket)
            try drain()
        }
        // What is on its way back comes within a moment, if it comes.
        for _ in 0..<10 {
            try wait(for: socket, milliseconds: 50)
            try drain()
        }
        return refusals
    }

    /// Sends messages to control over one connection; returns whether the awaited answer came.
    func say(
        _ messages: [[UInt8]],
        until isAwaited: (WireBrokerFrame.OneOf_Body) -> Bool
    ) throws -> Bool {
        let context = try ZeroMQContext()
        let socket = try dealer(in: context)
        for message in messages { try send([message], through: socket) }
        let deadline = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < deadline {
            try wait(for: socket, milliseconds: 20)
            while let bytes = try socket.receive()?.last {
                if let body = try? Frame.decodeBroker(bytes).body, isAwaited(body) { return true }
            }
        }
        return false
    }

    /// Sends many messages to reports once the broker has subscribed there.
    ///
    /// A publisher passes on only what begins with the subscribed bytes, so all of it does.
    func flood(reports messages: [[[UInt8]]]) throws {
        let context = try ZeroMQContext()
        let socket = try ZeroMQSocket(.xpub, in: context)
        try socket.set(.immediate, to: 1)
        try socket.set(.noDrop, to: 1)
        try socket.connect(endpoint.reportsAddress)
        try wait(for: socket, milliseconds: 10_000)
        guard try socket.receive()?.first?.first == 1 else {
            throw NeverHappened(what: "a subscription", patience: .seconds(10), last: "")
        }
        for message in messages { try send(message, through: socket) }
        // A closed socket drops what it has not written.
        for _ in 0..<20 { try wait(for: socket, milliseconds: 20) }
    }

    /// Subscribes to many topics and sends messages to where only subscriptions are expected.
    func flood(updates messages: [[[UInt8]]], topics: [[UInt8]]) throws {
        let context = try ZeroMQContext()
        let socket = try ZeroMQSocket(.xsub, in: context)
        try socket.set(.immediate, to: 1)
        try socket.connect(endpoint.updatesAddress)
        for topic in topics { try send([[1] + topic], through: socket) }
        for message in messages { try send(message, through: socket) }
        for topic in topics.dropLast(topics.count / 2) { try send([[0] + topic], through: socket) }
        for _ in 0..<20 {
            try wait(for: socket, milliseconds: 20)
            while try socket.receive() != nil {}
        }
    }

    /// Connects to every socket without ZeroMQ and writes bytes that are no greeting, or half one.
    func flood(streams chunks: [[UInt8]]) throws {
        let addresses = [endpoint.controlAddress, endpoint.reportsAddress, endpoint.updatesAddress]
        var open: [Int32] = []
        for (number, chunk) in chunks.enumerated() {
            let address = addresses[number % addresses.count]
            open.append(Self.write(chunk, toPath: String(address.dropFirst("ipc://".count))))
        }
        // Time for the broker to read; it may as well cut them off.
        var none: [PollItem] = []
        _ = try poll(&none, timeout: 300)
        for descriptor in open where descriptor >= 0 { close(descriptor) }
    }

    /// What a subscriber writes who wants a topic that no library would let him have.
    static func subscription(to topic: [UInt8]) -> [UInt8] {
        let body = [1] + topic
        let length = (0..<8).reversed().map { UInt8(truncatingIfNeeded: body.count >> ($0 * 8)) }
        return subscriber + [2] + length + body
    }

    /// What a subscriber writes before anything else.
    static var subscriber: [UInt8] {
        let name = Array("Socket-Type".utf8)
        let ready = [5] + Array("READY".utf8) + [UInt8(name.count)] + name + [0, 0, 0, 3]
        let command = ready + Array("SUB".utf8)
        return greeting + [4, UInt8(command.count)] + command
    }

    /// The greeting of ZMTP 3 with the mechanism NULL.
    static let greeting: [UInt8] =
        [0xFF, 0, 0, 0, 0, 0, 0, 0, 0, 0x7F, 3, 0] + Array("NULL".utf8)
        + Array(repeating: 0, count: 48)

    private func dealer(in context: ZeroMQContext) throws -> ZeroMQSocket {
        let socket = try ZeroMQSocket(.dealer, in: context)
        try socket.set(.immediate, to: 1)
        try socket.connect(endpoint.controlAddress)
        return socket
    }

    /// Sends as soon as the socket takes it; a broker that has cut the connection is no error.
    private func send(_ parts: [[UInt8]], through socket: borrowing ZeroMQSocket) throws {
        for _ in 0..<2_000 {
            if try socket.send(parts) { return }
            var none: [PollItem] = []
            _ = try poll(&none, timeout: 1)
        }
    }

    private func wait(for socket: borrowing ZeroMQSocket, milliseconds: Int) throws {
        var items = [socket.pollItem]
        _ = try poll(&items, timeout: milliseconds)
    }

    private func refusal(in message: [[UInt8]]) -> WireRefusal? {
        guard let bytes = message.last, let frame = try? Frame.decodeBroker(bytes),
            case .refusal(let refusal)? = frame.body
        else { return nil }
        return refusal
    }

    /// Returns the descriptor, still open, or -1.
    private static func write(_ bytes: [UInt8], toPath path: String) -> Int32 {
        let descriptor = connection(to: path)
        guard descriptor >= 0 else { return -1 }
        // Processes that other tests start meanwhile would keep the connection open.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        return descriptor
    }

    /// Connects to a socket without ZeroMQ; -1 if nobody takes it.
    static func connection(to path: String) -> Int32 {
        #if canImport(Darwin)
        let kind = SOCK_STREAM
        #else
        let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return -1 }
        var patience = timeval(tv_sec: 2, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            close(descriptor)
            return -1
        }
        return descriptor
    }
}
