import Foundation
import Testing

/// What becomes of those that say nothing any more.
@Suite("Silent and lost", .serialized, .transcript, .timeLimit(.minutes(3)))
struct LivenessTests {
    @Test(
        "A stopped worker is silent, then lost, and comes back; a killed one is lost with its pid"
    )
    func silentAndLost() async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker("--linger", "600")
            let parent = try bus.startReporter("--title", "Parent")
            let stopped = try bus.startReporter()
            stopped.begin("a", "Stopped", #""total":10"#)
            stopped.update("a", #""completed":4"#)
            let ticket = try await parent.ticket("Killed", under: "root")
            let killed = try bus.startReporter(adding: ["PROGRESSBUS_TICKET": ticket])
            killed.update("root", #""total":10,"completed":10"#)
            let closed = try bus.startReporter()
            closed.begin("a", "Closed")
            for worker in [parent, stopped, killed, closed] { try await worker.sync() }
            let before = try await bus.status("four running tasks") { report in
                report.allTasks.count { $0.state == "running" } == 4
            }
            #expect(before.allTasks.allSatisfy { !$0.silent && !$0.needsAttention })

            // One that closes without an ending is lost at once.
            #expect(try await closed.process.finish() == .exited(0))
            let left = try await bus.status("closed without an ending") { report in
                report.job(titled: "Closed")?.state == "lost"
            }
            #expect(left.job(titled: "Closed")?.reason?.contains("closed") == true)

            stopped.process.send(SIGSTOP)
            killed.process.send(SIGKILL)
            let clock = ContinuousClock()
            let begin = clock.now
            let silent = try await bus.status("silent", within: .seconds(30)) { report in
                report.job(titled: "Stopped")?.silent == true
            }
            let quiet = begin.duration(to: clock.now)
            #expect(quiet > .milliseconds(1_500), "three heartbeats, not one")
            #expect(silent.job(titled: "Stopped")?.state == "running")
            #expect(silent.job(titled: "Stopped")?.needsAttention == true)

            let lost = try await bus.status("both lost", within: .seconds(60)) { report in
                report.job(titled: "Stopped")?.state == "lost"
                    && report.job(titled: "Parent")?.children.first?.state == "lost"
            }
            let gone = try #require(lost.job(titled: "Parent")?.children.first)
            let host = ProcessInfo.processInfo.hostName
            // A complete count is no success: only its owner can say that.
            #expect(gone.completed == 10 && gone.needsAttention)
            #expect(gone.displayFraction ?? 1 < 1)
            #expect(gone.reason?.contains("\(killed.process.pid)") == true, "\(gone)")
            #expect(gone.reason?.contains(gone.process?.host ?? host) == true, "\(gone)")
            let stoppedLost = try #require(lost.job(titled: "Stopped"))
            #expect(stoppedLost.reason?.contains("\(stopped.process.pid)") == true)
            #expect(stoppedLost.slot == before.job(titled: "Stopped")?.slot)
            #expect(lost.job(titled: "Parent")?.state == "running")

            stopped.process.send(SIGCONT)
            let back = try await bus.status("the stopped one is back") { report in
                report.job(titled: "Stopped")?.state == "running"
            }
            let again = try #require(back.job(titled: "Stopped"))
            #expect(!again.silent && again.completed == 4 && again.attempt == 1)
            #expect(again.reason == nil && again.endedAt == nil)
            #expect(again.id == stoppedLost.id && again.slot == stoppedLost.slot)
            stopped.end("a", "succeeded")
            #expect(try await stopped.process.finish() == .exited(0))
            try await bus.status("and succeeds") { $0.job(titled: "Stopped")?.state == "succeeded" }
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
            let closedBefore = try #require(left.job(titled: "Closed"))
            #expect(next.job(titled: "Closed")?.differences(from: closedBefore) == [])
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
