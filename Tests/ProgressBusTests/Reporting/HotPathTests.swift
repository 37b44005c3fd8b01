import Synchronization
import TaskTree
import Testing

@testable import ProgressBus

@Suite("The hot path")
struct HotPathTests {
    @Test("Ten million advances of a thousand tasks without a broker keep nothing")
    func noGrowth() {
        let bus = BusClient(ClientTests.nowhere)
        let job = bus.beginJob("Count everything", total: 10_000_000)
        let tasks = (0..<1_000).map { job.beginChild("Part \($0)", total: 10_000) }
        for _ in 0..<100 {
            for task in tasks {
                for _ in 0..<100 { task.advance() }
            }
        }
        #expect(tasks.allSatisfy { $0.completed == 10_000 })
        let (changed, queued, count) =
            bus.reporter.peek {
                ($0.reports.changed.count, $0.endings.queue.count, $0.tasks.count)
            } ?? (-1, -1, -1)
        #expect(changed == 0)
        #expect(queued == 0)
        #expect(count == 1_001)
    }

    @Test("No advance is lost among threads that race with the ticks")
    func racing() async throws {
        let shared = SharedStage()
        let job = shared.stage.withLock { stage in
            stage.connect()
            return stage.begin(total: 400_000)
        }
        let cell = try #require(shared.stage.withLock { $0.machine.tasks[job] })
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<100_000 where cell.advance(by: 1) {
                        shared.stage.withLock { $0.machine.list(job, at: $0.now) }
                    }
                }
            }
            group.addTask {
                for _ in 0..<2_000 {
                    shared.stage.withLock { $0.pass(milliseconds: 50) }
                    await Task.yield()
                }
            }
        }
        shared.stage.withLock { stage in
            stage.pass(milliseconds: 200)
            #expect(stage.reported(job) == 400_000)
        }
    }

    @Test(
        "No advance is lost between threads, whichever of them comes first and which tasks it has"
    )
    func threads() async {
        let bus = BusClient(ClientTests.nowhere)
        let job = bus.beginJob("Count everything")
        let tasks = (0..<5).map { job.beginChild("Part \($0)") }
        let sums = await withTaskGroup(of: ProgressTask.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let child = job.beginChild("Part of thread \(number)")
                    for step in 0..<50_000 {
                        job.advance()
                        tasks[(step + number) % 5].advance(by: 2)
                        // Goes on on any thread, which need not be the child's.
                        if step % 1_000 == 0 { await Task.yield() }
                        child.advance(by: 3)
                    }
                    return child
                }
            }
            return await group.reduce(into: []) { $0.append($1.completed) }
        }
        #expect(sums == Array(repeating: 150_000, count: 8))
        #expect(job.completed == 400_000)
        #expect(tasks.map(\.completed) == Array(repeating: 160_000, count: 5))
    }

    @Test("What several threads say in all never adds up")
    func completing() async {
        let bus = BusClient(ClientTests.nowhere)
        for round in 0..<300 {
            let task = bus.beginJob("Count everything")
            await withTaskGroup { group in
                group.addTask { for _ in 0..<100 { task.advance() } }
                group.addTask { for amount in 1_000...1_100 { task.complete(amount) } }
                group.addTask { for amount in 1_500...1_600 { task.complete(amount) } }
            }
            // One of them was the last; steps that it did not see come on top.
            let isOne = (1_100...1_200).contains(task.completed)
            let isOther = (1_600...1_700).contains(task.completed)
            #expect(isOne || isOther, "round \(round): \(task.completed)")
            task.complete(42)
            #expect(task.completed == 42)
            task.succeed()
        }
    }
}

/// A stage that several threads act on.
private final class SharedStage: Sendable {
    let stage = Mutex(Stage())
}
