import Foundation
import Testing

/// What becomes of those that say nothing any more.
@Suite("Silent and lost", .serialized, .transcript, .timeLimit(.minutes(5)))
struct LivenessTests {
    @Test(
        "A killed worker is lost at once, with pid, host and signal; one that closed has its status"
    )
    func killed() async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker("--linger", "600")
            let parent = try bus.startReporter("--title", "Parent")
            let ticket = try await parent.ticket("Killed", under: "root")
            let killed = try bus.startReporter(adding: ["PROGRESSBUS_TICKET": ticket])
            killed.update("root", #""total":10,"completed":10"#)
            let closed = try bus.startReporter()
            closed.begin("a", "Closed")
            for worker in [parent, killed, closed] { try await worker.sync() }

            // Who wrote its input may have crashed: that looks like no success.
            #expect(try await closed.process.finish() == .exited(0))
            let left = try await bus.status("the input ended") { report in
                let job = report.job(titled: "Closed")
                return job?.state == "failed" && job?.reason?.contains("input") == true
            }
            #expect(left.job(titled: "Closed")?.needsAttention == true)

            killed.process.send(SIGKILL)
            let clock = ContinuousClock()
            let begin = clock.now
            let lost = try await bus.status("lost", within: .seconds(60)) { report in
                report.job(titled: "Parent")?.children.first?.state == "lost"
            }
            #if os(Linux)
            // Silence would need ten seconds.
            #expect(begin.duration(to: clock.now) < .seconds(5))
            #endif
            let gone = try #require(lost.job(titled: "Parent")?.children.first)
            let host = ProcessInfo.processInfo.hostName
            // A complete count is no success: only its owner can say that.
            #expect(gone.completed == 10 && gone.needsAttention)
            #expect(gone.displayFraction ?? 1 < 1)
            #expect(gone.reason?.contains("\(killed.process.pid)") == true, "\(gone)")
            #expect(gone.reason?.contains(gone.process?.host ?? host) == true, "\(gone)")
            #if os(Linux)
            // Nobody has waited for it yet: the process table knows.
            #expect(gone.exit == .init(signal: Int(SIGKILL)))
            #endif
            #expect(lost.job(titled: "Parent")?.state == "running")
            #expect(killed.process.endIfAny() == .signalled(SIGKILL))

            // A later broker, who has never heard of them, says the same of the lost.
            broker.send(SIGKILL)
            try await broker.end()
            _ = try await bus.startBroker("--linger", "600")
            try await parent.sync()
            let next = try await bus.status("settled") { report in
                !report.broker.settling && report.job(titled: "Parent")?.state == "running"
            }
            let stillGone = try #require(next.job(titled: "Parent")?.children.first)
            #expect(stillGone.differences(from: gone) == [])
            #expect(stillGone.exit == gone.exit)
            let closedBefore = try #require(left.job(titled: "Closed"))
            #expect(next.job(titled: "Closed")?.differences(from: closedBefore) == [])
            #expect(next.job(titled: "Closed")?.exit == closedBefore.exit)
        }
    }

    #if os(Linux)
    @Test(
        "A worker that died while there was no broker: the next one knows as soon as it has settled"
    )
    func brokerAway() async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker("--linger", "600")
            let worker = try bus.startReporter("--title", "Gone")
            let other = try bus.startReporter("--title", "There")
            for one in [worker, other] { try await one.sync() }
            broker.send(SIGKILL)
            try await broker.end()
            worker.process.send(SIGKILL)
            try await worker.process.end()
            _ = try await bus.startBroker("--linger", "600")
            let begin = ContinuousClock.now
            let report = try await bus.status("lost") { $0.job(titled: "Gone")?.state == "lost" }
            #expect(begin.duration(to: .now) < .seconds(7), "silence would need ten")
            #expect(report.job(titled: "There")?.state == "running")
        }
    }
    #endif

    @Test("A worker that ends by itself: its endings count, and what is left has its exit status")
    func exited() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            for round in 0..<10 {
                let worker = try bus.startReporter()
                worker.begin("done", "Done \(round)")
                worker.begin("open", "Open \(round)")
                try await worker.sync()
                worker.end("done", "succeeded")
                // The last word and the death are on their way together.
                try await worker.sync()
                worker.process.send(SIGTERM)
                _ = try await worker.process.end()
                let report = try await bus.status("one of each") { report in
                    report.job(titled: "Open \(round)")?.state == "lost"
                }
                #expect(report.job(titled: "Done \(round)")?.state == "succeeded")
                #expect(report.job(titled: "Done \(round)")?.exit == nil)
            }
        }
    }

    @Test("A stopped worker: silent 3 to 4 s after the stop, never stalled or lost, and back")
    func stopped() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let idle = try bus.startReporter()
            let busy = try bus.startReporter()
            for (worker, title) in [(idle, "Idle"), (busy, "Busy")] {
                worker.begin("a", title, #""total":1000"#)
                worker.update("a", #""completed":4"#)
                try await worker.sync()
            }
            let before = try await bus.status("two running tasks") { $0.jobs.count == 2 }
            let sightings = Sightings(of: bus.follower())
            defer { sightings.close() }
            // Some way into the second between two heartbeats of the idle one.
            for _ in 0..<15 {
                busy.say(#"{"op":"advance","id":"a","by":1}"#)
                try await Task.sleep(for: .milliseconds(50))
            }
            let stop = ContinuousClock.now
            for worker in [idle, busy] { worker.process.send(SIGSTOP) }
            let silent = try await bus.status("both say what lets them go on", within: .seconds(60))
            {
                $0.jobs.allSatisfy { $0.silent && $0.note.contains("kill -CONT") }
            }
            #expect(silent.job(titled: "Idle")?.note.contains("\(idle.process.pid)") == true)
            for title in ["Idle", "Busy"] {
                // Another viewer than the one that was asked above.
                let seen = try await eventually("seen") { sightings.first(title, "silent") }
                let untilSilent = stop.duration(to: seen)
                #expect(untilSilent > .seconds(2.95) && untilSilent < .seconds(10), "\(title)")
            }
            // A session whose process cannot be watched is lost after 10 s.
            try await Task.sleep(until: stop + .seconds(13))
            for title in ["Idle", "Busy"] {
                #expect(sightings.first(title, "stalled") == nil)
                #expect(sightings.first(title, "lost") == nil)
            }

            for worker in [idle, busy] { worker.process.send(SIGCONT) }
            let back = try await bus.status("both are back") { report in
                report.jobs.allSatisfy { $0.state == "running" }
            }
            for job in back.jobs {
                let former = try #require(before.task(job.id))
                #expect(!job.silent && job.attempt == 1 && job.slot == former.slot)
                #expect(job.reason == nil && job.endedAt == nil && job.completed >= 4)
            }
            for worker in [idle, busy] {
                worker.end("a", "succeeded")
                #expect(try await worker.process.finish() == .exited(0))
            }
            try await bus.status("and succeed") { $0.jobs.allSatisfy { $0.state == "succeeded" } }
        }
    }

    @Test("A parent that has said success waits for its children and carries what became of them")
    func successOverLostChild() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let parent = try bus.startReporter()
            parent.begin("job", "Parent", #""total":2"#)
            let ticket = try await parent.ticket("Child", under: "job")
            let child = try bus.startReporter(adding: ["PROGRESSBUS_TICKET": ticket])
            try await child.sync()
            parent.end("job", "succeeded")
            #expect(try await parent.process.finish() == .exited(0))
            let waiting = try await bus.status("a parent that waits") { report in
                report.job(titled: "Parent")?.counts.running == 1
            }
            #expect(waiting.job(titled: "Parent")?.state == "running")
            child.process.send(SIGKILL)
            let done = try await bus.status("the word stands", within: .seconds(60)) { report in
                report.job(titled: "Parent")?.state == "succeeded"
            }
            #expect(done.job(titled: "Parent")?.needsAttention == true)
            #expect(done.job(titled: "Parent")?.counts == .init(lost: 1))
            let parentPID = Int(parent.process.pid)
            #expect(done.job(titled: "Parent")?.process?.pid == parentPID)
        }
    }
}
