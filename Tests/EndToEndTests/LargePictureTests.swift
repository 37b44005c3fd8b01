import Foundation
import ProgressBus
import Testing

/// How long the broker may say nothing is limited, not how long it takes to say everything.
@Suite("Large pictures", .serialized, .transcript, .timeLimit(.minutes(5)))
struct LargePictureTests {
    @Test("1,000 jobs of two children each: status, watch --once and cancel get all they need")
    func manyJobs() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let client = bus.client()
            for number in 0..<1_000 {
                let job = client.beginJob("Job \(number)", total: 2)
                for child in 0..<2 { job.beginChild("Child \(child)", share: 1, total: 10) }
            }
            #expect(await client.sync(timeout: .seconds(60)))
            let status = try await bus.run("status", "--json", within: .seconds(60))
            #expect(status.end == .exited(0), "\(status.errorOutput)")
            let report = try JSONDecoder().decode(
                StatusReport.self,
                from: Data(status.output.utf8)
            )
            #expect(report.jobs.count == 1_000)
            // A picture of all has the children of so many.
            #expect(report.jobs.count { $0.children.count == 2 } >= 500)
            let once = try await bus.run("watch", "--once", "--plain", within: .seconds(60))
            #expect(once.end == .exited(0), "\(once.errorOutput)")
            #expect(once.output.contains("Job 999"))
            let cancel = try await bus.run("cancel", "1000", "--yes", within: .seconds(60))
            #expect(cancel.end != .exited(75), "\(cancel.errorOutput)")
            _ = await client.close(timeout: .seconds(5))
        }
    }

    @Test("a broker that is silent for less than --timeout: status waits; for more: 75")
    func silence() async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker()
            broker.send(SIGSTOP)
            let patient = try bus.start(
                program: Programs.progressbus(),
                ["status", "--json", "--timeout", "60"]
            )
            let impatient = try await bus.run("status", "--timeout", "0.5")
            #expect(impatient.end == .exited(75), "\(impatient)")
            let usual = try await bus.run("status")
            #expect(usual.end == .exited(75), "\(usual)")
            broker.send(SIGCONT)
            #expect(try await patient.finish() == .exited(0), "\(patient.errorOutput)")
            for wrong in ["0", "-1", "601", "nan"] {
                let result = try await bus.run("status", "--timeout=\(wrong)")
                #expect(result.end == .exited(64), "\(wrong)")
            }
        }
    }
}
