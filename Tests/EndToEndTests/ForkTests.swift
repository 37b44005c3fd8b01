import Foundation
import Testing

/// Programs fork; what the child does with what it has inherited is nobody's business.
@Suite("Forks", .serialized, .transcript, .timeLimit(.minutes(5)))
struct ForkTests {
    @Test(
        "A child that uses and ends what it has inherited: the parent's report is as if it were not",
        arguments: ["_exit", "exit", "return", "SIGKILL"]
    )
    func inherited(end: String) async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let worker = try bus.start(program: Programs.busWorker(), ["fork", end])
            try await bus.status("the parent goes on") { report in
                report.jobs.first?.completed == 5 || report.jobs.first?.state == "succeeded"
            }
            #expect(try await worker.end() == .exited(0))
            let status = end == "SIGKILL" ? SIGKILL : 0
            #expect(worker.output.contains(#"{"acknowledged":true,"child":\#(status)}"#))
            let report = try await bus.status("it has succeeded") { report in
                report.jobs.first?.state == "succeeded"
            }
            #expect(report.allTasks.count == 2)
            let job = try #require(report.job(titled: "Copy the archive"))
            #expect(job.completed == 5 && job.detail == "" && job.reason == nil)
            #expect(job.process?.pid == Int(worker.pid))
            #expect(job.child(titled: "Copy the index")?.state == "succeeded")
            #expect(job.child(titled: "Copy the index")?.completed == 4)
            #expect(report.broker.sessions == 0)
        }
    }

    @Test("A child with a client of its own: both are shown, each with its process")
    func ownClient() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let worker = try bus.start(program: Programs.busWorker(), ["fork", "client"])
            #expect(try await worker.end() == .exited(0))
            guard worker.output.contains(#"{"acknowledged":true,"child":0}"#) else {
                // Seen once, on a busy machine: between fork and exec only async-signal-safe calls
                // are allowed, and the child of a process with threads makes others.
                withKnownIssue("the child of a fork died by a signal", isIntermittent: true) {
                    Issue.record("\(worker.output)")
                }
                return
            }
            let report = try await bus.status("both have succeeded") { report in
                report.jobs.count == 2 && report.jobs.allSatisfy { $0.state == "succeeded" }
            }
            let own = try #require(report.job(titled: "Copy the backup"))
            #expect(own.completed == 1)
            #expect(own.process?.pid != Int(worker.pid))
            #expect(report.job(titled: "Copy the archive")?.process?.pid == Int(worker.pid))
        }
    }
}
