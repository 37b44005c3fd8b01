import Foundation
import ProgressBus
import TaskTree
import TaskTree
import Testing

/// Followers see the same tree, whenever they come and however slowly they read.
@Suite("Followers", .serialized, .transcript, .timeLimit(.minutes(5)))
struct FollowerTests {
    @Test("A follower that joins late sees all that was said before it came")
    func lateFollower() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let worker = try bus.startReporter()
            worker.begin("job", "Large", #""total":600,"key":"large""#)
            for number in 0..<600 {
                let fields = #""parent":"job","total":10,"unit":"pages""#
                worker.begin("\(number)", "Part \(number)", fields)
                worker.update("\(number)", #""completed":\#(number % 10)"#)
                if number % 3 == 0 { worker.end("\(number)", "succeeded") }
            }
            try await worker.sync()

            let status = try await bus.status("600 parts") { report in
                report.job(titled: "Large")?.counts == .init(running: 400, succeeded: 200)
            }
            let job = try #require(status.job(titled: "Large"))
            let follower = bus.follower()
            defer { follower.close() }
            let board = try await follower.status(timeout: .seconds(20))
            let snapshot = try #require(board.jobs.first)
            // Those that began and ended within a tick may have been folded into a number.
            #expect(job.children.count + job.childrenLeftOut == 600)
            #expect(snapshot.children.count == job.children.count)
            #expect(snapshot.childrenLeftOut == job.childrenLeftOut)
            #expect(snapshot.fraction == job.fraction)
            #expect(snapshot.counts.succeeded == 200 && snapshot.counts.running == 400)
            for (mine, theirs) in zip(snapshot.children, job.children) {
                #expect(mine.id.description == theirs.id)
                #expect(mine.place == theirs.place && Int(mine.completed) == theirs.completed)
            }

            // And it goes on from there.
            var updates = follower.updates(of: .key("large"), depth: 0).makeAsyncIterator()
            let first = try #require(try await updates.next())
            #expect(first.fraction == snapshot.fraction)
            worker.end("1", "succeeded")
            worker.end("job", "succeeded")
            #expect(try await worker.process.finish() == .exited(0))
            var last = first
            while let update = try await updates.next() { last = update }
            // Its owner has said success, but the input ended before its children had: that shows.
            #expect(last.state.isEnded)
            #expect(last.counts.failed == 399)
        }
    }

