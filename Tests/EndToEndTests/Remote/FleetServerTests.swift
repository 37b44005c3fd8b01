import Foundation
import Testing

/// A fleet on a server of its own, which `progressbus bus` sets up and runs.
@Suite("A fleet's own server", .serialized, .transcript, .timeLimit(.minutes(5)))
struct FleetServerTests {
    private static var isPossible: Bool {
        Programs.isInstalled("nats-server") && Programs.isInstalled("openssl")
    }

    private struct Servers {
        let home: TemporaryBus

        /// Runs `progressbus bus`, which exits with this code, and returns what it prints.
        @discardableResult
        func bus(_ arguments: String..., exits code: Int32 = 0) async throws -> String {
            let child = try home.start("bus", arguments, adding: Self.variables(home))
            let end = try await child.finish(within: .seconds(30))
            #expect(end == .exited(code), "\(arguments): \(child.errorOutput)")
            return child.output
        }

        /// Adds a host, and puts its file where its broker looks.
        func add(_ host: TemporaryBus, as name: String) async throws {
            let text = try await bus("add", name) + "endpoint \(host.endpoint)\n"
            try FileManager.default.createDirectory(
                atPath: host.path("config/progressbus"),
                withIntermediateDirectories: true
            )
            _ = FileManager.default.createFile(
                atPath: Self.file(of: host),
                contents: Data(text.utf8),
                attributes: [.posixPermissions: 0o600]
            )
        }

        /// Begins a job on a host, and starts its broker for it.
        func begin(_ title: String, on host: TemporaryBus) async throws {
            let child = try host.start("begin", [title], adding: Self.variables(host))
            #expect(try await child.finish(within: .seconds(30)) == .exited(0))
        }

        static func file(of host: TemporaryBus) -> String { host.path("config/progressbus/fleet") }

        /// What a line of a host's file says.
        static func option(_ name: String, of host: TemporaryBus) throws -> String {
            let text = try String(contentsOfFile: file(of: host), encoding: .utf8)
            let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
            return String(try #require(line).dropFirst(name.count + 1))
        }

        static func variables(_ bus: TemporaryBus) -> [String: String] {
            ["XDG_CONFIG_HOME": bus.path("config")]
        }
    }

    private func withServers(
        _ body: (Servers, _ near: TemporaryBus, _ far: TemporaryBus) async throws -> Void
    ) async throws {
        try await withBus { home in
            let servers = Servers(home: home)
            try await servers.bus("up", "--server", "127.0.0.1:\(FreePort.any())", "--bus", "farm")
            // It records what fails, and does not throw it.
            try await withBus { near in
                try await withBus { far in try await body(servers, near, far) }
            }
            #expect(try await servers.bus("down").contains("has ended"))
            #expect(try await servers.bus("status", exits: 69).contains("does not run"))
        }
    }

    @Test(
        "Hosts that are added show one board; one that is removed says no more",
        .enabled(if: isPossible)
    )
    func addAndRemove() async throws {
        try await withServers { servers, near, far in
            try await servers.add(near, as: "near")
            try await servers.begin("Near", on: near)
            // Its broker runs already, and joins once the file is there.
            try await servers.begin("Far", on: far)
            try await servers.add(far, as: "far")
            for host in [near, far] {
                _ = try await host.status("both jobs") { report in
                    Set(report.jobs.map(\.title)) == ["Near", "Far"]
                }
            }
            #expect(try await servers.bus("status").contains("hosts: near, far"))
            try await servers.bus("remove", "far")
            _ = try await near.status("no word from it") { report in
                report.jobs.contains { $0.title == "Far" && $0.note.contains("host far is silent") }
            }
            // With another key, and in the place that it had.
            let slots = try await near.status().jobs.map(\.slot)
            try await servers.add(far, as: "far")
            let again = try await near.status("a word again") { report in
                report.jobs.contains { $0.title == "Far" && $0.note.isEmpty }
            }
            #expect(again.jobs.map(\.slot) == slots)
        }
    }

    @Test("A setup that could not be finished is finished by the next", .enabled(if: isPossible))
    func interrupted() async throws {
        try await withBus { home in
            let up = ["up", "--server", "127.0.0.1:\(FreePort.any())"]
            let variables = Servers.variables(home)
            let child = try home.start(
                "bus",
                up,
                adding: variables.merging(["PATH": "/nowhere"]) { $1 }
            )
            #expect(try await child.finish(within: .seconds(30)) == .exited(69))
            #expect(child.errorOutput.contains("install the package openssl"))
            let servers = Servers(home: home)
            #expect(try await servers.bus("up").contains("nats-server runs"))
            #expect(try await servers.bus("down").contains("has ended"))
        }
    }

    @Test("Of several servers one that is old says so", .enabled(if: isPossible))
    func oldServer() async throws {
        try await withBus { home in
            let servers = Servers(home: home)
            let port = FreePort.any()
            let addresses = (1...3).flatMap { ["--server", "127.0.0.\($0):\(port)"] }
            let child = try home.start("bus", ["up"] + addresses, adding: Servers.variables(home))
            #expect(try await child.finish(within: .seconds(60)) == .exited(0))
            let asked = try home.start(program: "/usr/bin/env", ["nats-server", "--version"])
            #expect(try await asked.finish(within: .seconds(30)) == .exited(0))
            let version = asked.output.split(separator: "v").last?.split(separator: ".") ?? []
            let numbers = version.prefix(2).compactMap { Int($0) }
            let isOld = numbers.lexicographicallyPrecedes([2, 11])
            #expect(try await servers.bus("status").contains("is old") == isOld)
            try await servers.bus("down")
        }
    }

    @Test("A host that speaks for another is refused", .enabled(if: isPossible))
    func forged() async throws {
        try await withServers { servers, near, far in
            try await servers.add(near, as: "near")
            try await servers.begin("Near", on: near)
            try await servers.add(far, as: "far")
            try await withBus { forger in
                _ = try await forger.startBroker()
                _ = try await forger.run("begin", "Forged")
                let key = Servers.file(of: far)
                let bridge = try forger.start(
                    program: try Programs.progressbus() + "-fleet",
                    [
                        "--join", try Servers.option("join", of: near), "--bus", "farm",
                        "--credentials", key, "--trusted", key,
                        "--broker", try Servers.option("broker", of: near),
                        "--file", forger.path("fleet"),
                    ]
                )
                try await eventually("it is refused", instead: { bridge.errorOutput }) {
                    bridge.errorOutput.lowercased().contains("permissions violation")
                }
                let shown = try await near.status()
                #expect(shown.jobs.map(\.title) == ["Near"])
            }
        }
    }
}
