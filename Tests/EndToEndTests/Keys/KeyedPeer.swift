import BusProtocol
import Foundation
import Testing
import ZeroMQ

/// A peer that knocks at the sockets of a broker with whatever keys it has.
///
/// Everything here blocks: call it through `onOwnThread`.
struct KeyedPeer: Sendable {
    let endpoint: BusEndpoint
    /// `nil` for somebody who speaks without CURVE.
    var keys: BusKeyPair?
    var server: BusKey

    /// With the keys of a member.
    init(_ endpoint: BusEndpoint, _ membership: Membership) {
        self.endpoint = endpoint
        keys = membership.keys
        server = membership.server
    }

    static func newKeys() throws -> BusKeyPair {
        let pair = try #require(SocketKeys.newPair())
        return BusKeyPair(
            public: try #require(BusKey(pair.public)),
            secret: try #require(BusKey(pair.secret))
        )
    }

    static func publicKey(of secret: BusKey) throws -> BusKey {
        try #require(SocketKeys.publicKey(of: secret.bytes).flatMap { BusKey($0) })
    }

    private func socket(_ kind: SocketKind, in context: ZeroMQContext) throws -> ZeroMQSocket {
        let socket = try ZeroMQSocket(kind, in: context)
        try socket.set(.reconnectInterval, to: 50)
        if let keys {
            try socket.protect(
                with: .client(
                    server: server.bytes,
                    public: keys.public.bytes,
                    secret: keys.secret.bytes
                )
            )
        }
        return socket
    }

    /// Says something over control and returns all that comes back in this time.
    func ask(_ frame: WireClientFrame, within milliseconds: Int = 1_000) throws -> [WireBrokerFrame]
    {
        let context = try ZeroMQContext()
        let control = try socket(.dealer, in: context)
        try control.set(.immediate, to: 1)
        try control.connect(endpoint.controlAddress)
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        var answers: [WireBrokerFrame] = []
        var isSent = false
        var items = [control.pollItem]
        while ContinuousClock.now < end {
            if !isSent { isSent = try control.send([Frame.encode(frame)]) }
            _ = try poll(&items, timeout: 10)
            while let parts = try control.receive() {
                answers.append(try Frame.decodeBroker(parts[0]))
            }
        }
        return answers
    }

    /// Subscribes to everything and returns how many messages come in this time.
    func listen(within milliseconds: Int = 1_000) throws -> Int {
        let context = try ZeroMQContext()
        let updates = try socket(.sub, in: context)
        try updates.subscribe([])
        try updates.connect(endpoint.updatesAddress)
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        var count = 0
        var items = [updates.pollItem]
        while ContinuousClock.now < end {
            _ = try poll(&items, timeout: 10)
            while try updates.receive() != nil { count += 1 }
        }
        return count
    }

    /// Reports; whether the broker let it connect at all.
    func report(_ report: WireReport, within milliseconds: Int = 1_000) throws -> Bool {
        let context = try ZeroMQContext()
        let reports = try socket(.xpub, in: context)
        try reports.set(.immediate, to: 1)
        try reports.connect(endpoint.reportsAddress)
        var items = [reports.pollItem]
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        var isHeard = false
        while ContinuousClock.now < end {
            _ = try poll(&items, timeout: 10)
            if try reports.receive()?.first?.first == 1 { isHeard = true }
            if isHeard { _ = try reports.send([Frame.encode(report)]) }
        }
        return isHeard
    }

    /// Begins as many handshakes as it can, each with keys that nobody knows; returns how many.
    func knock(forMilliseconds milliseconds: Int) throws -> Int {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        var count = 0
        while ContinuousClock.now < end {
            let context = try ZeroMQContext()
            var peer = self
            for _ in 0..<50 {
                peer.keys = try Self.newKeys()
                let control = try peer.socket(.dealer, in: context)
                try control.connect(endpoint.controlAddress)
                var items = [control.pollItem]
                _ = try poll(&items, timeout: 1)
                count += 1
            }
        }
        return count
    }

    /// Opens connections that say nothing, or the first bytes of a greeting; returns how many are
    /// still open after this time.
    func loiter(connections: Int, seconds: Double) throws -> Int {
        let address = endpoint.controlAddress.split(separator: ":")
        let port = UInt16(address.last ?? "") ?? 0
        var open: [Int32] = []
        for number in 0..<connections {
            let descriptor = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var target = sockaddr_in()
            target.sin_family = sa_family_t(AF_INET)
            target.sin_port = port.bigEndian
            target.sin_addr.s_addr = inet_addr("127.0.0.1")
            let isConnected = withUnsafePointer(to: &target) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            guard isConnected else {
                close(descriptor)
                continue
            }
            if number % 2 == 0 { _ = write(descriptor, HostilePeer.greeting, 11) }
            open.append(descriptor)
        }
        var none: [PollItem] = []
        _ = try poll(&none, timeout: Int(seconds * 1_000))
        defer { for descriptor in open { close(descriptor) } }
        return open.filter { descriptor in
            var byte: UInt8 = 0
            while recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT)) == 1 {}
            return recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT)) < 0 && errno == EAGAIN
        }.count
    }
}
