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
                        shared.stage.withLock { $0.machine.marked(job, at: $0.now) }
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
}

/// A stage that several threads act on.
private final class SharedStage: Sendable {
    let stage = Mutex(Stage())
}
