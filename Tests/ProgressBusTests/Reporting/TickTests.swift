import BusProtocol
import Synchronization
import TaskTree
import Testing

@testable import ProgressBus

@Suite("Ticks")
struct TickTests {
    @Test("Without a subscription nothing is due, whatever happens")
    func silentAlone() {
        var stage = Stage()
        let job = stage.begin("Back up", total: 10)
        stage.advance(job)
        stage.end(job)
        let due = stage.run()
        #expect(due == nil)
        #expect(stage.reports.isEmpty)
        #expect(stage.machine.reports.changed.isEmpty)
    }

    @Test("Many advances within a tick are one row with the newest amount")
    func conflates() throws {
        var stage = Stage()
        stage.connect()
        let job = stage.begin("Back up", total: 1_000)
        for _ in 0..<500 { stage.advance(job) }
        stage.pass(milliseconds: 50)
        #expect(stage.reported(job) == 500)
        let rows = stage.reports.flatMap(\.amountIndex).count { $0 == job }
        #expect(rows == 1)
        #expect(stage.reports.last?.descriptions.first?.title == "Back up")
        try stage.checkFrames()
    }

    @Test("The first change after a rest goes out within 5 ms, later ones once per tick")
    func pace() {
        var stage = Stage()
        stage.connect()
        let job = stage.begin()
        stage.pass(milliseconds: 500)
        let before = stage.reports.count
        stage.advance(job)
        stage.pass(milliseconds: 5)
        #expect(stage.reports.count == before + 1)
        for _ in 0..<100 {
            stage.advance(job)
            stage.pass(milliseconds: 5)
        }
        #expect((9...11).contains(stage.reports.count - before - 1))
    }

    @Test("A task leaves the changed list after a tick without movement, and comes back")
    func leaves() throws {
        var stage = Stage()
        stage.connect()
        stage.pass(milliseconds: 100)
        let job = stage.begin()
        let cell = try #require(stage.machine.tasks[job])
        stage.pass(milliseconds: 5)
        #expect(stage.machine.reports.changed == [job])
        #expect(cell.isMarked)
        stage.pass(milliseconds: 50)
        #expect(!cell.isMarked)
        #expect(stage.machine.reports.changed.isEmpty)
        let mustTell = cell.advance(by: 3)
        #expect(mustTell)
        stage.machine.list(job, at: stage.now)
        stage.pass(milliseconds: 50)
        #expect(stage.reported(job) == 3)
        stage.pass(milliseconds: 200)
        #expect(stage.machine.reports.changed.isEmpty)
        let due = stage.run()
        #expect(due != nil, "heartbeats go on")
    }

    @Test("A movement that nobody told of, because it saw the mark, is seen at the next tick")
    func sawTheMark() throws {
        var stage = Stage()
        stage.connect()
        let job = stage.begin()
        let cell = try #require(stage.machine.tasks[job])
        stage.pass(milliseconds: 160)
        let mustTell = cell.complete(1)
        #expect(mustTell, "the mark is off after a tick of rest")
        stage.machine.list(job, at: stage.now)
        stage.pass(milliseconds: 10)
        let mustTellAgain = cell.advance(by: 2)
        #expect(!mustTellAgain)
        stage.pass(milliseconds: 50)
        #expect(stage.reported(job) == 3)
    }

    @Test("The last advance of a task is known to the millisecond, after months too")
    func lastAdvance() {
        let record = ReportedTask(title: "Watch the folder")
        let begun = Moment(nanoseconds: 5_000_000_000)
        record.begin(1, at: begun)
        #expect(record.times.lastAdvance == begun)
        let milliseconds: [Int64] = [0, 1, 49 * 86_400_000, 50 * 86_400_000, 2_000 * 86_400_000, 7]
        for after in milliseconds {
            let moment = begun.later(by: after * 1_000_000)
            record.times.lastAdvance = moment
            #expect(record.times.lastAdvance == moment, "\(after) ms")
            #expect(record.clock(at: moment.later(by: 3_000_000)).sinceAdvance == 3)
        }
    }

