import Foundation
import Testing

@testable import ZeroMQ

/// How long a test waits for what is bound to come; in milliseconds.
///
/// Only a failing test waits that long.
let patience = 10_000

/// A directory of one test, removed when the test is over.
final class SocketDirectory {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "pb-zmq-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func path(_ name: String) -> String {
        path + "/" + name
    }

    func address(_ name: String) -> String {
        "ipc://" + path(name)
    }
}

/// The next message, waited for; nil only after all patience.
func nextMessage(
    of socket: borrowing ZeroMQSocket,
    within milliseconds: Int = patience
) throws -> [[UInt8]]? {
    let clock = ContinuousClock()
    let deadline = clock.now + .milliseconds(milliseconds)
    while true {
        if let message = try socket.receive() { return message }
        let left = clock.now.duration(to: deadline) / .milliseconds(1)
        guard left > 0 else { return nil }
        var items = [socket.pollItem]
        _ = try poll(&items, timeout: Int(left) + 1)
    }
}

/// Sends as soon as the socket takes it; false only after all patience.
///
/// Nothing tells when a connection is there, so this looks again every millisecond.
func sendSoon(_ parts: [[UInt8]], through socket: borrowing ZeroMQSocket) throws -> Bool {
    var none: [PollItem] = []
    for _ in 0..<patience {
        if try socket.send(parts) { return true }
        _ = try poll(&none, timeout: 1)
    }
    return false
}

/// A router at an address and a dealer that it knows, with the dealer's route.
struct Pair: ~Copyable {
    let router: ZeroMQSocket
    let dealer: ZeroMQSocket
    let route: [UInt8]

    init(in context: ZeroMQContext, at address: String) throws {
        let router = try ZeroMQSocket(.router, in: context)
        try router.set(.mandatory, to: 1)
        try router.bind(address)
        let dealer = try ZeroMQSocket(.dealer, in: context)
        try dealer.connect(address)
        #expect(try dealer.send([Array("hello".utf8)]))
        let hello = try #require(try nextMessage(of: router))
        #expect(hello.count == 2)
        route = try #require(hello.first)
        self.router = router
        self.dealer = dealer
    }
}
