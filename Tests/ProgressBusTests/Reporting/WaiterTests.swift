import BusProtocol
import Synchronization
import TaskTree
import Testing

@testable import ProgressBus

@Suite("Sync and close")
struct WaiterTests {
    @Test("Sync names the last report and is over when the broker has reached it")
    func sync() throws {
        var stage = Stage()
        stage.connect()
        let job = stage.begin()
        stage.end(stage.begin("quick", under: job))
        stage.advance(job)
        stage.wait(1, milliseconds: 5_000)
        stage.pass(milliseconds: 100)
        #expect(stage.syncs.isEmpty, "the fold was not acknowledged")
        stage.journalEverything()
        let sync = try #require(stage.syncs.first)
        #expect(stage.reported(job) == 1)
        #expect(sync.sequence == stage.reports.last?.sequence)
        #expect(stage.finished.isEmpty)
        stage.answer { $0.syncReached.request = 1 }
        #expect(stage.finished == [1: true])
    }

    @Test("Endings said after the call do not hold a sync up")
    func laterEndings() {
        var stage = Stage()
        stage.connect()
        stage.begin()
        stage.wait(1, milliseconds: 5_000)
        stage.end(stage.begin())
        stage.pass(milliseconds: 100)
        #expect(stage.syncs.count == 1)
    }

    @Test("Sync during a keyframe waits for the tick after it")
    func duringKeyframe() {
        var stage = Stage()
        stage.takesReports = false
        stage.connect()
        stage.wait(1, milliseconds: 5_000)
        stage.pass(milliseconds: 200)
        #expect(stage.syncs.isEmpty)
        stage.takesReports = true
        stage.pass(milliseconds: 200)
        #expect(stage.syncs.count == 1)
    }

    @Test("A lost connection asks again over the next one")
    func reconnect() {
        var stage = Stage()
        stage.connect()
        let job = stage.begin()
        stage.wait(1, milliseconds: 5_000)
        stage.pass(milliseconds: 100)
        stage.unsubscribe()
        stage.connect(epoch: 2)
        stage.advance(job)
        stage.pass(milliseconds: 100)
        #expect(stage.syncs.count == 2)
        stage.answer(epoch: 2) { $0.syncReached.request = 1 }
        #expect(stage.finished == [1: true])
    }

    @Test("At the end of a process it is waited for as long as acknowledgements come")
    func whileItAcknowledges() {
        for acknowledgements in [0, 3, 50] {
            var stage = Stage()
            stage.connect()
            stage.wait(1, isClosing: true, milliseconds: 100, limit: 1_000)
            var waited = 0
            while stage.finished.isEmpty, waited < 5_000 {
                if waited / 80 < acknowledgements, waited % 80 == 0 {
                    stage.machine.extendWaiters(at: stage.now)
                }
                stage.pass(milliseconds: 10)
                waited += 10
            }
            let expected = [0: 100, 3: 260, 50: 1_000][acknowledgements] ?? 0
            #expect((expected...expected + 20).contains(waited), "\(acknowledgements): \(waited)")
        }
    }

    @Test("Close says goodbye once all is acknowledged, and leaves when that is accepted")
    func close() {
        var stage = Stage()
        stage.connect()
        stage.end(stage.begin())
        stage.wait(1, isClosing: true, milliseconds: 5_000)
        stage.pass(milliseconds: 100)
        #expect(stage.goodbyes == 0)
        stage.journalEverything()
        #expect(stage.goodbyes == 1)
        #expect(!stage.hasLeft)
        stage.answer { $0.goodbyeAccepted = WireGoodbyeAccepted() }
        #expect(stage.finished == [1: true])
        #expect(stage.hasLeft)
    }

    @Test("A close that runs out of time says goodbye all the same, and false")
    func closeTimesOut() {
        var stage = Stage()
        stage.connect()
        stage.end(stage.begin())
        stage.wait(1, isClosing: true, milliseconds: 300)
        stage.pass(milliseconds: 400)
        #expect(stage.finished == [1: false])
        #expect(stage.goodbyes == 1)
        #expect(stage.hasLeft)
    }

    @Test("A close without unfinished business and without an answer is still true")
    func nothingMissing() {
        var stage = Stage()
        stage.wait(1, isClosing: true, milliseconds: 300)
        stage.pass(milliseconds: 400)
        #expect(stage.finished == [1: true])
        #expect(stage.hasLeft)
    }

    @Test("After close nothing begins any more")
    func closed() {
        var stage = Stage()
        stage.connect()
        stage.wait(1, isClosing: true, milliseconds: 300)
        let cell = ReportedTask(title: "Too late")
        stage.machine.begin(cell, below: 0, at: stage.now)
        #expect(stage.machine.tasks.isEmpty)
        #expect(cell.isSetEnded)
    }

    @Test("The thread is woken once for what has become due, and not for what has not")
    func wakes() {
        var stage = Stage()
        stage.begin()
        stage.run()
        stage.checkWake(false)
        stage.connect()
        stage.pass(milliseconds: 500)
        let job = stage.begin()
        stage.checkWake(true)
        stage.checkWake(false)
        stage.pass(milliseconds: 500)
        stage.advance(job)
        stage.checkWake(true)
        stage.run()
        stage.advance(job)
        // The tick is due already.
        stage.checkWake(false)
    }
}

extension Stage {
    mutating func wait(
        _ id: UInt64,
        isClosing: Bool = false,
        milliseconds: Int64,
        limit: Int64? = nil
    ) {
        let deadline = now.later(by: milliseconds * 1_000_000)
        let last = limit.map { now.later(by: $0 * 1_000_000) }
        machine.wait(id, isClosing: isClosing, until: deadline, limit: last, at: now)
    }

    mutating func checkWake(
        _ isWoken: Bool,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let isTaken = machine.takeWake(at: now)
        #expect(isTaken == isWoken, sourceLocation: sourceLocation)
    }

    var syncs: [WireSync] {
        frames.compactMap { if case .sync(let sync)? = $0.body { sync } else { nil } }
    }

    var goodbyes: Int {
        frames.count { if case .goodbye? = $0.body { true } else { false } }
    }
}
