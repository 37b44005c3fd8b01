import Foundation
import ProgressBus
import Testing

/// A cancel reaches what begins after it, code that only knows Swift's cancellation, and crowds.
@Suite("Halting", .serialized, .transcript, .timeLimit(.minutes(5)))
struct HaltingTests {
    @Test("who begins a child or takes a ticket below a cancelled job is told at once")
    func lateChildren() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let parent = try bus.startReporter("--title", "Parent", "--cancellable")
            let ticket = try await parent.ticket("Part", under: "root")
            try await parent.sync()
            let report = try await bus.status("a job") { $0.job(titled: "Parent") != nil }
            let id = try #require(report.job(titled: "Parent")?.id)
            #expect(try await bus.run("cancel", "key:Parent").end == .exited(0))

            let redeemer = try bus.startReporter(
                "--cancellable",
                adding: ["PROGRESSBUS_TICKET": ticket]
            )
            try await redeemer.event("a cancel") { $0.event == "cancel" && $0.id == "root" }
            let child = try bus.startReporter(
                "--title",
                "Late",
                "--cancellable",
                adding: ["PROGRESSBUS_PARENT": id]
            )
            try await child.event("a cancel") { $0.event == "cancel" && $0.id == "root" }
        }
    }

    @Test("withChild: code that only sleeps is cancelled with a job of another process")
    func swiftCancellation() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let parent = try bus.startReporter("--title", "Parent", "--cancellable")
            let ticket = try await parent.ticket("Part", under: "root")
            try await parent.sync()
            let client = bus.client()
            let part = try #require(client.redeem(ticket))
            let work = Task {
                try await part.withChild("Outer", share: 1) { outer in
                    try await outer.withChild("Inner", share: 1) { _ in
                        try await Task.sleep(for: .seconds(600))
                    }
                }
            }
            try await bus.status("all of them run") { report in
                report.job(titled: "Parent")?.counts.running == 3
            }
            #expect(try await bus.run("cancel", "key:Parent").end == .exited(0))
            await #expect(throws: CancellationError.self) { try await work.value }
            try await bus.status("two cancelled parts") { report in
                report.job(titled: "Parent")?.counts == .init(running: 1, cancelled: 2)
            }
            // What begins now has been asked to stop before it began.
            await #expect(throws: CancellationError.self) {
                try await part.withChild("Late", share: 1) { _ in
                    try await Task.sleep(for: .seconds(600))
                }
            }
            part.endCancelled()
            #expect(await client.close(timeout: .seconds(20)))
        }
    }

    @Test("withChild in a Swift task that is cancelled: the part ends as cancelled on the bus")
    func cancelledSwiftTask() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let client = bus.client()
            let job = client.beginJob("Library")
            let work = Task {
                try await job.withChild("Endless", share: 1) { _ in
                    try await Task.sleep(for: .seconds(600))
                }
            }
            try await bus.status("it runs") { $0.job(titled: "Library")?.counts.running == 1 }
            work.cancel()
            await #expect(throws: CancellationError.self) { try await work.value }
            try await bus.status("cancelled, and the job goes on") { report in
                report.job(titled: "Library")?.counts == .init(cancelled: 1)
                    && report.job(titled: "Library")?.state == "running"
            }
        }
    }

    @Test("a cancel to 200 sessions in ten processes: every one of them answers, then ends")
    func manySessions() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let parent = try bus.startReporter("--title", "Crowd")
            try await parent.sync()
            let report = try await bus.status("a job") { $0.job(titled: "Crowd") != nil }
            let id = try #require(report.job(titled: "Crowd")?.id)
            let program = try Programs.busWorker()
            let workers = try (0..<10).map { _ in
                try bus.start(
                    program: program,
                    ["sessions", "20"],
                    adding: ["PROGRESSBUS_PARENT": id]
                )
            }
            for worker in workers {
                try await eventually("20 sessions", within: .seconds(90)) {
                    worker.outputLines.first == "ready" ? true : nil
                }
            }
            let viewer = try bus.start(program: program, ["cancel", "id:\(id)"])
            #expect(try await viewer.finish() == .exited(0))
            print("a cancel to 200 sessions: \(viewer.output)")
            // The crowd's own job cannot be cancelled, and says so.
            #expect(viewer.output.hasPrefix(#"{"sessions":201,"accepted":200,"processes":11,"#))
            for worker in workers {
                #expect(try await worker.finish(within: .seconds(60)) == .exited(0))
                #expect(worker.outputLines.last == #"{"cancelled":20}"#)
            }
        }
    }
}
