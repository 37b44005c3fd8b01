import Foundation
import ProgressBus
import ProgressBus
import Synchronization
import TaskTree
import Testing

/// A worker without a broker works as if there were no bus.
@Suite("Alone", .serialized, .transcript, .timeLimit(.minutes(5)))
struct AloneTests {
    private struct Measured: Decodable {
        var growth: Int
        var nanosecondsPerUpdate: Double
        var returned: Double
    }

    @Test("10 million updates to 1,000 tasks without a broker: no growth, no noise, a quick exit")
    func alone() async throws {
        try await withBus { bus in
            let worker = try bus.start(
                program: Programs.busWorker(),
                ["alone", "10000000", "1000"]
            )
            let ended = Mutex<Double?>(nil)
            let pid = worker.pid
            Thread.detachNewThread {
                // Looks without collecting it, and without sharing a thread with other tests.
                var information = siginfo_t()
                while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0,
                    errno == EINTR
                {}
                ended.withLock { $0 = Self.monotonicSeconds() }
            }
            #expect(try await worker.finish(within: .seconds(120)) == .exited(0))
            let measured = try JSONDecoder().decode(Measured.self, from: Data(worker.output.utf8))
            let end = try await eventually("the moment of its end") { ended.withLock { $0 } }
            let exit = end - measured.returned
            print(
                "alone: \(measured.nanosecondsPerUpdate) ns an update, \(measured.growth) bytes "
                    + "more, exit in \(exit * 1_000) ms"
            )
            // Four pages of malloc are not growth; 10^7 updates of even one byte would be.
            #expect(measured.growth < 1_048_576)
            #expect(exit < 1.0, "expected below 0.1 s")
            #expect(worker.errorOutput.isEmpty, "no broker is no reason to complain")
        }
    }

    @Test("A worker told of an endpoint that cannot be used works and says so once")
    func uselessEndpoint() async throws {
        try await withBus { bus in
            let worker = try bus.start(
                program: Programs.busWorker(),
                ["short", "--close"],
                adding: ["PROGRESSBUS_ENDPOINT": "gopher://nowhere"]
            )
            #expect(try await worker.finish() == .exited(0))
            #expect(worker.errorOutput.split(separator: "\n").count <= 1)
        }
    }

    @Test("A wait for a broker that has been stopped ends when the Swift task is cancelled")
    func cancelledWaits() async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker()
            let client = bus.client()
            let job = client.beginJob("Job")
            #expect(await client.sync())
            broker.send(SIGSTOP)
            try await eventually("stopped") { processState(broker.pid) == "T" }
            job.succeed()
            let syncing = Task { await client.sync(timeout: .seconds(600)) }
            let closing = Task { await client.close(timeout: .seconds(600)) }
            try await Task.sleep(for: .milliseconds(100))
            for waiting in [syncing, closing] {
                waiting.cancel()
                #expect(await waiting.value == false)
            }
            broker.send(SIGCONT)
            // What was left is told all the same.
            try await bus.status("the ending") { $0.jobs.first?.state == "succeeded" }
        }
    }

    @Test("Closing again says the same, also in the moment after")
    func closedAgain() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker()
            for number in 0..<20 {
                let client = bus.client()
                client.beginJob("Job \(number)").succeed()
                #expect(await client.close(timeout: .seconds(20)))
                #expect(await client.close(timeout: .seconds(20)), "job \(number)")
            }
        }
    }

    @Test("A worker that begins without a broker is seen whole once there is one")
    func brokerComesLater() async throws {
        try await withBus { bus in
            let client = bus.client()
            let job = client.beginJob("Early", total: 1_000)
            for _ in job.tracking(0..<400) {}
            let child = job.beginChild("Child", share: 100, total: 2)
            child.advance()
            #expect(!client.isConnected)
            #expect(await client.sync(timeout: .milliseconds(50)) == false)
            _ = try await bus.startBroker()
            try await eventually("connected") { client.isConnected }
            #expect(await client.sync(timeout: .seconds(20)))
            let report = try await bus.status("the early job") { $0.job(titled: "Early") != nil }
            let seen = try #require(report.job(titled: "Early"))
            #expect(seen.id == job.id.description)
            #expect(seen.completed == 400)
            #expect(seen.fraction == 0.45)
            child.succeed()
            job.succeed()
            #expect(await client.close(timeout: .seconds(20)))
            try await bus.status("the ending") { $0.job(titled: "Early")?.state == "succeeded" }
        }
    }

    private static func monotonicSeconds() -> Double {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }
}
