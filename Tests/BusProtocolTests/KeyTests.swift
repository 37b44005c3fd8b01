import Foundation
import Testing

@testable import BusProtocol

@Suite struct KeyTests {
    private func key(_ byte: UInt8) throws -> BusKey {
        try #require(BusKey([UInt8](repeating: byte, count: 32)))
    }

    @Test func theTextOfAKeyIsReadBack() throws {
        let key = try #require(BusKey((0..<32).map { UInt8($0) }))
        #expect(key.text == "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
        #expect(BusKey(text: key.text) == key)
        #expect(key.label == "00010203")
    }

    @Test(arguments: [
        "", "00", String(repeating: "0", count: 64), String(repeating: "+1", count: 32),
    ])
    func whatIsNoKeyIsNotRead(text: String) {
        #expect(BusKey(text: text) == nil)
    }

    @Test func aKeyIsNeverPrinted() throws {
        let secret = try key(0xab)
        let pair = BusKeyPair(public: try key(0xcd), secret: secret)
        let invitation = Invitation(bus: "b", address: "tcp://h:70", server: secret, secret: secret)
        var dumped = ""
        dump(pair, to: &dumped)
        dump(invitation, to: &dumped)
        for text in ["\(secret)", "\(pair)", "\(invitation)", String(reflecting: pair), dumped] {
            #expect(!text.contains("abab") && !text.contains("171"), "\(text)")
        }
    }

    // MARK: Invitations

    @Test func anInvitationIsReadBackWithBlanksAroundIt() throws {
        let invitation = Invitation(
            bus: "team",
            address: "tcp://render.example:7700",
            server: try key(1),
            secret: try key(2)
        )
        #expect(invitation.text.hasPrefix("pbi1-"))
        #expect(invitation.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f })
        #expect(try Invitation(parsing: " \(invitation.text)\r\n") == invitation)
    }

    @Test func everyDamageToAnInvitationIsFound() throws {
        let text = Invitation(
            bus: "team",
            address: "tcp://h:70",
            server: try key(1),
            secret: try key(2)
        ).text
        for length in 0..<text.count {
            #expect(throws: EndpointError.self) {
                try Invitation(parsing: String(text.prefix(length)))
            }
        }
        // The last letter has bits that belong to no byte; every other one counts.
        for index in text.indices.dropLast() {
            var other = text
            other.replaceSubrange(index...index, with: text[index] == "A" ? "B" : "A")
            #expect(throws: EndpointError.self) { try Invitation(parsing: other) }
        }
        #expect(throws: EndpointError.self) { try Invitation(parsing: text + " " + text) }
    }

    // MARK: Files

    private func withDirectory(_ body: ([String: String]) throws -> Void) throws {
        let path = NSTemporaryDirectory() + "pb-keys-\(UInt32.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(["XDG_CONFIG_HOME": path])
    }

    private func membership(in file: NamedBus) throws -> Membership {
        Membership(
            file: file,
            address: "tcp://127.0.0.1:7700",
            server: try key(1),
            keys: BusKeyPair(public: try key(2), secret: try key(3)),
            name: "anna@laptop",
            role: .viewer
        )
    }

    @Test func aNameIsTheEndpointOfTheBusThatWasJoined() throws {
        try withDirectory { environment in
            let file = NamedBus("team", environment: environment)
            try file.write(try membership(in: file))
            let (endpoint, _) = try BusEndpoint.resolve(explicit: "team", environment: environment)
            #expect(endpoint.membership == (try membership(in: file)))
            #expect(endpoint.reportsAddress == "tcp://127.0.0.1:7702")
            #expect("\(endpoint)" == "team")
            #expect(NamedBus.all(environment: environment) == ["team"])
            let missing = #expect(throws: EndpointError.self) {
                try BusEndpoint.resolve(explicit: "other", environment: environment)
            }
            #expect(missing?.sentence.contains("progressbus join") == true)
        }
    }

    @Test func writingTheFileOfOneBusLeavesThoseOfOthers() throws {
        try withDirectory { environment in
            let names = ["team", "team.new"]
            for name in names.reversed() {
                let file = NamedBus(name, environment: environment)
                try file.write(try membership(in: file))
            }
            #expect(NamedBus.all(environment: environment) == names)
            let other = NamedBus("team.new", environment: environment)
            #expect(try other.read() == (try membership(in: other)))
        }
    }

    @Test func theFileIsClosedToOthersAndNotReadWhereItIsNot() throws {
        try withDirectory { environment in
            let file = NamedBus("team", environment: environment)
            try file.write(try membership(in: file))
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[
                .posixPermissions
            ]
            #expect(mode as? Int == 0o600)
            chmod(file.path, 0o640)
            #expect(throws: EndpointError.self) { try file.read() }
            chmod(file.path, 0o600)
            _ = try file.read()
            let link = NamedBus("link", environment: environment)
            symlink(file.path, link.path)
            #expect(throws: EndpointError.self) { try link.read() }
            try Data("address tcp://127.0.0.1:70\n".utf8).write(to: URL(filePath: file.path))
            #expect(throws: EndpointError.self) { try file.read() }
        }
    }

    @Test func theFileIsChangedInPartAndOnlyWhereThereIsAChange() throws {
        try withDirectory { environment in
            let file = NamedBus("team", environment: environment)
            #expect(throws: EndpointError.self) { try file.change { $0.name = "anna" } }
            try file.write(try membership(in: file))
            let (next, own) = (try key(7), try key(8))
            try file.change { $0.nextServer = next }
            try file.change { $0.keys = BusKeyPair(public: own, secret: own) }
            var expected = try membership(in: file)
            #expect(try file.read() != expected)
            expected.nextServer = next
            expected.keys = BusKeyPair(public: own, secret: own)
            #expect(try file.read() == expected)
            func inode() throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: file.path)[.systemFileNumber]
                    as? Int
            }
            let former = try inode()
            try file.change { $0.nextServer = next }
            #expect(try inode() == former)
        }
    }

    @Test func aNewKeyInTheFileIsFound() throws {
        try withDirectory { environment in
            let file = NamedBus("team", environment: environment)
            try file.write(try membership(in: file))
            let (endpoint, _) = try BusEndpoint.resolve(explicit: "team", environment: environment)
            var renewed = try membership(in: file)
            renewed.name = "anna@tower"
            try file.write(renewed)
            #expect(endpoint.current()?.membership?.name == "anna@tower")
            #expect(try BusEndpoint(parsing: "tcp://127.0.0.1:70").current() == nil)
        }
    }
}
