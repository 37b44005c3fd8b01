import BusProtocol
import Foundation
import TaskTree
import Testing

@testable import ProgressBus
@testable import ProgressBusCommand

@Suite("watch --plain")
struct PlainFormatterTests {
    private var formatter = PlainFormatter(timeOfDay: { "\(Int($0.timeIntervalSince1970))" })

    @Test("a line when a job begins, at each tenth and when it ends, none in between")
    mutating func jobLife() {
        #expect(show([job(0.01)], at: 0) == ["0  Encode: 1%"])
        #expect(show([job(0.05)], at: 1).isEmpty)
        #expect(show([job(0.11)], at: 2) == ["2  Encode: 11%"])
        #expect(show([job(0.19)], at: 3).isEmpty)
        #expect(show([job(0.45)], at: 4) == ["4  Encode: 45%"])
        let done = job(1) { $0.progress.state = .succeeded }
        #expect(show([done], at: 5) == ["5  Encode: done, after 14 s"])
        #expect(show([done], at: 6).isEmpty)
    }

    @Test("a job that creeps gets a line every 30 s")
    mutating func creeping() {
        _ = show([job(0.01)], at: 0)
        #expect(formatter.lines(at: date(29)).isEmpty)
        #expect(formatter.lines(at: date(30)) == ["30  Encode: 1%"])
        #expect(formatter.lines(at: date(59)).isEmpty)
        #expect(formatter.lines(at: date(60)) == ["60  Encode: 1%"])
    }