    @Test("watch of a job that was stopped for 10 s ends with the final state")
    func stoppedFollower() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let worker = try bus.startReporter()
            worker.begin("job", "Watched", #""total":1000,"key":"watched""#)
            worker.begin("child", "Child", #""parent":"job","share":500,"total":500"#)
            try await worker.sync()
            let watch = try bus.start("watch", ["key:watched", "--json", "--no-autostart"])
            try await eventually("the watch shows the job", instead: { watch.output }) {
                try watch.watchedJobs().values.contains { $0.title == "Watched" }
            }
            watch.send(SIGSTOP)
            // The case itself: ten seconds of updates that the follower does not take.
            let clock = ContinuousClock()
            let begin = clock.now
            var completed = 0
            while begin.duration(to: clock.now) < .seconds(10) {
                completed = min(completed + 1, 499)
                worker.update("child", #""completed":\#(completed)"#)
                worker.begin("extra \(completed)", "Extra", #""parent":"job","share":0"#)
                worker.end("extra \(completed)", "succeeded")
                try await Task.sleep(for: .milliseconds(20))
            }
            let shown = try watch.watchEvents().count
            worker.update("job", #""completed":500"#)
            worker.end("child", "succeeded")
            worker.end("job", "succeeded")
            #expect(try await worker.process.finish() == .exited(0))
            #expect(try watch.watchEvents().count == shown, "it is stopped")
            watch.send(SIGCONT)
            #expect(try await watch.end(within: .seconds(60)) == .exited(0))
            let last = try #require(try watch.watchEvents().last { $0.event == "job" }?.job)
            #expect(last.state == "succeeded" && last.fraction == 1)
        }
    }

    @Test("A stopped follower of the board is as the board again when it continues")
    func stoppedBoardFollower() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let worker = try bus.startReporter()
            worker.begin("a", "First", #""total":100"#)
            worker.begin("b", "Second", #""total":100"#)
            try await worker.sync()
            let watch = try bus.start("watch", ["--json", "--no-autostart"])
            try await eventually("the watch shows both", instead: { watch.output }) {
                try watch.watchedJobs().count == 2
            }
            watch.send(SIGSTOP)
            // Enough that what is queued for the follower is dropped somewhere.
            for number in 0..<3_000 {
                worker.update("a", #""completed":\#(number % 90),"detail":"\#(number)""#)
                if number % 30 == 0 {
                    worker.begin("j\(number)", "Job \(number)", #""detail":"\#(number)""#)
                    worker.end("j\(number)", "failed", reason: "for the board")
                    try await worker.sync()
                }
            }
            worker.update("a", #""completed":77,"detail":"at rest""#)
            try await worker.sync()
            watch.send(SIGCONT)
            try await eventually("it shows what status shows", instead: { watch.errorOutput }) {
                let jobs = try watch.watchedJobs()
                return jobs.count == 102
                    && jobs.values.contains { $0.detail == "at rest" && $0.completed == 77 }
            }
            try await agree([watch], with: bus)
        }
    }

    @Test("Two followers and status agree, also after the broker was killed")
    func agreement() async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker("--linger", "600")
            let early = try bus.start("watch", ["--json", "--depth", "2", "--no-autostart"])
            let workers = try (0..<4).map { number in
                let worker = try bus.startReporter()
                worker.begin("job", "Job \(number)", #""total":10"#)
                for child in 0..<5 {
                    worker.begin("\(child)", "Child \(child)", #""parent":"job","total":3"#)
                }
                return worker
            }
            for worker in workers {
                worker.end("0", "succeeded")
                worker.update("1", #""completed":2"#)
                worker.end("2", "failed", reason: "no")
                try await worker.sync()
            }
            let late = try bus.start("watch", ["--json", "--depth", "2", "--no-autostart"])
            try await agree([early, late], with: bus)

            broker.send(SIGKILL)
            try await broker.end()
            for worker in workers { worker.update("3", #""completed":1"#) }
            _ = try await bus.startBroker("--linger", "600")
            for worker in workers {
                worker.end("job", "succeeded")
                try await worker.sync()
            }
            try await agree([early, late], with: bus)
            let lines = try early.watchEvents().map(\.event)
            #expect(lines.contains("disconnected"))
            #expect(lines.last { $0.hasSuffix("connected") } == "connected")
        }
    }

    @Test("A viewer sees messages and why a job left")
    func messages() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "1")
            let watch = try bus.start("watch", ["--json", "--no-autostart"])
            let worker = try bus.startReporter()
            worker.begin("job", "Talks")
            try await worker.sync()
            try await eventually("the job") { try watch.watchedJobs().count == 1 }
            worker.say(#"{"op":"log","id":"job","text":"a message with \"quotes\""}"#)
            try await eventually("the message", instead: { watch.output }) {
                try watch.watchEvents().contains {
                    $0.event == "log" && $0.text == "a message with \"quotes\""
                }
            }
            worker.end("job", "succeeded")
            let left = try await eventually("the job leaves", instead: { watch.output }) {
                try watch.watchEvents().first { $0.event == "left" }
            }
            #expect(left.job?.title == "Talks" && left.job?.state == "succeeded")
            #expect(left.reason?.isEmpty == false)
            let report = try await bus.status()
            #expect(report.jobs.isEmpty)
        }
    }

    /// Waits until every watch shows what status shows, and nothing else.
    private func agree(_ watches: [ChildProcess], with bus: TemporaryBus) async throws {
        var differences: [String] = ["nothing seen"]
        try await eventually("watches and status agree", instead: { "\(differences)" }) {
            guard let report = try? await bus.status(), !report.broker.settling else {
                return false
            }
            differences = try watches.flatMap { watch -> [String] in
                let jobs = try watch.watchedJobs()
                return report.jobs.flatMap { job -> [String] in
                    guard let seen = jobs[job.id] else { return ["\(job.title) is missing"] }
                    let mine = StatusReport(broker: report.broker, jobs: [seen])
                    let theirs = StatusReport(broker: report.broker, jobs: [job])
                    return mine.differences(from: theirs)
                }
            }
            return differences.isEmpty
        }
    }
}
