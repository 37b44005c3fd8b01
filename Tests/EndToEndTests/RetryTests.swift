import Foundation
import TestSupport
import Testing

/// A ticket whose holder has gone or failed is given to the next one.
@Suite("Retries", .serialized, .transcript, .timeLimit(.minutes(10)))
struct RetryTests {
    @Test("A ticket redeemed again: attempt 2 in the same place, without the children of attempt 1")
    func secondAttempt() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let parent = try bus.startReporter("--title", "Parent")
            parent.begin("other", "Other", #""parent":"root","total":10"#)
            parent.update("other", #""completed":5"#)
            let ticket = try await parent.ticket("Part", under: "root", #""share":3"#)
            let first = try bus.startReporter(adding: ["PROGRESSBUS_TICKET": ticket])
            first.update("root", #""total":8"#)
            for number in 0..<3 {
                first.begin("\(number)", "Child \(number)", #""parent":"root","total":4"#)
                first.update("\(number)", #""completed":2"#)
            }
            for worker in [parent, first] { try await worker.sync() }
            let before = try await bus.status("three children") { report in
                report.job(titled: "Parent")?.counts == .init(running: 5)
            }
            let former = try #require(before.job(titled: "Parent")?.child(titled: "Part"))
            #expect(former.children.count == 3 && former.attempt == 1)

            first.process.send(SIGKILL)
            try await bus.status("the first is lost", within: .seconds(60)) { report in
                report.task(former.id)?.state == "lost"
            }
            let second = try bus.startReporter(adding: ["PROGRESSBUS_TICKET": ticket])
            second.update("root", #""total":8,"completed":1"#)
            second.begin("only", "Only child", #""parent":"root","total":4"#)
            second.update("only", #""completed":1"#)
            try await second.sync()
            let after = try await bus.status("only the second counts") { report in
                report.job(titled: "Parent")?.counts == .init(running: 3)
            }
            let part = try #require(after.task(former.id))
            #expect(part.attempt == 2 && part.place == former.place && part.share == 3)
            #expect(part.state == "running" && part.completed == 1 && part.detail == "")
            #expect(part.reason == nil && part.exit == nil)
            #expect(part.process?.pid == Int(second.process.pid))
            #expect(part.children.map(\.title) == ["Only child"])
            #expect(part.counts == .init(running: 1))
            second.end("only", "succeeded")
            second.end("root", "succeeded")
            #expect(try await second.process.finish() == .exited(0))
            try await bus.status("the second has done it") { report in
                report.task(former.id)?.state == "succeeded"
                    && report.job(titled: "Parent")?.counts == .init(running: 1, succeeded: 2)
            }
        }
    }

    /// Where the broker is killed; `KillSwitch` of the broker says what the points are.
    static let points = [
        "before-journal", "while-journalling", "after-journal", "after-acknowledgement",
        "before-publication", "after-publication",
    ]
    /// Decide at which passage of a point.
    static let seeds: [UInt64] = [1, 2, 3, 4]

    @Test(
        "A broker killed between two actions: redemptions, attempts and endings are as promised",
        arguments: points,
        seeds
    )
    func killedBroker(point: String, seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        // There are some 30 batches and some 60 publications in all.
        let passage = Int.random(in: 2...28, using: &random)
        try await withBus { bus in
            let killer = try KilledBroker(bus, at: "\(point):\(passage)")
            try await eventually("a broker listens") { bus.isListening }
            let follower = Sightings(of: bus.follower())
            defer { follower.close() }
            let parent = try bus.startReporter("--title", "Pool")
            var tickets: [String] = []
            for number in 0..<6 {
                tickets.append(try await parent.ticket("Part \(number)", under: "root"))
            }
            try await parent.syncWithSomeBroker()
            let passed = try await withThrowingTaskGroup(of: Promise.self) { group in
                for (number, ticket) in tickets.enumerated() {
                    group.addTask { try await Self.work(number, ticket: ticket, on: bus) }
                }
                return try await group.reduce(into: [Promise]()) { $0.append($1) }
            }
            try await parent.syncWithSomeBroker()
            // Where the point was not passed so often it dies now.
            try await killer.finish()
            let report = try await Self.status(of: passed, on: bus)
            // Everything is on disk by now: the next one knows it without those who have left.
            try await killer.restart()
            let next = try await Self.status(of: passed, on: bus)
            #expect(next.differences(from: report) == [], "\(point):\(passage)")
        }
    }

    /// What a worker was promised about a ticket.
    private struct Promise {
        var title: String
        var state: String
        var attempt: Int
        var children: Int
    }

    /// One or two attempts; each says how it ends and leaves when that is acknowledged.
    private static func work(
        _ number: Int,
        ticket: String,
        on bus: TemporaryBus
    ) async throws -> Promise {
        let attempts = number % 3 == 0 ? 1 : 2
        var promise = Promise(
            title: "Part \(number)",
            state: "",
            attempt: 0,
            children: 0
        )
        for attempt in 1...attempts {
            let worker = try bus.startReporter(adding: ["PROGRESSBUS_TICKET": ticket])
            worker.update("root", #""total":10,"completed":\#(attempt)"#)
            for child in 0..<attempt {
                worker.begin("\(child)", "Child \(child)", #""parent":"root","total":2"#)
                // Keeps it from being folded away.
                worker.say(#"{"op":"log","id":"\#(child)","text":"begun"}"#)
            }
            try await worker.syncWithSomeBroker()
            for child in 0..<attempt { worker.end("\(child)", "succeeded") }
            let state = attempt < attempts || number == 3 ? "failed" : "succeeded"
            worker.end("root", state, reason: "attempt \(attempt)")
            let end = try await worker.process.finish()
            #expect(end == .exited(0), "\(worker.process.errorOutput)")
            promise.state = state
            promise.attempt = attempt
            promise.children = attempt
        }
        return promise
    }

    private static func status(
        of promises: [Promise],
        on bus: TemporaryBus
    ) async throws -> StatusReport {
        try await bus.status("what was promised", within: .seconds(30)) { report in
            guard !report.broker.settling, let pool = report.job(titled: "Pool"),
                pool.state == "running", pool.children.count == promises.count
            else { return false }
            return promises.allSatisfy { promise in
                guard let part = pool.child(titled: promise.title) else { return false }
                return part.state == promise.state && part.attempt == promise.attempt
                    && part.completed == promise.attempt
                    && part.counts == .init(succeeded: promise.children)
            }
        }
    }
}

extension Reporter {
    /// Returns once a broker has acknowledged everything, whoever is there meanwhile.
    ///
    /// A sync of a worker that no broker has ever welcomed says at once that nobody listens.
    fileprivate func syncWithSomeBroker() async throws {
        try await eventually("a broker has it", within: .seconds(40), every: .milliseconds(100)) {
            do {
                try await sync()
                return true
            } catch is NeverHappened {
                return false
            }
        }
    }
}

/// A broker that is to die at a point, and the one that takes its place.
private final class KilledBroker: Sendable {
    private let bus: TemporaryBus
    private let first: ChildProcess
    private let next: Task<ChildProcess, any Error>

    /// Starts a broker that dies at `point`; another takes its place as soon as it is dead.
    init(_ bus: TemporaryBus, at point: String) throws {
        self.bus = bus
        let broker = try bus.start(
            "broker",
            ["--linger", "600", "--idle-exit", "300"],
            adding: ["PROGRESSBUS_KILL_FOR_TEST": point]
        )
        first = broker
        next = Task {
            let end = try await broker.end(within: .seconds(120))
            #expect(end == .signalled(SIGKILL))
            return try await bus.startBroker("--linger", "600")
        }
    }

    /// Kills the first one if it still lives; returns when the second listens.
    func finish() async throws {
        first.send(SIGKILL)
        _ = try await next.value
    }

    /// Kills the second one too and starts a third.
    func restart() async throws {
        let broker = try await next.value
        broker.send(SIGKILL)
        try await broker.end()
        _ = try await bus.startBroker("--linger", "600")
    }
}