    @Test("Amounts at the ends of what is counted neither wrap nor change the mark")
    func extremes() {
        let cell = ReportedTask(title: "Count")
        let first = cell.complete(.max)
        #expect(first)
        #expect(cell.isMarked)
        #expect(cell.reading == .max)
        cell.unmark()
        #expect(cell.reading == .max)
        #expect(!cell.isMarked)
        let second = cell.complete(0)
        #expect(second)
        let third = cell.advance(by: -5)
        #expect(!third)
        #expect(cell.reading == 0)
        #expect(cell.isMarked)
    }

    @Test("A full socket keeps the tasks marked, and the next tick has the newest state")
    func fullSocket() throws {
        var stage = Stage()
        stage.connect()
        let job = stage.begin("Scan", total: 10)
        stage.machine.setDetail("first", of: job, at: stage.now)
        stage.machine.log("a line", of: job, at: stage.now)
        stage.takesReports = false
        stage.pass(milliseconds: 200)
        #expect(stage.refusedReports > 1)
        #expect(stage.refusedReports < 7, "once per tick at most")
        stage.advance(job, by: 4)
        stage.machine.setDetail("second", of: job, at: stage.now)
        stage.takesReports = true
        stage.reports = []
        stage.pass(milliseconds: 60)
        let report = try #require(stage.reports.first)
        #expect(report.descriptions.map(\.title) == ["Scan"])
        #expect(report.completed == [4])
        #expect(report.detail == ["second"])
        #expect(report.logs.map(\.text) == ["a line"])
    }

    @Test("A frame keeps its bounds however much has changed", arguments: [0, 190])
    func frameSize(textBytes: Int) throws {
        var stage = Stage()
        stage.connect()
        let job = stage.begin()
        let text = String(repeating: "x", count: textBytes)
        var children: [UInt64] = []
        for number in 0..<3_000 {
            let child = stage.begin("\(number) \(text)", under: job)
            children.append(child)
            stage.machine.setDetail(text, of: child, at: stage.now)
            stage.machine.setPaused(true, child, at: stage.now)
            stage.machine.setPaused(false, child, at: stage.now)
        }
        for _ in 0..<1_000 { stage.machine.log(text, of: job, at: stage.now) }
        stage.pass(milliseconds: 100)
        let sizes = stage.reports.map { Frame.encode($0).count }
        #expect(sizes.max() ?? 0 < 300 * 1024)
        #expect(stage.reports.flatMap(\.descriptions).count == 3_001)
        #expect(stage.reports.flatMap(\.logs).count == 1_000)
        try stage.checkFrames()
        // States alone, and lines without a word.
        for isPaused in [true, false] {
            for child in children { stage.machine.setPaused(isPaused, child, at: stage.now) }
            for _ in 0..<1_000 { stage.machine.log("", of: job, at: stage.now) }
            stage.pass(milliseconds: 500)
        }
        #expect(stage.reports.flatMap(\.states).suffix(3_000).allSatisfy { $0.state == .running })
        try stage.checkFrames()
    }

    @Test("Pausing goes over control at once and stops the active clock")
    func pausing() throws {
        var stage = Stage()
        stage.connect()
        let job = stage.begin()
        stage.pass(milliseconds: 1_000)
        stage.machine.setPaused(true, job, at: stage.now)
        stage.run()
        #expect(stage.endings.map(\.state) == [.paused])
        stage.pass(milliseconds: 2_000)
        stage.machine.setPaused(false, job, at: stage.now)
        stage.pass(milliseconds: 500)
        #expect(stage.endings.last?.state == .running)
        let clock = try #require(stage.machine.tasks[job]?.clock(at: stage.now))
        #expect(clock.elapsed == 3_500)
        #expect(clock.active == 1_500)
        #expect(stage.reports.flatMap(\.states).map(\.state) == [.paused, .running])
    }

    @Test("Only the newest 1,000 log lines wait for a broker")
    func logBound() {
        var stage = Stage()
        let job = stage.begin()
        for number in 0..<5_000 { stage.machine.log("\(number)", of: job, at: stage.now) }
        stage.connect()
        stage.pass(milliseconds: 200)
        let lines = stage.reports.flatMap(\.logs).map(\.text)
        #expect(lines.count == LogTail.limit)
        #expect(lines.first == "4000")
        #expect(lines.last == "4999")
    }
}
