import BusProtocol
import Synchronization
import TaskTree
import Testing

@testable import ProgressBus

@Suite("Endings")
struct EndingTests {
    @Test("An ending has the whole final row and is repeated until it was acknowledged")
    func untilAcknowledged() throws {
        var stage = Stage()
        stage.connect()
        let job = stage.begin("Encode", total: 10)
        stage.pass(milliseconds: 100)
        stage.advance(job, by: 7)
        stage.end(job, .failed(reason: "no space"))
        stage.run()
        let ending = try #require(stage.endings.first)
        #expect(ending.description_p.title == "Encode")
        #expect(ending.state == .failed)
        #expect(ending.reason == "no space")
        #expect(ending.completed == 7)
        #expect(ending.total == 10)

        stage.unsubscribe()
        stage.frames = []
        stage.connect(epoch: 2)
        #expect(stage.endings.map(\.description_p.index) == [job])
        stage.journalEverything(epoch: 2)
        #expect(stage.machine.endings.isAllAcknowledged)
        #expect(stage.machine.tasks.isEmpty, "a job that is over and acknowledged is forgotten")
        stage.unsubscribe()
        stage.frames = []
        stage.connect(epoch: 3)
        #expect(stage.endings.isEmpty)
        try stage.checkFrames()
    }

    @Test("An acknowledgement counts for the frame it names only")
    func wrongAcknowledgement() {
        var stage = Stage()
        stage.connect()
        let job = stage.begin()
        stage.end(job)
        stage.run()
        stage.answer { $0.endingsJournalled.sequence = 999 }
        stage.answer(epoch: 8) { [sequence = stage.machine.sequence] in
            $0.endingsJournalled.sequence = sequence
        }
        #expect(!stage.machine.endings.isAllAcknowledged)
    }

    @Test("Ends of jobs, failures and cancellations go early, successes of children with the tick")
    func early() {
        var stage = Stage()
        stage.connect()
        let job = stage.begin()
        let children = (0..<3).map { _ in stage.begin(under: job) }
        stage.pass(milliseconds: 200)
        stage.end(children[0])
        stage.run()
        #expect(stage.endings.isEmpty)
        stage.pass(milliseconds: 50)
        #expect(stage.endings.count == 1)
        stage.pass(milliseconds: 50)
        stage.end(children[1], .failed(reason: "x"))
        stage.run()
        #expect(stage.endings.count == 2)
        stage.end(children[2], .cancelled(reason: ""))
        stage.run()
        #expect(stage.endings.count == 2, "one early frame in 5 ms")
        stage.end(job)
        stage.pass(milliseconds: 5)
        #expect(stage.endings.count == 4)
    }

    @Test("A task that fails takes what runs below it along, and what is below that")
    func parentEnded() throws {
        var stage = Stage()
        stage.connect()
        let job = stage.begin()
        let child = stage.begin(under: job)
        let grandchild = stage.begin(under: child)
        let cell = try #require(stage.machine.tasks[grandchild])
        stage.pass(milliseconds: 100)
        stage.end(job, .failed(reason: "x"))
        stage.pass(milliseconds: 100)
        let states: [Int] = stage.endings.map(\.state.rawValue).sorted()
        let expected: [WireStatedState] = [.failed, .cancelled, .cancelled]
        #expect(states == expected.map(\.rawValue))
        #expect(cell.requested(.cancel))
        #expect(cell.isSetEnded)
        #expect(stage.machine.tasks[grandchild]?.state == .cancelled(reason: "parent ended"))
    }

    @Test("The first ending counts, and the amount is read at the end once more")
    func firstEnding() throws {
        var stage = Stage()
        let job = stage.begin()
        let cell = try #require(stage.machine.tasks[job])
        stage.connect()
        _ = cell.advance(by: 41)
        stage.end(job)
        stage.end(job, .failed(reason: "too late"))
        _ = cell.advance(by: 1)
        stage.pass(milliseconds: 100)
        #expect(stage.endings.map(\.state) == [.succeeded])
        #expect(stage.endings.first?.completed == 41)
    }

    @Test("A job is kept while something below it runs or was not acknowledged")
    func keepsFamilies() {
        var stage = Stage()
        stage.connect()
        let job = stage.begin()
        let child = stage.begin(under: job)
        stage.pass(milliseconds: 100)
        stage.end(job)
        stage.run()
        stage.journalEverything()
        #expect(stage.machine.tasks.count == 2)
        stage.end(child)
        stage.pass(milliseconds: 100)
        #expect(stage.machine.tasks.count == 2)
        stage.journalEverything()
        #expect(stage.machine.tasks.isEmpty)
    }

    @Test("A child that begins below an acknowledged parent keeps the job again")
    func lateChild() {
        var stage = Stage()
        stage.connect()
        let job = stage.begin()
        let middle = stage.begin(under: job)
        stage.pass(milliseconds: 100)
        stage.end(middle)
        stage.pass(milliseconds: 100)
        stage.journalEverything()
        let late = stage.begin(under: middle)
        stage.pass(milliseconds: 100)
        stage.end(job)
        stage.run()
        stage.journalEverything()
        #expect(stage.machine.tasks.count == 3)
        stage.end(late)
        stage.pass(milliseconds: 100)
        stage.journalEverything()
        #expect(stage.machine.tasks.isEmpty)
    }

    @Test(
        "Behind every welcome acknowledged endings of live jobs come again: a journal may be lost"
    )
    func again() {
        var stage = Stage()
        stage.connect()
        let job = stage.begin()
        let child = stage.begin(under: job)
        stage.pass(milliseconds: 100)
        stage.end(child)
        stage.pass(milliseconds: 100)
        stage.journalEverything()
        for epoch in [1, 2] as [UInt64] {
            stage.unsubscribe()
            stage.frames = []
            stage.connect(epoch: epoch)
            #expect(stage.endings.map(\.description_p.index) == [child])
        }
        #expect(stage.machine.endings.isAllAcknowledged)
    }

    @Test("Endings that nobody answers are repeated: the route may be a new one")
    func unanswered() {
        var stage = Stage()
        stage.connect()
        let job = stage.begin()
        stage.end(job)
        stage.pass(milliseconds: 2_900)
        #expect(stage.endings.count == 1)
        stage.pass(milliseconds: 200)
        #expect(stage.endings.count == 2)
        stage.journalEverything()
        #expect(stage.machine.tasks.isEmpty)
        stage.pass(milliseconds: 10_000)
        #expect(stage.endings.count == 2)
    }

    @Test("A control socket that is full gets the same endings later")
    func fullSocket() {
        var stage = Stage()
        stage.connect()
        let jobs = (0..<3).map { _ in stage.begin() }
        stage.takesControl = false
        for job in jobs { stage.end(job) }
        stage.pass(milliseconds: 30)
        #expect(stage.endings.isEmpty)
        stage.takesControl = true
        stage.pass(milliseconds: 30)
        #expect(stage.endings.map(\.description_p.index) == jobs)
    }

    @Test("Without a broker the oldest ended jobs beyond 1,000 are dropped, and that is known")
    func bound() {
        var stage = Stage()
        let live = stage.begin("live")
        for _ in 0..<5_000 { stage.end(stage.begin()) }
        #expect(stage.machine.tasks.count <= ReportingMachine.endedJobsLimit + 1)
        #expect(stage.machine.tasks[live] != nil)
        #expect(stage.machine.endings.dropped == 5_000 - ReportingMachine.endedJobsLimit)
        #expect(!stage.machine.isEverythingAcknowledged)
        #expect(stage.machine.endings.queue.isEmpty)
    }
}
