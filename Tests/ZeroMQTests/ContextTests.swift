import Foundation
import Testing

@testable import ZeroMQ

@Suite struct ContextTests {
    @Test func `a context lives as long as its last socket`() throws {
        let directory = try SocketDirectory()
        var context: ZeroMQContext? = try ZeroMQContext()
        weak let observed = context
        do {
            let pair = try Pair(in: #require(context), at: directory.address("control"))
            context = nil
            #expect(observed != nil)
            #expect(try pair.dealer.send([[1]]))
            #expect(try nextMessage(of: pair.router) == [pair.route, [1]])
        }
        #expect(observed == nil)
    }

    @Test func `unsent messages do not hold up the end`() throws {
        let directory = try SocketDirectory()
        let begin = ContinuousClock.now
        do {
            let context = try ZeroMQContext()
            let dealer = try ZeroMQSocket(.dealer, in: context)
            try dealer.connect(directory.address("nobody"))
            #expect(try dealer.send([[1]]))
        }
        #expect(ContinuousClock.now - begin < .seconds(5))
    }

    @Test func `a socket too many is refused in words`() throws {
        let context = try ZeroMQContext(maxSockets: 1)
        let first = try ZeroMQSocket(.dealer, in: context)
        let error = #expect(throws: ZeroMQError.self) {
            _ = try ZeroMQSocket(.dealer, in: context)
        }
        #expect(error?.code == ZeroMQError.tooManyOpenFiles)
        #expect(error?.description.contains("ulimit -n") == true)
        first.close()
    }

    @Test func `shutdown ends sending and receiving, and again is harmless`() throws {
        let directory = try SocketDirectory()
        let context = try ZeroMQContext()
        let pair = try Pair(in: context, at: directory.address("control"))
        context.shutdown()
        context.shutdown()
        // libzmq looks for the news about once a millisecond, and until then a full queue says false.
        let sending = #expect(throws: ZeroMQError.self) {
            var none: [PollItem] = []
            for _ in 0..<patience {
                _ = try pair.dealer.send([[1]])
                _ = try poll(&none, timeout: 1)
            }
        }
        #expect(sending?.code == ZeroMQError.contextTerminated)
        let receiving = #expect(throws: ZeroMQError.self) {
            while try nextMessage(of: pair.router) != nil {}
        }
        #expect(receiving?.code == ZeroMQError.contextTerminated)
    }

    @Test(
        arguments: [
            ("ipc:///nowhere/at/all/control", ZeroMQError.noSuchFile, "create the directory"),
            ("nonsense", ZeroMQError.invalidArgument, "ipc:///directory/socket"),
            ("fax://1234", ZeroMQError.protocolNotSupported, "ipc:///directory/socket"),
            (
                "ipc:///tmp/" + String(repeating: "x", count: 200), ZeroMQError.nameTooLong,
                "shorter path"
            ),
        ] as [(String, Int32, String)]
    )
    func `a bad address is refused with the address and what to do`(
        address: String,
        code: Int32,
        advice: String
    ) throws {
        let socket = try ZeroMQSocket(.router, in: ZeroMQContext())
        let error = try #require(throws: ZeroMQError.self) { try socket.bind(address) }
        #expect(error.code == code)
        #expect(error.description.hasPrefix("zmq_bind (\(address)) failed: "))
        #expect(error.description.contains(advice))
    }

    @Test func `a tcp address in use is refused`() throws {
        let context = try ZeroMQContext()
        let first = try ZeroMQSocket(.router, in: context)
        try first.bind("tcp://127.0.0.1:*")
        let address = try first.lastEndpoint()
        #expect(address.hasPrefix("tcp://127.0.0.1:"))
        let second = try ZeroMQSocket(.router, in: context)
        let error = #expect(throws: ZeroMQError.self) { try second.bind(address) }
        #expect(error?.code == ZeroMQError.addressInUse)
    }

    @Test func `the version is the running library's`() {
        let numbers = ZeroMQVersion.text.split(separator: ".").compactMap { Int($0) }
        #expect(numbers.count == 3)
        #expect(numbers.first == 4)
    }
}
