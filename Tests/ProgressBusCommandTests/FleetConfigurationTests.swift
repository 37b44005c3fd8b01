import BusProtocol
import Foundation
import Testing

@testable import ProgressBusCommand

/// The user's file that says which fleet brokers join.
struct FleetConfigurationTests {
    @Test func `lines of options: arguments of the bridge`() throws {
        let configuration = try FleetConfiguration(
            parsing: """
                # The fleet of the render farm.
                join  tls://a:4222,tls://b:4222\u{20}

                bus farm
                credentials /etc/my farm.creds
                endpoint ipc:///run/bus
                """,
            path: "/nowhere/fleet"
        )
        let arguments = [
            "--join", "tls://a:4222,tls://b:4222", "--bus", "farm", "--credentials",
            "/etc/my farm.creds",
        ]
        #expect(try configuration.arguments(for: .init(parsing: "ipc:///run/bus")) == arguments)
        #expect(try configuration.arguments(for: .init(parsing: "ipc:///run/other")) == nil)
    }

    @Test func `no endpoint: the broker of the user's default one joins`() throws {
        let configuration = try FleetConfiguration(
            parsing: "join nats://127.0.0.1:4222",
            path: "/nowhere/fleet"
        )
        let (usual, _) = try BusEndpoint.resolve(explicit: nil, environment: [:])
        #expect(
            try configuration.arguments(for: usual) == ["--join", "nats://127.0.0.1:4222"]
        )
        #expect(try configuration.arguments(for: .init(parsing: "ipc:///run/bus")) == nil)
    }

    @Test(arguments: [
        ("", "join"), ("bus farm", "join"), ("join a\nserver b", "line 2: there is no server"),
        ("join", "line 1: join has no value"), ("join a\njoin b", "line 2: join is there twice"),
        ("join a\n\ncredentials farm.creds", "line 3: credentials must be a path"),
        ("join a\ncredentials /a\n-----BEGIN X-----", "line 3: credentials is there twice"),
        ("join a\n-----BEGIN X-----\nq", "its last block has no line -----END"),
        ("join a\n-----BEGIN X-----\nq\n-----END X-----", "which has a key, cannot be used"),
    ])
    func `a file that cannot be followed: the line and what is wrong`(text: String, why: String) {
        let error = #expect(throws: FleetConfiguration.Wrong.self) {
            _ = try FleetConfiguration(parsing: text, path: "/nowhere/fleet")
        }
        #expect(error?.sentence.contains(why) == true)
    }

    @Test func `a file of the host's own: it counts there, the common one elsewhere`() throws {
        let directory = NSTemporaryDirectory() + "progressbus-fleet-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let folder = directory + "/progressbus"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        try "join nats://127.0.0.1:4222".write(
            toFile: folder + "/fleet.render-1",
            atomically: true,
            encoding: .utf8
        )
        func path(on host: String) -> String {
            FleetConfiguration.path(environment: ["XDG_CONFIG_HOME": directory], host: host)
        }
        #expect(path(on: "render-1") == folder + "/fleet.render-1")
        #expect(path(on: "render-2") == folder + "/fleet")
    }
}
