import BusProtocol
import TaskTree
import TestSupport
import Testing

@testable import ProgressBus

/// The word of an amount, and the machine that takes its mark off while it moves.
@Suite("Amounts of tasks")
struct AmountTests {
    @Test("An amount is the sum of what was added")
    func sum() {
        let task = ReportedTask(title: "Count")
        for step in [1, 5, -3] as [Int64] { _ = task.advance(by: step) }
        #expect(task.reading == 3)
        _ = task.advance(by: -4)
        #expect(task.reading == 0, "below 0 in all, 0 is reported")
        _ = task.advance(by: 2)
        #expect(task.reading == 1, "but what was taken back is taken back")
    }

    @Test("Whoever moves an unmarked task is told so, and nobody who moves a marked one")
    func telling() {
        let moves: [(ReportedTask) -> Bool] = [{ $0.advance(by: 1) }, { $0.complete(7) }]
        for (number, move) in moves.enumerated() {
            let task = ReportedTask(title: "Count")
            #expect(move(task), "move \(number)")
            task.mark()
            #expect(!move(task), "move \(number)")
            task.unmark()
            #expect(move(task), "move \(number)")
            task.retire()
            #expect(!move(task), "move \(number)")
        }
    }

    @Test("What is said in all replaces what was added")
    func complete() {
        let task = ReportedTask(title: "Count")
        for amount in [100, 3, .max, 0, 50] as [Int64] {
            _ = task.advance(by: 11)
            _ = task.complete(amount)
            #expect(task.reading == amount)
            #expect(task.isMarked)
        }
        _ = task.advance(by: 1)
        #expect(task.reading == 51)
    }

    @Test("Steps beyond all counting end nothing")
    func giantSteps() {
        let task = ReportedTask(title: "Count")
        for _ in 0..<40_000 {
            _ = task.advance(by: 1 << 48)
        }
        for _ in 0..<80_000 {
            _ = task.advance(by: -1 << 48)
        }
        _ = task.complete(5)
        #expect(task.reading == 5)
    }

    @Test("A task that rests leaves the list; whoever moves it then is told to say so")
    func rest() throws {
        var stage = Stage()
        stage.connect()
        let job = stage.begin()
        let task = try #require(stage.machine.tasks[job])
        while task.isMarked { stage.pass(milliseconds: 1) }
        #expect(stage.machine.reports.changed.isEmpty)
        #expect(task.advance(by: 3))
        stage.machine.list(job, at: stage.now)
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
}
