import BusProtocol
import Foundation
import TestSupport
import Testing

/// `Protocol/vectors/invitations` and the code say the same.
///
/// With PROGRESSBUS_RECORD=1 the files are written anew.
@Suite struct InvitationVectorTests {
    private struct Vector: Codable {
        var name: String
        var about: String
        var token: String
        var bus: String?
        var address: String?
        var server: String?
        var secret: String?
        var error: String?
    }

    private static let folder = ProtocolFolder.url.appending(path: "vectors/invitations")

    private static func vectors() throws -> [Vector] {
        let server = try #require(BusKey((1...32).map { UInt8($0) }))
        let secret = try #require(BusKey((101...132).map { UInt8($0) }))
        func whole(_ name: String, _ about: String, _ bus: String, _ address: String) -> Vector {
            let invitation = Invitation(bus: bus, address: address, server: server, secret: secret)
            return Vector(
                name: name,
                about: about,
                token: invitation.text,
                bus: bus,
                address: address,
                server: server.text,
                secret: secret.text
            )
        }
        let team = whole(
            "invitation-team",
            "A bus at a name.",
            "team",
            "tcp://render.example:7700"
        )
        func damaged(_ name: String, _ about: String, _ token: String) -> Vector {
            Vector(name: name, about: about, token: token, error: "damaged")
        }
        return [
            team,
            whole(
                "invitation-ipv6",
                "A bus at an address of IPv6.",
                "b.2",
                "tcp://[2001:db8::7]:70"
            ),
            damaged(
                "invitation-cut",
                "The last letters are missing.",
                String(team.token.dropLast(4))
            ),
            damaged(
                "invitation-letter",
                "One letter is another.",
                team.token.replacing("pbi1-AQ", with: "pbi1-BQ")
            ),
            damaged("invitation-version", "Of another version.", "pbi2" + team.token.dropFirst(4)),
            damaged(
                "invitation-ipc",
                "An address that is not tcp.",
                whole("", "", "team", "ipc:///tmp/bus").token
            ),
        ]
    }

    @Test func theFilesSayWhatTheCodeReads() throws {
        let vectors = try Self.vectors()
        if ProcessInfo.processInfo.environment["PROGRESSBUS_RECORD"] == "1" {
            try FileManager.default.createDirectory(
                at: Self.folder,
                withIntermediateDirectories: true
            )
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            for vector in vectors {
                let url = Self.folder.appending(path: vector.name + ".json")
                try (encoder.encode(vector) + Data("\n".utf8)).write(to: url)
            }
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(files) == Set(vectors.map { $0.name + ".json" }))
        for vector in vectors {
            let url = Self.folder.appending(path: vector.name + ".json")
            let file = try JSONDecoder().decode(Vector.self, from: Data(contentsOf: url))
            #expect(file.token == vector.token)
            let read = try? Invitation(parsing: file.token)
            #expect((read == nil) == (file.error != nil), "\(vector.name)")
            #expect(read?.bus == file.bus && read?.address == file.address)
            #expect(read?.server.text == file.server && read?.secret.text == file.secret)
        }
    }
}
