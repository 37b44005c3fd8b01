import BusProtocol
import Synchronization
import TaskTree
import Testing

@testable import ProgressBus

/// What happens to a parent with very many children is linear in them: it happens under the lock
/// that every other call of the client waits for.
//
// Bounds in debug builds, ten times what was measured on two busy cores.
@Suite("Very many children", .serialized)
struct ManyChildrenTests {
    private static let count = 200_000

    /// A job with that many children that run, below groups of this size; each with a Swift task.
    private func crowd(_ stage: inout Stage, group: Int = .max) -> UInt64 {
        let job = stage.begin()
        var above = job
        for number in 0..<Self.count {
            if number > 0, number % group == 0 { above = stage.begin(under: job) }
            let child = stage.begin(under: above)
            _ = stage.machine.setBody(child) {}
        }
        return job
    }

    private func seconds(_ body: () -> Void) -> Double {
        let clock = ContinuousClock()
        return clock.measure(body) / .seconds(1)
    }

    @Test("A parent fails: every child is cancelled once", arguments: [Int.max, 1_000])
    func fails(group: Int) {
        var stage = Stage()
        let job = crowd(&stage, group: group)
        var effects = RequestEffects()
        let took = seconds { effects = stage.end(job, .failed(reason: "no space")) }
        #expect(effects.cancelled.count == Self.count)
        let isRunning = stage.machine.tasks.values.contains { !$0.isEnded }
        #expect(!isRunning)
        #expect(took < 30, "\(took) s")
    }

    @Test("A parent fails whose children were stated: all are told as ended or removed")
    func failsAfterStating() {
        var stage = Stage()
        stage.connect()
        let job = crowd(&stage)
        stage.pass(milliseconds: 500)
        let took = seconds { stage.end(job, .failed(reason: "no space")) }
        let fold = stage.machine.tasks[job]?.fold
        #expect((fold?.folded.count ?? 0) + stage.machine.tasks.count - 1 == Self.count)
        #expect(took < 30, "\(took) s")
    }

    @Test("A chain of children fails with its first: depth needs no stack")
    func deepChain() {
        var stage = Stage()
        let job = stage.begin()
        var lowest = job
        for _ in 0..<Self.count { lowest = stage.begin(under: lowest) }
        stage.end(job, .failed(reason: "no space"))
        let isRunning = stage.machine.tasks.values.contains { !$0.isEnded }
        #expect(!isRunning)
    }

    @Test("A cancel request reaches every child")
    func cancels() throws {
        var stage = Stage()
        let job = crowd(&stage)
        stage.machine.describe(job, at: stage.now) { $0.options.isCancellable = true }
        var effects = RequestEffects()
        let took = seconds {
            guard let plan = stage.machine.plan(.cancel, [job], number: 0) else { return }
            effects = stage.machine.answered(plan, [:], at: stage.now)
        }
        #expect(effects.cancelled.count == Self.count)
        #expect(took < 30, "\(took) s")
    }

    @Test("Children succeed, the job after them: all of it is forgotten once acknowledged")
    func succeeds() {
        var stage = Stage()
        stage.connect()
        let job = crowd(&stage)
        stage.pass(milliseconds: 500)
        let took = seconds {
            for child in 2...UInt64(Self.count + 1) { stage.end(child) }
            stage.end(job)
            for _ in 0..<200 where !stage.machine.tasks.isEmpty {
                stage.pass(milliseconds: 50)
                stage.journalEverything()
            }
        }
        let left = stage.machine.tasks.count
        #expect(left == 0)
        #expect(took < 60, "\(took) s")
    }

    @Test("Jobs end beside one that has succeeded with children that run: those are kept")
    func limitsJobs() {
        var stage = Stage()
        let job = crowd(&stage)
        stage.end(job)
        let took = seconds {
            for _ in 0..<10_000 { stage.end(stage.begin()) }
        }
        #expect(stage.machine.tasks.count == Self.count + ReportingMachine.endedJobsLimit)
        #expect(took < 10, "\(took) s")
    }

    @Test("A task's cancelled bodies are called one after the other, all of them")
    func calls() async throws {
        let bus = BusClient(ClientTests.nowhere)
        let count = Mutex(0)
        var effects = RequestEffects()
        for _ in 0..<Self.count {
            effects.cancelled.append { count.withLock { $0 += 1 } }
        }
        let clock = ContinuousClock()
        let began = clock.now
        bus.reporter.carryOut(effects)
        while count.withLock({ $0 }) < Self.count, clock.now - began < .seconds(30) {
            await Task.yield()
        }
        #expect(count.withLock { $0 } == Self.count)
    }
}
