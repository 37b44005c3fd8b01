import Foundation
import ProgressBus
import Testing

/// What a viewer asks reaches every session that owns a part, and the answers come back.
@Suite("Commands", .serialized, .transcript, .timeLimit(.minutes(5)))
struct CommandTests {
    @Test("A cancel reaches all processes below the job, and each of them answers")
    func cancelReachesAll() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let parent = try bus.startReporter("--title", "Parent", "--cancellable")
            let ticket = try await parent.ticket("Part", under: "root")
            let child = try bus.startReporter(
                "--cancellable",
                adding: ["PROGRESSBUS_TICKET": ticket]
            )
            child.begin("deep", "Deep", #""parent":"root","cancellable":true"#)
            let deaf = try bus.startReporter()
            let other = try await parent.ticket("Deaf", under: "root")
            deaf.say(#"{"op":"redeem","id":"d","ticket":"\#(other)"}"#)
            for worker in [parent, child, deaf] { try await worker.sync() }
            try await bus.status("four running tasks") { report in
                report.job(titled: "Parent")?.counts.running == 3
            }

            let follower = bus.follower()
            defer { follower.close() }
            let answers = try await follower.perform(.cancel, on: .key("Parent"))
            let outcomes = Dictionary(grouping: answers, by: { Int($0.process?.pid ?? 0) })
                .mapValues { $0.map(\.outcome) }
            #expect(outcomes[Int(parent.process.pid)] == [.accepted])
            #expect(outcomes[Int(child.process.pid)] == [.accepted])
            #expect(outcomes[Int(deaf.process.pid)] == [.unsupported])
            #expect(answers.count == 3)
            try await parent.event("a cancel") { $0.event == "cancel" && $0.id == "root" }
            try await child.event("a cancel") { $0.event == "cancel" && $0.id == "root" }
            #expect(deaf.events.allSatisfy { $0.event != "cancel" })
            try await bus.status("cancelling") { $0.job(titled: "Parent")?.state == "cancelling" }

            child.end("deep", "cancelled")
            child.end("root", "cancelled", reason: "as asked")
            deaf.end("d", "succeeded")
            #expect(try await deaf.process.finish() == .exited(0))
            #expect(try await child.process.finish() == .exited(0))
            parent.end("root", "cancelled", reason: "as asked")
            #expect(try await parent.process.finish() == .exited(0))
            let report = try await bus.status("cancelled") { report in
                report.job(titled: "Parent")?.state == "cancelled"
            }
            #expect(report.job(titled: "Parent")?.reason == "as asked")
            // Each request was delivered once.
            #expect(child.events.count { $0.event == "cancel" && $0.id == "root" } == 1)
            let late = try await follower.perform(.cancel, on: .key("Parent"))
            #expect(late.map(\.outcome) == [.gone])
        }
    }

    @Test("Pause and resume: accepted by the worker, shown once it says that it holds")
    func pauseAndResume() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker()
            let worker = try bus.startReporter()
            worker.begin("a", "Pausable", #""pausable":true,"total":10"#)
            try await worker.sync()
            let follower = bus.follower()
            defer { follower.close() }
            let paused = try await follower.perform(.pause, on: .slot(1))
            #expect(paused.map(\.outcome) == [.accepted])
            try await worker.event("a pause") { $0 == .init(event: "pause", id: "a") }
            worker.update("a", #""paused":true"#)
            try await bus.status("paused") { $0.job(titled: "Pausable")?.state == "paused" }
            let resumed = try await follower.perform(.resume, on: .slot(1))
            #expect(resumed.map(\.outcome) == [.accepted])
            try await worker.event("a resume") { $0 == .init(event: "resume", id: "a") }
            worker.update("a", #""paused":false"#)
            try await bus.status("running") { $0.job(titled: "Pausable")?.state == "running" }
            #expect(
                try await follower.perform(.cancel, on: .slot(1)).map(\.outcome) == [.unsupported]
            )
        }
    }

