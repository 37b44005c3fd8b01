import Foundation
import Testing

/// The files by which others find a broker are removed while it lives, as at a logout.
@Suite("Files of an endpoint go", .serialized, .transcript, .timeLimit(.minutes(5)))
struct LostFilesTests {
    @Test("A broker whose directory goes is whole again, and a command that ends well succeeds")
    func directory() async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker("--linger", "600")
            let command = try bus.script("exec $RUN --title Work -- sleep 4")
            _ = try await bus.status("the command is shown") { $0.jobs.first?.title == "Work" }
            try FileManager.default.removeItem(atPath: bus.socketDirectory)
            try await eventually("a broker is found again", within: .seconds(10)) {
                bus.isListening ? true : nil
            }
            #expect(bus.brokerPID == broker.pid)
            #expect(try await command.finish() == .exited(0))
            let report = try await bus.status("the command has succeeded") {
                $0.jobs.first?.state == "succeeded"
            }
            #expect(report.jobs.count == 1)
        }
    }

    @Test("A broker whose lock goes leaves to another that has begun, and nothing is lost")
    func lock() async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker("--linger", "600")
            let worker = try bus.startReporter()
            worker.begin("job", "Job", #""total":10"#)
            try await worker.sync()
            // Stopped, it cannot mend anything before the other one is there.
            broker.send(SIGSTOP)
            try FileManager.default.removeItem(atPath: bus.socketDirectory)
            try FileManager.default.createDirectory(
                atPath: bus.socketDirectory,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
            let second = try await bus.startBroker("--linger", "600")
            broker.send(SIGCONT)
            #expect(try await broker.end() == .exited(0))
            worker.update("job", #""completed":5"#)
            try await worker.sync()
            let report = try await bus.status("half of it") { $0.jobs.first?.completed == 5 }
            #expect(report.jobs.map(\.state) == ["running"])
            try await eventually("the second broker serves", within: .seconds(10)) {
                bus.brokerPID == second.pid ? true : nil
            }
            worker.end("job", "succeeded")
            try await worker.sync()
            _ = try await bus.status("it has succeeded") { $0.jobs.first?.state == "succeeded" }
        }
    }

    @Test(
        "A failure of a night without a runtime directory is there in the morning, after a reboot"
    )
    func night() async throws {
        try await withBus { bus in
            let cron = try await bus.runScript(
                "env -u XDG_RUNTIME_DIR $RUN --title Backup -- false"
            )
            #expect(cron.end == .exited(1))
            let pid = try await eventually("the broker that `run` has started") { bus.brokerPID }
            kill(pid, SIGTERM)
            try await eventually("the broker has left") { isAlive(pid) ? nil : true }
            try FileManager.default.removeItem(atPath: bus.socketDirectory)
            let morning = try await bus.runScript("XDG_RUNTIME_DIR=$HERE $BUS status")
            #expect(morning.end == .exited(0), "\(morning)")
            #expect(morning.output.contains("Backup"), "\(morning)")
            #expect(morning.output.contains("failed"), "\(morning)")
        }
    }

    @Test("A directory that is open to others is named, not called a bus without a broker")
    func openDirectory() async throws {
        try await withBus { bus in
            chmod(bus.socketDirectory, 0o755)
            for arguments in [["status"], ["watch", "--plain"], ["cancel", "1", "--yes"]] {
                let child = try bus.start("\(arguments[0])", Array(arguments.dropFirst()))
                #expect(try await child.finish() != .exited(0), "\(arguments)")
                #expect(child.errorOutput.contains("chmod 700"), "\(child.errorOutput)")
            }
        }
    }
}
