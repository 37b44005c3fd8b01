import Foundation
import Testing

/// Brokers of two hosts show one board, over a real nats-server on an address of our own.
@Suite("A fleet", .serialized, .transcript, .timeLimit(.minutes(5)))
struct FleetTests {
    private static var isPossible: Bool { Programs.isInstalled("nats-server") }

    private struct Host {
        let bus: TemporaryBus
        let address: String

        /// Starts the bridge beside its broker.
        func join() async throws -> ChildProcess {
            try bus.start(
                program: try Programs.progressbus() + "-fleet",
                ["--join", address, "--bus", "team", "--file", bus.path("fleet")]
            )
        }

        /// How many pages its broker has.
        var pageCount: Int {
            let text = FileManager.default.contents(atPath: bus.path("fleet")) ?? Data()
            let line = String(decoding: text, as: UTF8.self).split(separator: "\n").last ?? ""
            return line.split(separator: " ").count - 1
        }

        /// Titles by slot, once they are these.
        func shows(_ board: [Int: String], _ what: String) async throws -> StatusReport {
            try await bus.status(what) { report in
                let shown = report.jobs.map { ($0.slot ?? 0, $0.title) }
                return Dictionary(shown) { first, _ in first } == board
            }
        }
    }

    /// A server, its port, and what it keeps.
    private func startServer(on bus: TemporaryBus, port: Int) async throws -> ChildProcess {
        let server = try bus.start(
            program: "/usr/bin/env",
            ["nats-server", "-a", "127.0.0.1", "-p", "\(port)", "-js", "-sd", bus.path("nats")]
        )
        try await eventually("nats-server listens", instead: { server.errorOutput }) {
            server.errorOutput.contains("Server is ready")
        }
        return server
    }

    private func withTwoHosts(
        _ body: (Host, Host, _ server: ChildProcess, _ port: Int) async throws -> Void
    ) async throws {
        try await withBus { near in
            let port = FreePort.any()
            let server = try await startServer(on: near, port: port)
            try await withBus { far in
                for bus in [near, far] { _ = try await bus.startBroker() }
                let address = "nats://127.0.0.1:\(port)"
                let hosts = [Host(bus: near, address: address), Host(bus: far, address: address)]
                // One after the other, so that it is known who has which pages.
                for (host, title) in zip(hosts, ["Near", "Far"]) {
                    _ = try await host.join()
                    _ = try await host.bus.run("begin", title, "--total", "10", "--key", title)
                    try await eventually("\(title) has a page, and one in reserve") {
                        host.pageCount == 2
                    }
                }
                try await body(hosts[0], hosts[1], server, port)
            }
        }
    }

    @Test(
        "Both hosts show both jobs in the same slots, and what becomes of them",
        .enabled(if: isPossible)
    )
    func oneBoard() async throws {
        try await withTwoHosts { near, far, _, _ in
            let shown = try await near.shows([1: "Near", 129: "Far"], "both jobs")
            #expect(shown.jobs.allSatisfy { $0.state == "running" })
            _ = try await far.shows([1: "Near", 129: "Far"], "both jobs too")
            _ = try await far.bus.run("end", "Far", "--failed", "no paper")
            let failed = try await near.bus.status("the failure") { report in
                report.jobs.contains { $0.title == "Far" && $0.state == "failed" }
            }
            #expect(failed.jobs.first { $0.title == "Far" }?.reason == "no paper")
        }
    }

    @Test("A host that goes is said so, and is back in its slots", .enabled(if: isPossible))
    func hostGoes() async throws {
        try await withTwoHosts { near, far, _, _ in
            let both = [1: "Near", 129: "Far"]
            _ = try await near.shows(both, "both jobs")
            let bridge = try #require(
                far.bus.children.last { $0.name.contains("progressbus-fleet") }
            )
            bridge.send(SIGKILL)
            let silent = try await near.bus.status("no word") { report in
                report.jobs.contains { $0.title == "Far" && $0.note.contains("no word") }
            }
            #expect(Set(silent.jobs.compactMap(\.slot)) == [1, 129])
            _ = try await far.join()
            _ = try await near.bus.status("a word again") { report in
                report.jobs.contains { $0.title == "Far" && $0.note.isEmpty }
            }
            _ = try await near.shows(both, "the same slots")
        }
    }

    @Test("A NATS that has lost all it kept has everything again", .enabled(if: isPossible))
    func natsEmptied() async throws {
        try await withTwoHosts { near, far, server, port in
            let both = [1: "Near", 129: "Far"]
            _ = try await near.shows(both, "both jobs")
            server.send(SIGKILL)
            try await server.end()
            try FileManager.default.removeItem(atPath: near.bus.path("nats"))
            _ = try await startServer(on: near.bus, port: port)
            _ = try await far.bus.run("advance", "Far", "--by", "7")
            for host in [near, far] {
                _ = try await host.bus.status("what was said meanwhile") { report in
                    report.jobs.contains {
                        $0.title == "Far" && $0.completed == 7 && $0.note.isEmpty
                    }
                }
                _ = try await host.shows(both, "the same slots")
            }
        }
    }
}