    @Test("withChild in a process that is asked to cancel throws and states cancelled")
    func withChildIsCancelled() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let client = bus.client()
            let job = client.beginJob("Library", total: 3)
            let options = TaskOptions(isCancellable: true)
            let work = Task {
                try await job.withChild("Endless", share: 1, total: 100, options: options) { task in
                    while true {
                        try await task.checkpoint()
                        task.advance()
                        try await Task.sleep(for: .milliseconds(2))
                    }
                }
            }
            let child = try await bus.status("the child") { report in
                report.job(titled: "Library")?.children.first?.state == "running"
            }.jobs[0].children[0]
            let follower = bus.follower()
            defer { follower.close() }
            let answers = try await follower.perform(.cancel, on: TaskSelector(child.id))
            #expect(answers.map(\.outcome) == [.accepted])
            #expect(answers.first?.session == client.session)
            await #expect(throws: CancellationError.self) { try await work.value }
            let report = try await bus.status("cancelled") { report in
                report.job(titled: "Library")?.children.first?.state == "cancelled"
            }
            #expect(report.job(titled: "Library")?.state == "running")

            struct Trouble: Error {}
            await #expect(throws: Trouble.self) {
                try await job.withChild("Fails", share: 1) { _ in throw Trouble() }
            }
            let result = try await job.withChild("Answers", share: 1) { _ in 42 }
            #expect(result == 42)
            job.succeed()
            #expect(await client.close(timeout: .seconds(20)))
            let last = try await bus.status("the end") { report in
                report.job(titled: "Library")?.state == "succeeded"
            }
            #expect(last.job(titled: "Library")?.needsAttention == true)
            let counts = last.job(titled: "Library")?.counts
            #expect(counts == .init(succeeded: 1, failed: 1, cancelled: 1))
        }
    }

    @Test("Dismiss: a failed job leaves for everybody, a running one does not")
    func dismiss() async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker()
            let worker = try bus.startReporter()
            worker.begin("f", "Failed")
            worker.begin("r", "Running")
            worker.end("f", "failed", reason: "no")
            try await worker.sync()
            // Alone it would start a broker while the test starts its own, and one of them loses.
            let watch = try bus.start("watch", ["--json", "--no-autostart"])
            try await eventually("both are seen") { try watch.watchedJobs().count == 2 }
            let follower = bus.follower()
            defer { follower.close() }
            #expect(
                try await follower.perform(.dismiss, on: .key("Running")).map(\.outcome) == [
                    .refused
                ]
            )
            #expect(
                try await follower.perform(.dismiss, on: .key("Failed")).map(\.outcome) == [
                    .accepted
                ]
            )
            try await bus.status("one job") { $0.jobs.map(\.title) == ["Running"] }
            try await eventually("it leaves", instead: { watch.output }) {
                try watch.watchEvents().contains { $0.event == "left" && $0.job?.title == "Failed" }
            }
            await #expect(throws: FollowError.self) {
                try await follower.perform(.cancel, on: .key("no-such-task"))
            }

            // It stays away, also for a broker that starts from the journal.
            broker.send(SIGKILL)
            try await broker.end()
            _ = try await bus.startBroker()
            try await worker.sync()
            let report = try await bus.status("settled") { !$0.broker.settling && !$0.jobs.isEmpty }
            #expect(report.jobs.map(\.title) == ["Running"])
        }
    }

    @Test("A command to a worker that is stopped is answered for it in time")
    func noAnswer() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker()
            let worker = try bus.startReporter("--title", "Stopped", "--cancellable")
            try await worker.sync()
            worker.process.send(SIGSTOP)
            let follower = bus.follower()
            defer { follower.close() }
            let answers = try await follower.perform(
                .cancel,
                on: .key("Stopped"),
                timeout: .seconds(1)
            )
            #expect(answers.map(\.outcome) == [.noAnswer])
            worker.process.send(SIGCONT)
            try await worker.event("the cancel, later") { $0.event == "cancel" }
        }
    }
}
