import Foundation
import ProgressBus
import Testing

@Suite("Runs of one job, one after the other") struct RerunTests {
    @Test("three nights that fail and one that succeeds are one row, until somebody dismisses it")
    func nights() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker()
            for _ in 1...3 {
                let failed = try await bus.run("run", "--title", "nightly", "--", "false")
                #expect(failed.end == .exited(1), "\(failed)")
            }
            _ = try await bus.run("run", "--title", "nightly", "--", "true")
            let board = try await bus.status("ended") {
                $0.jobs.allSatisfy { $0.state != "running" }
            }
            #expect(board.jobs.map(\.slot) == [1])
            let job = try #require(board.jobs.first)
            #expect(job.state == "succeeded")
            #expect(job.needsAttention)
            #expect(job.note == "run 4; run 3 failed (3 failures): exit status 1")
            let said = try await bus.run("status")
            #expect(said.output.contains("nightly: done"), "\(said)")
            #expect(said.output.contains("run 3 failed"), "\(said)")
            let dismissed = try await bus.run("dismiss", "--failed")
            #expect(dismissed.end == .exited(0), "\(dismissed)")
            _ = try await bus.status("none") { $0.jobs.isEmpty }
        }
    }
}
