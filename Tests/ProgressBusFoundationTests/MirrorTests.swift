import Dispatch
import Foundation
import ProgressBus
import Synchronization
import Testing

@testable import ProgressBusFoundation

/// Real `Progress` objects and tasks that nobody follows.
@Suite("Mirrors of Progress objects")
struct MirrorTests {
    private let bus = BusClient(BusConfiguration(endpoint: "ipc:///nonexistent/progressbus-test"))

    /// Looks until the condition holds, with the thread's turn given away in between.
    private func eventually(
        _ what: Comment,
        _ condition: () -> Bool
    ) async {
        let deadline = ContinuousClock.now + .seconds(20)
        while !condition() {
            guard ContinuousClock.now < deadline else {
                Issue.record(what)
                return
            }
            await Task.yield()
        }
    }

    @Test("A leaf: amounts, and its end when it is finished")
    func leaf() async {
        let progress = Progress(totalUnitCount: 5)
        let task = bus.mirror(progress, title: "Copy the films", unit: "films")
        #expect(task.total == 5, "the first look is at once")
        progress.completedUnitCount = 2
        bus.settleMirrors()
        #expect(task.completed == 2 && !task.isEnded)
        progress.completedUnitCount = 5
        await eventually("it ends by itself") { task.isEnded }
        #expect(task.completed == 5)
    }

    @Test("Settling ends what is finished, and leaves alone what is not, and other clients'")
    func settling() {
        let other = BusClient(BusConfiguration(endpoint: "ipc:///nonexistent/progressbus-test"))
        let progresses = (0..<3).map { _ in Progress(totalUnitCount: 1) }
        let finished = bus.mirror(progresses[0], title: "Finish this")
        let running = bus.mirror(progresses[1], title: "Go on with this")
        let foreign = other.mirror(progresses[2], title: "Go on with that")
        progresses[0].completedUnitCount = 1
        bus.settleMirrors()
        #expect(finished.isEnded && !running.isEnded && !foreign.isEnded)
        running.succeed()
        foreign.succeed()
    }

    @Test("An object that nobody holds any more ends its task, and is let go")
    func released() async {
        weak var gone: Progress?
        let task: ProgressTask
        do {
            let progress = Progress(totalUnitCount: 2)
            gone = progress
            task = bus.mirror(progress, title: "Leave half of it")
            progress.completedUnitCount = 1
        }
        await eventually("it ends") { task.isEnded }
        await eventually("it is let go") { gone == nil }
        #expect(task.completed == 1, "what was done last is not missed")
    }

    @Test("A task that the caller has ended leaves the object alone")
    func endedEarly() async {
        weak var gone: Progress?
        do {
            let progress = Progress(totalUnitCount: 2)
            gone = progress
            let task = bus.mirror(progress, title: "Stop at once")
            task.fail("no space left")
            progress.completedUnitCount = 1
            bus.settleMirrors()
            #expect(task.completed == 0)
        }
        #expect(gone == nil)
    }

    @Test("After the client is closed, which ends no task, the object is let go all the same")
    func closed() async {
        let bus = BusClient(BusConfiguration(endpoint: "ipc:///nonexistent/progressbus-test"))
        weak var gone: Progress?
        do {
            let progress = Progress(totalUnitCount: 2)
            gone = progress
            bus.mirror(progress, title: "Copy the films")
            await bus.close()
            progress.completedUnitCount = 2
            bus.settleMirrors()
        }
        await eventually("it is let go") { gone == nil }
    }

    @Test("Requests reach an object that can, and are refused when it cannot any more")
    func requests() async {
        let progress = Progress(totalUnitCount: 2)
        progress.isCancellable = true
        progress.isPausable = true
        let task = bus.mirror(progress, title: "Hold and stop")
        progress.isCancellable = false
        task.requestCancel()
        progress.pause()
        bus.settleMirrors()
        #expect(!progress.isCancelled)
        progress.isCancellable = true
        // Handlers run one after the other: the refusal is over when this one has worked.
        task.requestCancel()
        await eventually("it is cancelled") { progress.isCancelled }
        await eventually("its task is over") { task.isEnded }
    }

    @Test("With access to it, unfinished children count; cancelling reaches them")
    func children() async {
        let lock = Mutex(0)
        let root = Progress(totalUnitCount: 2)
        root.isCancellable = true
        let child = Progress(totalUnitCount: 4, parent: root, pendingUnitCount: 1)
        let task = bus.mirror(root, title: "Import the library") { look in
            lock.withLock { looks in
                looks += 1
                look()
            }
        }
        lock.withLock { _ in child.completedUnitCount = 2 }
        bus.settleMirrors()
        #expect(task.total == 10_000 && task.completed == 2_500)
        task.requestCancel()
        await eventually("the child is cancelled") { lock.withLock { _ in child.isCancelled } }
        await eventually("its task is over") { task.isEnded }
        #expect(lock.withLock { $0 } > 1)
    }

    @Test("Without access, a tree that another thread advances is counted by what has finished")
    func unguarded() async {
        let root = Progress(totalUnitCount: 3)
        let task = bus.mirror(root, title: "Sum the columns")
        let bus = bus
        let isDone = Atomic(false)
        DispatchQueue.global().async {
            // Totals that are coprime make fractions that are different pairs at every step.
            for total in [9_973, 10_007, 30_011] as [Int64] {
                let child = Progress(totalUnitCount: total, parent: root, pendingUnitCount: 1)
                for _ in 0..<total { child.completedUnitCount += 1 }
            }
            isDone.store(true, ordering: .releasing)
        }
        while !isDone.load(ordering: .acquiring) {
            bus.settleMirrors()
            await Task.yield()
        }
        bus.settleMirrors()
        #expect(task.completed == 3 && task.isEnded)
    }

    @Test("Files count as bytes, or as files where the total is theirs")
    func files() {
        let progress = Progress(totalUnitCount: 12)
        progress.kind = .file
        #expect(ProgressReading(progress, reach: .kind).unit == .bytes)
        progress.setUserInfoObject(12, forKey: .fileTotalCountKey)
        #expect(ProgressReading(progress, reach: .all).unit == .files)
        #expect(ProgressReading(progress, reach: .numbers).unit == nil)
    }
}