    @Test("sparse: one line a minute for all jobs, and only while nothing else is said")
    mutating func heartbeat() {
        formatter = PlainFormatter(
            isSparse: true,
            timeOfDay: { "\(Int($0.timeIntervalSince1970))" }
        )
        let jobs = [job(0.01), Samples.job(2, "Upload") { $0.progress.silent = true }]
        #expect(show(jobs, at: 0).count == 2)
        #expect(formatter.lines(at: date(59)).isEmpty)
        #expect(
            formatter.lines(at: date(60)) == [
                "60  still running: 2 jobs (Encode 1%, Upload silent 42%)"
            ]
        )
        #expect(show([job(0.11), jobs[1]], at: 100) == ["100  Encode: 11%"])
        #expect(formatter.lines(at: date(159)).isEmpty)
        #expect(formatter.lines(at: date(160)).count == 1)
        _ = show([], at: 161)
        #expect(formatter.lines(at: date(500)).isEmpty, "nothing runs")
    }

    @Test("the heartbeat names some jobs, and counts the rest")
    func heartbeatOfMany() {
        let jobs = (1...5).map { index in
            Samples.job(UInt64(index), "Job \(index)") { $0.progress.needsAttention = index == 1 }
        }
        let ticket = Samples.child(9, "Ticket") { $0.progress.state = .waiting }
        #expect(
            Heartbeat.line(for: jobs + [ticket])
                == "still running: 5 jobs (Job 1 42%, Job 2 42%, Job 3 42%, and 2 more), 1 waiting, "
                + "1 needs attention"
        )
        #expect(Heartbeat.line(for: [ticket]) == "still waiting: 1 job")
        #expect(Heartbeat.line(for: []) == nil)
    }

    @Test("I-16, I-22: a background task has its name in plain output")
    mutating func background() {
        var parent = job(0.01)
        parent.children = [
            Samples.child(2, "Make thumbnails") {
                $0.description_p.background = true
                $0.description_p.style = .spinner
            }
        ]
        #expect(show([parent], at: 0).last == "0  Encode > Make thumbnails: running")
    }

    @Test("trouble comes with what can be done, and is said again when it is over")
    mutating func trouble() {
        _ = show([job(0.01)], at: 0)
        let silent = job(0.01) { $0.progress.silent = true }
        #expect(
            show([silent], at: 1) == [
                "1  Encode: silent, 1%; no word from process 4711 on attic: wait, or look at the "
                    + "process"
            ]
        )
        #expect(show([job(0.01)], at: 2) == ["2  Encode: 1%"])
    }

    @Test("children are named with their parents")
    mutating func children() {
        var parent = job(0.01)
        parent.children = [Samples.child(2, "Scan")]
        #expect(show([parent], at: 0) == ["0  Encode: 1%", "0  Encode > Scan: running"])
        parent.children = [Samples.child(2, "Scan") { $0.progress.state = .succeeded }]
        #expect(show([parent], at: 1) == ["1  Encode > Scan: done, after 14 s"])
    }

    @Test("very many changes at once are counted instead of listed")
    mutating func manyChildren() {
        var parent = job(0.01)
        parent.children = (2...500).map { Samples.child(UInt64($0), "c\($0)") }
        let lines = show([parent], at: 0)
        #expect(lines == ["0  Encode: 1%", "0  499 changes below: Encode: 1%"])
    }

    @Test("the broker's going and coming back are said once each")
    mutating func connection() {
        _ = show([job(0.01)], at: 0)
        #expect(show([], at: 1, .reconnecting) == ["1  no word from the broker; waiting for it"])
        #expect(show([], at: 2, .reconnecting).isEmpty)
        #expect(show([job(0.01)], at: 3) == ["3  the broker is back"])
    }

    @Test("a message is its speaker's: a child's by its path, of an unknown task by its id")
    mutating func speakers() {
        var job = Samples.job(1, "Encode")
        job.children = [Samples.child(2, "Part one")]
        var board = Samples.board([job])
        _ = formatter.lines(for: WatchedPicture(board, since: [:]), at: date(0))
        board.messages = [1, 2, 3].map { index in
            TaskMessage(task: Samples.id(index), job: Samples.id(1), text: "hm", time: date(0))
        }
        #expect(
            formatter.lines(for: WatchedPicture(board, since: [:]), at: date(1)) == [
                "1  Encode says: hm", "1  Encode > Part one says: hm",
                "1  Encode > id:\(Samples.id(3)) says: hm",
            ]
        )
        // What a task said last may come with the news that it has left.
        board.jobs = []
        board.left = [Board.Departure(task: job, reason: "succeeded")]
        board.messages.removeLast()
        board.messages.removeFirst()
        let last = formatter.lines(for: WatchedPicture(board, since: [:]), at: date(2))
        #expect(last.first == "2  Encode > Part one says: hm")
    }

    @Test("no line steers a terminal, whatever a task is called or says")
    mutating func hostileText() {
        let evil = "\u{1B}]0;x\u{07}\u{1B}[2J\r\n"
        var board = Samples.board([
            Samples.job(1, evil) {
                $0.progress.detail = evil
                $0.progress.note = evil
                $0.description_p.unit = evil
                $0.description_p.process.host = evil
                $0.progress.stalled = true
            }
        ])
        board.messages = [
            TaskMessage(task: Samples.id(1), job: Samples.id(1), text: evil, time: date(0))
        ]
        board.left = [
            Board.Departure(
                task: Samples.job(2, evil) { $0.progress.reason = evil },
                reason: "evicted"
            )
        ]
        board.revisions = [Samples.id(1): 1]
        let lines = formatter.lines(for: WatchedPicture(board, since: [:]), at: date(0))
        #expect(lines.count == 4)
        for line in lines {
            #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
        }
    }

    private func job(
        _ fraction: Double,
        _ change: (inout WireRow) -> Void = { _ in }
    ) -> TaskSnapshot {
        Samples.job(1, "Encode") {
            $0.progress.clearTotal()
            $0.progress.completed = 0
            $0.progress.bothFractions = fraction
            $0.progress.clearRate()
            $0.progress.clearSecondsLeft()
            if fraction == 1 { $0.progress.ended = Samples.begun + 13.5 }
            change(&$0)
        }
    }

    private func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

    private mutating func show(
        _ jobs: [TaskSnapshot],
        at seconds: Double,
        _ connection: Board.Connection = .live
    ) -> [String] {
        var board = Samples.board(jobs)
        board.connection = connection
        board.revisions = Dictionary(uniqueKeysWithValues: jobs.map { ($0.id, UInt64(seconds)) })
        return formatter.lines(for: WatchedPicture(board, since: [:]), at: date(seconds))
    }
}
