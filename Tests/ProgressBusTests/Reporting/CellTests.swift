import BusProtocol
import TaskTree
import TestSupport
import Testing

@testable import ProgressBus

/// The two words of an amount, and the machine that takes a task's mark off while one of them moves.
@Suite("Cells of tasks")
struct CellTests {
    @Test("An amount is the sum of what its own thread and all others have added")
    func sum() {
        let cell = TaskCell()
        for step in [1, 5, -3] as [Int64] {
            _ = cell.advance(by: step)
            _ = cell.advanceLocally(by: 10 * step)
        }
        #expect(cell.reading == 33)
        _ = cell.advanceLocally(by: -34)
        #expect(cell.reading == 0, "below 0 in all, 0 is reported")
        _ = cell.advance(by: 2)
        #expect(cell.reading == 1, "but what was taken back is taken back")
    }

    @Test("Whoever moves an unmarked task is told so, and nobody who moves a marked one")
    func telling() {
        let moves: [(TaskCell) -> Bool] = [
            { $0.advance(by: 1) }, { $0.advanceLocally(by: 1) }, { $0.complete(7) },
        ]
        for (number, move) in moves.enumerated() {
            let cell = TaskCell()
            #expect(move(cell), "move \(number)")
            cell.mark()
            #expect(!move(cell), "move \(number)")
            cell.unmark()
            #expect(move(cell), "move \(number)")
            cell.retire()
            #expect(!move(cell), "move \(number)")
        }
    }

    @Test("What is said in all replaces what both words have, from wherever it is said")
    func complete() {
        let cell = TaskCell()
        for amount in [100, 3, .max, 0, 50] as [Int64] {
            _ = cell.advance(by: 11)
            _ = cell.advanceLocally(by: 1_000)
            _ = cell.complete(amount)
            #expect(cell.reading == amount)
            #expect(cell.isMarked)
        }
        _ = cell.advanceLocally(by: 1)
        _ = cell.advance(by: 1)
        #expect(cell.reading == 52)
    }

    @Test("Steps beyond all counting end nothing")
    func giantSteps() {
        let cell = TaskCell()
        for _ in 0..<40_000 {
            _ = cell.advance(by: 1 << 48)
            _ = cell.advanceLocally(by: 1 << 48)
        }
        for _ in 0..<80_000 {
            _ = cell.advance(by: -1 << 48)
            _ = cell.advanceLocally(by: -1 << 48)
        }
        _ = cell.complete(5)
        #expect(cell.reading == 5)
    }

    @Test(
        "A step that saw the mark and comes after it was taken off is told",
        arguments: 0..<50 as Range<Int64>
    )
    func lateStep(milliseconds: Int64) throws {
        var stage = Stage()
        stage.connect()
        let job = stage.begin()
        let cell = try #require(stage.machine.tasks[job])
        while cell.isMarked { stage.pass(milliseconds: 1) }
        // The mark has just gone; the step's thread has looked before, its store is on its way.
        stage.pass(milliseconds: milliseconds)
        cell.moveLocally(by: 3)
        stage.pass(milliseconds: 50)
        #expect(stage.reported(job) == 3)
        stage.pass(milliseconds: 150)
        #expect(stage.machine.reports.changed.isEmpty)
        #expect(cell.advanceLocally(by: 1), "it is told of again")
    }

    @Test("A tick that somebody who waits has brought about does not look the second time")
    func earlyTick() throws {
        var stage = Stage()
        stage.connect()
        let job = stage.begin()
        let cell = try #require(stage.machine.tasks[job])
        while cell.isMarked { stage.pass(milliseconds: 1) }
        stage.machine.wait(
            1,
            isClosing: false,
            until: stage.now.later(by: 10_000_000_000),
            at: stage.now
        )
        stage.run()
        #expect(stage.machine.reports.changed == [job])
        cell.moveLocally(by: 3)
        stage.pass(milliseconds: 50)
        #expect(stage.reported(job) == 3)
    }

    @Test("Ticks that come early all the time let tasks that rest leave all the same")
    func manyEarlyTicks() {
        var stage = Stage()
        stage.connect()
        stage.begin()
        for number in 0..<200 {
            let deadline = stage.now.later(by: 2_000_000)
            stage.machine.wait(UInt64(number), isClosing: false, until: deadline, at: stage.now)
            stage.pass(milliseconds: 2)
        }
        #expect(stage.machine.reports.changed.isEmpty)
    }

    @Test("A keyframe finds a step of which nobody has told")
    func keyframe() throws {
        var stage = Stage()
        stage.connect()
        let job = stage.begin()
        let cell = try #require(stage.machine.tasks[job])
        stage.pass(milliseconds: 300)
        #expect(stage.machine.reports.changed.isEmpty)
        cell.moveLocally(by: 3)
        stage.welcome()
        stage.pass(milliseconds: 100)
        #expect(stage.reported(job) == 3)
        cell.moveLocally(by: 4)
        stage.end(job)
        stage.run()
        #expect(stage.endings.last?.completed == 7, "and so does the ending")
    }

    /// What threads and ticks do in any order.
    ///
    /// Stores of the own thread arrive up to 40 ms after it has looked at the mark, which is ten
    /// thousand times as long as a processor takes.
    @Test("Whatever the order, the last amount is told", arguments: 0..<40 as Range<UInt64>)
    func schedules(round: UInt64) throws {
        let seed = 0xad7a_0000 + round
        var random = SplitMix64(seed: seed)
        var stage = Stage()
        stage.connect()
        let tasks = (0..<5).map { stage.begin("task \($0)") }
        let cells = try tasks.map { try #require(stage.machine.tasks[$0]) }
        var sums = tasks.map { _ in Int64(0) }
        // A store that others do not see yet, and when they will.
        var stores: [Int: (step: Int64, due: Moment)] = [:]
        for _ in 0..<400 {
            let task = Int.random(in: tasks.indices, using: &random)
            let step = Int64.random(in: -2...9, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<3:
                guard stores[task] == nil else { continue }
                sums[task] += step
                if cells[task].isMarked {
                    // Has looked and stores later: the worst that a processor may make of it.
                    let delay = Int64.random(in: 0...10_000_000, using: &random)
                    stores[task] = (step, stage.now.later(by: delay))
                } else {
                    cells[task].moveLocally(by: step)
                    stage.machine.marked(tasks[task], at: stage.now)
                }
            case 3:
                stage.advance(tasks[task], by: step)
                sums[task] += step
            case 4:
                stage.machine.wait(9, isClosing: false, until: stage.now, at: stage.now)
                stage.run()
            default:
                stage.pass(milliseconds: Int64.random(in: 1...30, using: &random))
            }
            for (task, store) in stores where store.due <= stage.now {
                cells[task].moveLocally(by: store.step)
                stores[task] = nil
            }
        }
        for (task, store) in stores { cells[task].moveLocally(by: store.step) }
        stage.pass(milliseconds: 200)
        for (place, task) in tasks.enumerated() {
            #expect(stage.reported(task) ?? 0 == max(0, sums[place]), "seed \(seed), task \(place)")
        }
        #expect(stage.machine.reports.changed.isEmpty, "seed \(seed)")
    }
}
