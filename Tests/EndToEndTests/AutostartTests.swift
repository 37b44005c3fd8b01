import Foundation
import Testing

/// Commands start a broker where none is, one, and it goes when nobody needs it.
@Suite("Autostart", .serialized, .transcript, .timeLimit(.minutes(5)))
struct AutostartTests {
    @Test("Two watches at the same moment start one broker, which leaves by itself")
    func oneBroker() async throws {
        try await withBus { bus in
            let watches = try (0..<2).map { _ in try bus.start("watch", ["--plain"]) }
            let pid = try await eventually("a broker listens") { bus.brokerPID }
            let worker = try bus.startReporter("--title", "Seen")
            try await worker.sync()
            for watch in watches {
                try await eventually("a watch shows the job", instead: { watch.output }) {
                    watch.output.contains("Seen")
                }
            }
            #expect(bus.brokerPID == pid)
            #expect(watches.allSatisfy { $0.endIfAny() == nil })
            #if os(Linux)
            // The one that lost the race has ended.
            try await eventually("one broker", instead: { "\(bus.brokerProcesses())" }) {
                bus.brokerProcesses() == [pid]
            }
            #expect(bus.ticketsInEnvironment(of: pid) == [])
            #endif

            worker.end("root", "succeeded")
            #expect(try await worker.process.finish() == .exited(0))
            for watch in watches { watch.send(SIGINT) }
            for watch in watches { try await watch.end() }
            let clock = ContinuousClock()
            let deserted = clock.now
            // It stays for 60 s, and may then take its time.
            try await eventually("the broker leaves", within: .seconds(180), every: .seconds(1)) {
                !bus.isListening
            }
            #expect(deserted.duration(to: clock.now) > .seconds(40))
            try await eventually("its process is gone") { kill(pid, 0) != 0 && errno == ESRCH }
        }
    }

    @Test("A broker told to leaves when it has been idle, not while somebody looks")
    func idleExit() async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker("--idle-exit", "1")
            let watch = try bus.start("watch", ["--json", "--no-autostart"])
            try await eventually("a viewer is there", instead: { watch.errorOutput }) {
                try watch.watchEvents().contains { $0.event == "connected" }
            }
            // Several times as long as it would stay alone.
            try await Task.sleep(for: .seconds(4))
            #expect(broker.endIfAny() == nil)
            watch.send(SIGTERM)
            try await watch.end()
            #expect(try await broker.end(within: .seconds(20)) == .exited(0))
            #expect(bus.brokerPID == nil)
        }
    }

    @Test("A report starts a broker again when its own goes away")
    func restarted() async throws {
        try await withBus { bus in
            let worker = Reporter(try bus.start("report", ["--title", "Goes on"]))
            try await worker.sync()
            let first = try #require(bus.brokerPID)
            kill(first, SIGKILL)
            let second = try await eventually("another broker") {
                bus.brokerPID.flatMap { $0 == first ? nil : $0 }
            }
            #expect(second != first)
            try await worker.sync()
            try await bus.status("the job on the new broker") { report in
                report.job(titled: "Goes on")?.state == "running"
            }
            worker.end("root", "succeeded")
            #expect(try await worker.process.finish() == .exited(0))
        }
    }

    @Test("A pipe behind a command ends with the command, though its broker lives on")
    func pipeEnds() async throws {
        try await withBus { bus in
            let program = try Programs.progressbus()
            let script =
                #"echo '{"op":"begin","id":"a","title":"Piped"}' | "$0" report --finish succeeded | cat"#
            let shell = try bus.start(program: "/bin/sh", ["-c", script, program])
            #expect(try await shell.finish(within: .seconds(30)) == .exited(0))
            #expect(bus.brokerPID != nil, "the broker outlives the pipe")
            try await bus.status("the piped job") { $0.job(titled: "Piped") != nil }
        }
    }
}

#if os(Linux)
extension TemporaryBus {
    /// The brokers of this bus, by their command lines.
    fileprivate func brokerProcesses() -> [pid_t] {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return entries.compactMap { pid_t($0) }.filter { pid in
            let data = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") ?? Data()
            let words = data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            return words.dropFirst().first == "broker" && words.contains(endpoint)
        }
    }

    /// What of a process' environment names tasks.
    fileprivate func ticketsInEnvironment(of pid: pid_t) -> [String] {
        let data = FileManager.default.contents(atPath: "/proc/\(pid)/environ") ?? Data()
        return data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            .filter { $0.hasPrefix("PROGRESSBUS_TICKET") || $0.hasPrefix("PROGRESSBUS_PARENT") }
    }
}
#endif
