import Foundation
import Synchronization
import Testing

/// Many short lives, and many that want the same ticket.
@Suite("Many workers", .serialized, .transcript, .timeLimit(.minutes(5)))
struct ManyWorkersTests {
    enum Inheritance: CaseIterable {
        case parent, ticket
    }

    @Test("500 workers that live for a moment: 500 endings", arguments: Inheritance.allCases)
    func shortLives(inheritance: Inheritance) async throws {
        try await withBus { bus in
            let lives = ShortLives(bus, inheritance, count: 500)
            try await lives.begin()
            let median = try await lives.live(["short", "--close"], atATime: 16) { worker in
                #expect(worker.output == "{\"acknowledged\":true}\n")
            }
            print("500 workers, \(inheritance): median life \(median)")
            let report = try await bus.status("500 endings under one job") { report in
                report.job(titled: "Parent")?.counts == .init(succeeded: 500)
            }
            let job = try #require(report.job(titled: "Parent"))
            #expect(job.children.count + job.childrenLeftOut == 500)
            #expect(job.children.allSatisfy { $0.completed == 1 && $0.fraction == 1 })
            #expect(job.children.allSatisfy { $0.attempt == 1 })
            #expect(report.jobs.count == 1)
        }
    }

    @Test("Workers that return from main without close() have their endings counted")
    func withoutClose() async throws {
        try await withBus { bus in
            let lives = ShortLives(bus, .parent, count: 100)
            try await lives.begin()
            let median = try await lives.live(["short"], atATime: 1) { worker in
                #expect(worker.output.isEmpty)
            }
            print("100 workers without close(): median life \(median)")
            // The end of a process waits 100 ms at most. All endings are counted, beside four busy
            // loops too; a half is asked for, should a machine be slower than that.
            let report = try await bus.status("50 endings under one job") { report in
                (report.job(titled: "Parent")?.counts.succeeded ?? 0) >= 50
            }
            #expect(report.job(titled: "Parent")?.counts.failed == 0)
        }
    }

    @Test("Of 20 processes that inherit one ticket at once one holds it and 19 are its children")
    func oneTicket() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let coordinator = try bus.startReporter("--title", "Parent")
            let ticket = try await coordinator.ticket("Shared", under: "root")
            let workers = try (0..<20).map { _ in
                try bus.startReporter(adding: ["PROGRESSBUS_TICKET": ticket])
            }
            for worker in workers { try await worker.sync() }
            let pids = Set(workers.map { Int($0.process.pid) })
            let report = try await bus.status("one holder with 19 children") { report in
                report.job(titled: "Parent")?.counts == .init(running: 20)
            }
            let job = try #require(report.job(titled: "Parent"))
            try #require(job.children.count == 1, "\(report)")
            let held = job.children[0]
            #expect(ticket.hasSuffix(held.id))
            #expect(held.children.count == 19)
            #expect(job.subtree.allSatisfy { $0.attempt == 1 })
            let owners = Set(held.subtree.compactMap(\.process?.pid))
            #expect(owners == pids, "every process has exactly one of the 20 tasks")
            #expect(Set(held.children.compactMap(\.place)).count == 19)

            for worker in workers { worker.end("root", "succeeded") }
            for worker in workers { #expect(try await worker.process.finish() == .exited(0)) }
            try await bus.status("twenty endings, still one attempt") { report in
                let tasks = report.job(titled: "Parent")?.subtree.dropFirst() ?? []
                return tasks.count == 20
                    && tasks.allSatisfy { $0.state == "succeeded" && $0.attempt == 1 }
            }
        }
    }

    @Test("A ticket whose holder has died is continued by the next as attempt 2 in its place")
    func secondAttempt() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let coordinator = try bus.startReporter("--title", "Parent")
            let ticket = try await coordinator.ticket("Retried", under: "root", #""share":3"#)
            let first = try bus.startReporter(adding: ["PROGRESSBUS_TICKET": ticket])
            first.update("root", #""total":10,"completed":4"#)
            first.end("root", "failed", reason: "first try")
            #expect(try await first.process.finish() == .exited(0))
            let before = try await bus.status("a failed attempt") { report in
                report.job(titled: "Parent")?.counts == .init(failed: 1)
            }
            let second = try bus.startReporter(adding: ["PROGRESSBUS_TICKET": ticket])
            second.update("root", #""total":10,"completed":1"#)
            try await second.sync()
            let during = try await bus.status("a second attempt") { report in
                report.job(titled: "Parent")?.children.first?.attempt == 2
            }
            let former = try #require(before.jobs[0].children.first)
            let now = try #require(during.jobs[0].children.first)
            #expect(now.id == former.id && now.place == former.place && now.share == 3)
            #expect(now.state == "running" && now.completed == 1 && now.reason == nil)
            second.end("root", "succeeded")
            #expect(try await second.process.finish() == .exited(0))

            // After success nobody takes it up again, and nobody is harmed by trying.
            let third = try bus.startReporter(adding: ["PROGRESSBUS_TICKET": ticket])
            third.update("root", #""completed":9"#)
            third.end("root", "failed", reason: "too late")
            #expect(try await third.process.finish() == .exited(0))
            let after = try await bus.status()
            #expect(after.allTasks.count == 2, "\(after)")
            #expect(after.job(titled: "Parent")?.counts == .init(succeeded: 1))
        }
    }
}

/// A job whose children are processes that begin, advance once and succeed.
private final class ShortLives: Sendable {
    private let bus: TemporaryBus
    private let inheritance: ManyWorkersTests.Inheritance
    private let count: Int
    private let inherited = Mutex<[[String: String]]>([])
    private let lives = Mutex<[Duration]>([])

    init(_ bus: TemporaryBus, _ inheritance: ManyWorkersTests.Inheritance, count: Int) {
        self.bus = bus
        self.inheritance = inheritance
        self.count = count
    }

    /// Starts the broker and the job.
    func begin() async throws {
        _ = try await bus.startBroker("--linger", "600")
        let coordinator = try bus.startReporter("--title", "Parent")
        try await coordinator.sync()
        switch inheritance {
        case .parent:
            let report = try await bus.status("the parent") { $0.job(titled: "Parent") != nil }
            let parent = ["PROGRESSBUS_PARENT": report.jobs[0].id]
            inherited.withLock { $0 = Array(repeating: parent, count: count) }
        case .ticket:
            let tickets = try await coordinator.tickets(count)
            inherited.withLock { $0 = tickets.map { ["PROGRESSBUS_TICKET": $0] } }
        }
    }

    /// Runs all of them, some at a time; returns the median of their lives.
    func live(
        _ arguments: [String],
        atATime limit: Int,
        _ check: @escaping @Sendable (ChildProcess) -> Void
    ) async throws -> Duration {
        let program = try Programs.busWorker()
        try await concurrently(inherited.withLock { $0 }, atATime: limit) { [self] environment in
            let began = ContinuousClock.now
            let worker = try bus.start(program: program, arguments, adding: environment)
            let end = try await worker.finish()
            lives.withLock { $0.append(began.duration(to: .now)) }
            #expect(end == .exited(0))
            check(worker)
        }
        return lives.withLock { $0.sorted()[count / 2] }
    }
}

extension Reporter {
    /// Makes many tickets under its own task and returns their texts.
    fileprivate func tickets(_ count: Int) async throws -> [String] {
        for number in 0..<count {
            say(#"{"op":"ticket","id":"\#(number)","parent":"root","title":"Part \#(number)"}"#)
        }
        return try await eventually("\(count) tickets") {
            let tickets = events.compactMap(\.ticket)
            return tickets.count == count ? tickets : nil
        }
    }
}
