import Foundation
import Testing

/// `progressbus wait`, as a script sees it.
@Suite("Waiting from the shell", .serialized, .transcript, .timeLimit(.minutes(5)))
struct WaitTests {
    @Test("all have succeeded: 0 and a line for each; what has ended already counts")
    func succeeded() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let worker = try bus.startReporter()
            for id in ["a", "b"] { worker.begin(id, "Job \(id)") }
            worker.end("a", "succeeded")
            try await worker.sync()
            let wait = try bus.start("wait", ["Job a", "Job b"])
            try await eventually("the first line") { wait.output.contains("Job a: done") }
            #expect(wait.endIfAny() == nil, "the other still runs")
            worker.end("b", "succeeded")
            #expect(try await wait.end() == .exited(0), "\(wait.errorOutput)")
            #expect(wait.output.split(separator: "\n").count == 2, "\(wait.output)")
        }
    }

    @Test(
        "the worst end decides",
        arguments: [
            (["succeeded", "failed"], 1), (["cancelled", "failed"], 1), (["cancelled"], 4),
            (["succeeded", "cancelled"], 4),
        ] as [([String], Int32)]
    )
    func worst(ends: [String], code: Int32) async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let worker = try bus.startReporter()
            for (number, end) in ends.enumerated() {
                worker.begin("\(number)", "Job \(number)")
                worker.end("\(number)", end)
            }
            try await worker.sync()
            let names = ends.indices.map { "Job \($0)" }
            let wait = try await bus.run("wait", names)
            #expect(wait.end == .exited(code), "\(wait)")
        }
    }

    @Test("lost with its process: 3")
    func lost() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker()
            let worker = try bus.startReporter()
            worker.begin("a", "Doomed")
            try await worker.sync()
            let wait = try bus.start("wait", ["Doomed"])
            worker.process.send(SIGKILL)
            #expect(try await wait.end() == .exited(3), "\(wait.errorOutput)")
            #expect(wait.output.contains("lost"), "\(wait.output)")
        }
    }

    @Test("--timeout 0 looks once: what has ended counts, what runs has no more time")
    func look() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let worker = try bus.startReporter()
            worker.begin("a", "Over")
            worker.end("a", "succeeded")
            worker.begin("b", "Under way")
            try await worker.sync()
            for _ in 0..<5 {
                let over = try await bus.run("wait", "Over", "--timeout", "0")
                #expect(over.end == .exited(0) && over.output.contains("Over: done"), "\(over)")
                let running = try await bus.run("wait", "Under way", "--timeout", "0")
                #expect(running.end == .exited(124), "\(running)")
            }
        }
    }

    @Test("where no broker ever was: 69, and none is started")
    func nobody() async throws {
        try await withBus { bus in
            let wait = try await bus.run("wait", "anything")
            #expect(wait.end == .exited(69), "\(wait)")
            let status = try await bus.run("status", "--no-autostart")
            #expect(status.end == .exited(69), "\(status)")
        }
    }

    @Test("--any ends with the first; --timeout with 124; an unknown name at once with 65")
    func limits() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let worker = try bus.startReporter()
            worker.begin("a", "Long")
            worker.begin("b", "Short")
            worker.end("b", "failed", reason: "no paper")
            try await worker.sync()
            let any = try await bus.run("wait", "--any", "Long", "Short")
            #expect(any.end == .exited(1) && any.output.contains("no paper"), "\(any)")
            let late = try await bus.run("wait", "Long", "--timeout", "0.2")
            #expect(late.end == .exited(124) && late.errorOutput.contains("time is up"), "\(late)")
            let none = try await bus.run("wait", "Long", "Nothing")
            #expect(none.end == .exited(65) && none.errorOutput.contains("Nothing"), "\(none)")
        }
    }

    @Test("a broker that is killed meanwhile: another is started, and the end is told")
    func restart() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let worker = try bus.startReporter()
            worker.begin("a", "Patient")
            try await worker.sync()
            let wait = try bus.start("wait", ["Patient"])
            // It has asked which task is meant, is about to, or looks for the broker.
            try #require(kill(try #require(bus.brokerPID), SIGKILL) == 0)
            try await bus.status("the job on the next broker") { $0.jobs.count == 1 }
            worker.end("a", "succeeded")
            #expect(try await wait.end() == .exited(0), "\(wait.errorOutput)")
        }
    }
}
