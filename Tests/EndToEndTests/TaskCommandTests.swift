import Foundation
import ProgressBus
import Testing

/// `progressbus cancel`, `pause`, `resume` and `dismiss`, as a shell sees them.
@Suite("Commands from the shell", .serialized, .transcript, .timeLimit(.minutes(5)))
struct TaskCommandTests {
    @Test("cancel: a line for each session with its process, and the worst answer as exit code")
    func cancel() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let parent = try bus.startReporter("--title", "Parent", "--cancellable")
            let ticket = try await parent.ticket("Part", under: "root")
            let child = try bus.startReporter(
                "--cancellable",
                adding: ["PROGRESSBUS_TICKET": ticket]
            )
            for worker in [parent, child] { try await worker.sync() }
            let all = try await bus.run("cancel", "key:Parent")
            #expect(all.end == .exited(0), "\(all)")
            let lines = all.output.split(separator: "\n")
            #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix("accepted: process ") })
            for worker in [parent, child] {
                #expect(all.output.contains("process \(worker.process.pid) on "), "\(all)")
                try await worker.event("a cancel") { $0.event == "cancel" && $0.id == "root" }
            }

            let deaf = try bus.startReporter(adding: ["PROGRESSBUS_TICKET": ""])
            deaf.begin("d", "Deaf")
            try await deaf.sync()
            let unsupported = try await bus.run("cancel", "Deaf")
            #expect(unsupported.end == .exited(77), "\(unsupported)")
            #expect(unsupported.output.hasPrefix("unsupported: process \(deaf.process.pid) on "))
            #expect(unsupported.errorOutput.split(separator: "\n").count == 1)
            deaf.end("d", "succeeded")
            #expect(try await deaf.process.finish() == .exited(0))
            let gone = try await bus.run("cancel", "Deaf")
            #expect(gone.end == .exited(69), "\(gone)")
        }
    }

    @Test("cancel of several: each is asked, the worst is the exit code, a wrong name is said")
    func cancelSeveral() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let worker = try bus.startReporter()
            worker.begin("a", "One", #""cancellable":true"#)
            worker.begin("b", "Two", #""cancellable":true"#)
            worker.begin("c", "Deaf")
            try await worker.sync()
            let some = try await bus.run("cancel", "One", "None", "Two")
            #expect(some.end == .exited(65) && some.errorOutput.contains("None"), "\(some)")
            #expect(some.output.split(separator: "\n").count == 2, "\(some)")
            for id in ["a", "b"] {
                try await worker.event("a cancel") { $0 == .init(event: "cancel", id: id) }
            }
            let worst = try await bus.run("cancel", "None", "Deaf", "One")
            #expect(worst.end == .exited(77), "\(worst)")
            #expect(worst.errorOutput.split(separator: "\n").count == 2, "both are said: \(worst)")
        }
    }

    @Test("dismiss --failed takes what has failed, --all what has ended; what runs stays")
    func dismissSeveral() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let worker = try bus.startReporter()
            for (id, state) in [("a", "failed"), ("b", "succeeded"), ("c", "failed")] {
                worker.begin(id, "Job \(id)")
                worker.end(id, state)
            }
            worker.begin("d", "Job d")
            try await worker.sync()
            let unclear = try await bus.run("dismiss")
            #expect(unclear.end == .exited(64) && unclear.errorOutput.contains("--failed"))
            let before = try await bus.status("three have ended") {
                $0.jobs.filter { $0.state != "running" }.count == 3
            }
            let failed = try await bus.run("dismiss", "--failed")
            #expect(failed.end == .exited(0), "\(failed)")
            let names: [String] = ["Job a", "Job c"].compactMap { (title: String) -> String? in
                before.job(titled: title).map { "dismissed: \(title) (\($0.id))" }
            }
            #expect(failed.output.split(separator: "\n").map(String.init) == names)
            let left = try await bus.status("two") { $0.jobs.count == 2 }
            #expect(left.jobs.map(\.title).sorted() == ["Job b", "Job d"])
            let all = try await bus.run("dismiss", "--all")
            #expect(all.end == .exited(0), "\(all)")
            let last = try await bus.status("one") { $0.jobs.count == 1 }
            #expect(last.jobs.first?.title == "Job d")
            let none = try await bus.run("dismiss", "--all")
            #expect(none.end == .exited(0) && none.output == "nothing to dismiss\n", "\(none)")
        }
    }

    @Test("dismiss --failed of more jobs than a session may ask about in a second takes them all")
    func dismissMany() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker()
            let worker = try bus.startReporter()
            for number in 0..<250 {
                worker.begin("j\(number)", "Job \(number)")
                worker.end("j\(number)", "failed")
            }
            try await worker.sync()
            try await bus.status("all have failed") { report in
                report.jobs.count == 250 && report.jobs.allSatisfy { $0.state == "failed" }
            }
            let failed = try await bus.run("dismiss", "--failed")
            #expect(failed.end == .exited(0), "\(failed)")
            #expect(failed.output.split(separator: "\n").count == 250)
            try await bus.status("none is left") { $0.jobs.isEmpty }
        }
    }

    @Test("dismiss without a broker starts one where one has left a journal")
    func dismissInTheMorning() async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker()
            let worker = try bus.startReporter()
            worker.begin("a", "Nightly")
            worker.end("a", "failed", reason: "disk full")
            worker.begin("b", "Weekly")
            worker.end("b", "failed", reason: "disk full")
            try await worker.sync()
            broker.send(SIGTERM)
            try await eventually("the broker is gone") { !bus.isListening }
            let kept = try await bus.run("dismiss", "--failed", "--no-autostart")
            #expect(kept.end == .exited(69), "\(kept)")
            let one = try await bus.run("dismiss", "key:Nightly")
            #expect(one.end == .exited(0) && one.output.hasPrefix("dismissed: Nightly ("), "\(one)")
            let rest = try await bus.run("dismiss", "--failed")
            #expect(rest.output.hasPrefix("dismissed: Weekly ("), "\(rest)")
        }
    }

    @Test("pause and resume: accepted and done; a stopped worker: 75 after the timeout")
    func pauseAndResume() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker()
            let worker = try bus.startReporter()
            worker.begin("a", "Pausable", #""pausable":true"#)
            try await worker.sync()
            #expect(try await bus.run("pause", "1").end == .exited(0))
            try await worker.event("a pause") { $0 == .init(event: "pause", id: "a") }
            #expect(try await bus.run("resume", "1").end == .exited(0))
            try await worker.event("a resume") { $0 == .init(event: "resume", id: "a") }
            worker.process.send(SIGSTOP)
            let silent = try await bus.run("pause", "1", "--timeout", "0.5")
            #expect(silent.end == .exited(75), "\(silent)")
            #expect(silent.output.hasPrefix("no answer: process \(worker.process.pid) on "))
            worker.process.send(SIGCONT)
        }
    }

    @Test("dismiss: refused while it runs, done once it has failed")
    func dismiss() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker()
            let worker = try bus.startReporter()
            worker.begin("f", "Failing")
            try await worker.sync()
            let early = try await bus.run("dismiss", "Failing")
            #expect(early.end == .exited(77), "\(early)")
            worker.end("f", "failed", reason: "no")
            try await worker.sync()
            let done = try await bus.run("dismiss", "Failing")
            #expect(done.end == .exited(0), "\(done)")
            try await bus.status("it has left") { $0.jobs.isEmpty }
        }
    }

    @Test("no broker 69, no such task 65, a bad timeout 64")
    func errors() async throws {
        try await withBus { bus in
            let alone = try await bus.run("cancel", "1")
            #expect(alone.end == .exited(69), "\(alone)")
            #expect(!bus.isListening, "a command starts no broker")
            _ = try await bus.startBroker()
            let unknown = try await bus.run("cancel", "no-such-task")
            #expect(unknown.end == .exited(65) && unknown.output.isEmpty, "\(unknown)")
            #expect(try await bus.run("cancel", "1", "--timeout", "0").end == .exited(64))
        }
    }

    @Test("a stated consequence without a terminal: 77 and nothing is sent; --yes sends")
    func consequence() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker()
            let worker = try bus.startReporter()
            let loses = #""cancellable":true,"consequence":"the upload begins anew""#
            worker.begin("p", "Parent")
            worker.begin("c", "Child", #""parent":"p","# + loses)
            worker.begin("j", "Job", loses)
            try await worker.sync()
            let child = try #require(
                try await bus.status("a child") { $0.job(titled: "Parent")?.children.count == 1 }
                    .job(titled: "Parent")?.children.first
            )
            for task in ["Job", "id:\(child.id)"] {
                let refused = try await bus.run("cancel", task)
                #expect(refused.end == .exited(77) && refused.output.isEmpty, "\(refused)")
                #expect(refused.errorOutput.contains("the upload begins anew"))
                #expect(refused.errorOutput.contains("--yes"))
            }
            try await worker.sync()
            #expect(worker.events.allSatisfy { $0.event != "cancel" })
            #expect(try await bus.run("cancel", "Job", "--yes").end == .exited(0))
            try await worker.event("a cancel") { $0 == .init(event: "cancel", id: "j") }
        }
    }

    @Test("a stated consequence on a terminal: asks, and the answer is no unless it is yes")
    func confirmation() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker()
            let worker = try bus.startReporter()
            worker.begin("j", "Job", #""cancellable":true,"consequence":"the upload begins anew""#)
            try await worker.sync()
            #expect(try await end(of: "cancel Job", answering: ["Enter"], on: bus) == "exited 77")
            try await worker.sync()
            #expect(worker.events.allSatisfy { $0.event != "cancel" })
            let yes = try await end(of: "cancel Job", answering: ["y", "Enter"], on: bus)
            #expect(yes == "exited 0")
            try await worker.event("a cancel") { $0 == .init(event: "cancel", id: "j") }
        }
    }

    /// How a command on a terminal ends when its question is answered with these keys.
    private func end(
        of command: String,
        answering keys: [String],
        on bus: TemporaryBus
    ) async throws -> String {
        let arguments = command.split(separator: " ").map(String.init)
        let session = try await TerminalSession.start(on: bus, arguments)
        try await session.wait(for: "the upload begins anew [y/N]")
        for key in keys { try await session.press(key) }
        return try await session.end().state
    }
}
