import CellScreen
import ProgressBus
import TaskTree
import Testing

@testable import DashboardCore

/// The rules of what an indicator owes the person who looks at it, as far as whole screens show them.
@Suite("What an indicator owes the person")
struct RuleTests {
    @Test("I-2: a job that leaves leaves its slot blank; a failed one stays until it is dismissed")
    func transient() {
        var stage = Stage()
        stage.report(
            .job(1, "Done") { $0.state = .succeeded },
            .job(2, "Broken") { $0.state = .failed }
        )
        #expect(stage.screen.contains("Done"))
        stage.remove(.number(1))
        #expect(!stage.screen.contains("Done"))
        stage.wait(3_600)
        stage.deliver()
        #expect(stage.find("Broken")?.row == stage.top + 1)
    }

    @Test("I-4: a parent that says how many children come has percent; else only counts are shown")
    func determinateWherePossible() {
        var stage = Stage()
        stage.report(
            .job(1, "Unknown") {
                $0.total = nil
                $0.completed = 0
                $0.counts.succeeded = 3
                $0.counts.running = 2
            }
        )
        #expect(stage.line(0).contains("3 done"))
        #expect(!stage.line(0).contains("%"))
        stage.change(.number(1)) { $0.options.expectedChildren = 7 }
        #expect(stage.line(0).contains("42%"))
    }

    @Test("I-7, I-16: the screen is drawn again by itself only while something goes on")
    func movesOnlyWhileWorkGoesOn() {
        var stage = Stage()
        stage.report(.job(1, "Work"))
        let step = stage.model.nextFrame(after: stage.now)
        #expect(step.map { $0.seconds(since: stage.now) <= 0.2 } == true)
        let first = stage.grid
        stage.wait(0.2)
        #expect(stage.grid != first)
        for state in [TaskState.waiting, .succeeded, .failed, .lost, .cancelled] {
            stage.change(.number(1)) { $0.state = state }
            #expect(stage.model.nextFrame(after: stage.now) == nil, "\(state)")
            let still = stage.grid
            stage.wait(0.2)
            #expect(stage.grid == still, "\(state)")
        }
        stage.change(.number(1)) {
            $0.state = .running
            $0.isStalled = true
        }
        // Only its age in words goes on, once a second.
        #expect(
            stage.model.nextFrame(after: stage.now).map { $0.seconds(since: stage.now) > 0.2 }
                != nil
        )
    }

    @Test("I-7: stalled, silent, lost and waiting differ in mark, colour and words")
    func fourConditions() {
        var stage = Stage(columns: 150)
        stage.report(
            .job(1, "Stalled") {
                $0.isStalled = true
                $0.secondsSinceAdvance = 14
            },
            .job(2, "Silent") { $0.isSilent = true },
            .job(3, "Lost") { ($0.state, $0.needsAttention) = (.lost, true) },
            .job(4, "Waiting") { $0.state = .waiting }
        )
        let grid = stage.grid
        let marks = (0..<4).compactMap { grid.cell(column: 6, row: stage.top + $0) }
        #expect(Set(marks.map(\.scalar)).count == 4)
        #expect(Set(marks.map(\.style)).count == 4)
        #expect(
            stage.line(0).contains("no advance for 14 s: wait, look at the process, or cancel it")
        )
        #expect(stage.line(1).contains("no word from process 4711 on build-1"))
        #expect(stage.line(2).contains("lost: process 4711 on build-1 is gone"))
        #expect(stage.line(3).contains("nobody has begun it yet: start what is to do it, or wait"))
    }

    @Test("I-7: the age of a stall goes on while nothing new comes")
    func stallAges() {
        var stage = Stage()
        stage.report(
            .job(1, "Stalled") {
                $0.isStalled = true
                $0.secondsSinceAdvance = 14
            }
        )
        stage.wait(6)
        #expect(stage.screen.contains("no advance for 20 s"))
    }

    @Test("I-17: the bar in the header has no track")
    func headerWithoutTrack() {
        var stage = Stage()
        stage.report(.job(1, "Work") { $0.counts.running = 1 })
        stage.press(.enter)
        #expect(stage.grid.line(0).contains("━"))
        #expect(!stage.grid.line(0).contains("─"))
        #expect(stage.line(0).contains("─"))
    }

    @Test("I-17: the header shows the job in whose view one is; that of the board shows none")
    func headerShowsOneJob() {
        var stage = Stage()
        stage.report(
            .job(1, "Ten") { $0.bothFractions = 0.1 },
            .job(2, "Ninety") {
                $0.bothFractions = 0.9
                $0.counts.running = 1
            }
        )
        #expect(!stage.grid.line(0).contains("%"))
        stage.press(.down, .enter)
        #expect(stage.grid.line(0).contains("Ninety"))
        #expect(stage.grid.line(0).contains("90%"))
    }

    @Test("I-18: R asks for a fresh picture; how old it is is said only once it is older than 2 s")
    func refresh() {
        var stage = Stage()
        stage.report(.job(1, "Work"))
        stage.type("R")
        #expect(stage.actions.contains(.refresh))
        stage.connection = .reconnecting
        stage.deliver()
        stage.wait(1.9)
        #expect(!stage.screen.contains("updated"))
        stage.wait(0.2)
        #expect(stage.screen.contains("updated 2 s ago"))
        stage.connection = .live
        stage.deliver()
        #expect(!stage.screen.contains("updated"))
    }

    @Test(
        "I-6: while the broker is away nothing moves and no time counts down",
        arguments: [false, true]
    )
    func away(isFrozen: Bool) {
        var stage = Stage(columns: 120)
        stage.report(
            .job(1, "Count") {
                $0.bothFractions = 0.5
                $0.secondsLeft = 100
            },
            .job(2, "Search") { $0.isIndeterminate = true }
        )
        if isFrozen { stage.type("f") }
        stage.connection = .reconnecting
        stage.deliver()
        let body = (1..<20).map { stage.grid.line($0) }
        for _ in 0..<7 {
            stage.wait(1.3)
            #expect((1..<20).map { stage.grid.line($0) } == body)
        }
        let receipt = stage.model.receipt(at: stage.now).first
        #expect(receipt == "no word from the broker for 9 s; before that:")
        stage.connection = .live
        stage.deliver()
        if isFrozen { stage.type("f") }
        stage.wait(1)
        #expect((1..<20).map { stage.grid.line($0) } != body)
    }

    @Test("the receipt has room for a part of the jobs: those that need somebody are in it")
    func receipt() {
        var stage = Stage()
        stage.report(
            (1...12).map { number in .job(number, "job \(number)") { $0.isStalled = number == 11 } }
        )
        stage.change(.number(11)) { $0.needsAttention = true }
        let lines = stage.model.receipt(at: stage.now)
        #expect(lines.first?.contains("job 11") == true, "\(lines)")
        #expect(lines.count == 9 && lines.last?.hasPrefix("and 4 more") == true, "\(lines)")
    }

    @Test("I-21: background work has a cell in the header and keeps it")
    func activityArea() {
        var stage = Stage(columns: 120)
        let background: (inout TaskSnapshot) -> Void = { $0.options.isBackground = true }
        stage.report(.job(1, "a", background), .job(2, "b", background), .job(3, "c", background))
        let column = HeaderColumns(width: 120).activity.start
        func cell(_ index: Int) -> Unicode.Scalar? {
            stage.grid.cell(column: column + index, row: 0)?.scalar
        }
        #expect(stage.model.activity.cells == [.number(1), .number(2), .number(3)])
        let third = cell(2)
        #expect(third != " ")
        stage.remove(.number(2))
        #expect(cell(1) == " ")
        #expect(cell(2) == third)
        stage.report(.job(4, "d", slot: 2, background))
        #expect(stage.model.activity.cells == [.number(1), .number(4), .number(3)])
    }

    @Test("I-21: background work takes no row beside its cell, unless somebody is to look at it")
    func noRowBesideCell() {
        var stage = Stage(columns: 120)
        stage.report(.job(1, "Work"), .job(2, "Sweep") { $0.options.isBackground = true })
        #expect(stage.find("Sweep") == nil)
        #expect(stage.line(1).hasSuffix("2 ·"))
        stage.press(.down)
        #expect(stage.find("Sweep")?.row == stage.top + 1)
        stage.press(.up)
        stage.change(.number(2)) { $0.isSilent = true }
        #expect(stage.find("Sweep")?.row == stage.top + 1)
        // A screen without the cell shows the row.
        stage.change(.number(2)) { $0.isSilent = false }
        #expect(stage.find("Sweep") == nil)
        stage.resize(columns: 40, rows: 24)
        #expect(stage.find("Sweep")?.row == stage.top + 1)
    }

    @Test("I-22: a background cell has no label until it is focused")
    func unlabelled() {
        var stage = Stage(columns: 120)
        stage.report(.job(1, "Sweep", slot: 1) { $0.options.isBackground = true })
        #expect(!stage.grid.line(0).contains("Sweep"))
        #expect(!stage.grid.line(22).contains("Sweep"))
        stage.type("b")
        #expect(stage.grid.line(22).contains("in the background: Sweep"))
        stage.press(.down)
        #expect(!stage.grid.line(22).contains("Sweep"))
        stage.click(column: HeaderColumns(width: 120).activity.start, row: 0)
        #expect(stage.grid.line(22).contains("in the background: Sweep"))
    }

    @Test("I-25: connecting shows in the header after 2 s and is gone when live")
    func networkCell() {
        var stage = Stage()
        let column = HeaderColumns(width: 80).network
        func cell() -> Unicode.Scalar? { stage.grid.cell(column: column, row: 0)?.scalar }
        stage.connection = .connecting
        stage.deliver()
        stage.wait(1)
        #expect(cell() == " ")
        stage.wait(2)
        #expect(cell() != " ")
        #expect(stage.screen.contains("no broker for 3 s"))
        #expect(stage.screen.contains("no broker: see progressbus doctor"))
        stage.connection = .live
        stage.report(.job(1, "Work"))
        #expect(cell() == " ")
    }

    @Test("I-26: the details say counts, rate, time, process, what is below and what was said")
    func details() {
        var stage = Stage(columns: 180, rows: 40)
        stage.report(
            .job(1, "Work") {
                $0.counts.running = 3
                $0.counts.failed = 1
                $0.options.expectedChildren = 6
            }
        )
        stage.press(.tab)
        stage.say("half way", from: .number(1), at: 0)
        stage.deliver()
        let screen = stage.screen
        for fact in [
            "42 of 100 files", "3.1 files/s now", "process  4711 on build-1 (scan)",
            "3 running, 1 failed", "about 20 s left", "half way", "job-1",
        ] {
            #expect(screen.contains(fact), "\(fact)")
        }
    }

    @Test("what can be done comes after all of the reason, however many lines that takes")
    func longReason() {
        var stage = Stage(columns: 60, rows: 30)
        stage.report(
            .job(1, "Work") {
                ($0.state, $0.needsAttention) = (.failed, true)
                $0.reason = (1...30).map { "word\($0)" }.joined(separator: " ")
            }
        )
        stage.press(.tab)
        let text = stage.screen.split(separator: "\n").joined(separator: " ")
        let (last, advice) = (
            text.firstRange(of: "word30 "), text.firstRange(of: "look at the reason")
        )
        #expect(
            last != nil && advice.map { $0.lowerBound > last?.upperBound ?? $0.upperBound } == true
        )
    }

    @Test("details that a small screen has no room for are said to be there, and J shows them")
    func detailsWithoutRoom() throws {
        var stage = Stage(columns: 60, rows: 20)
        stage.report(.job(1, "Work") { $0.counts.running = 3 })
        stage.press(.tab)
        let sign = try #require(stage.screen.firstMatch(of: /\+ ([0-9]+) more: J/))
        let left = try #require(Int(sign.output.1))
        #expect(left > 1 && !stage.screen.contains("job-1"))
        stage.type(String(repeating: "J", count: left))
        #expect(!stage.screen.contains("more: J"))
        #expect(stage.screen.contains("job-1"), "the last of them: \(stage.screen)")
        stage.press(.tab, .tab)
        #expect(stage.screen.contains("job-1"), "closed and opened again")
        stage.type("K")
        #expect(stage.screen.contains("more: J"))
        stage.type(String(repeating: "K", count: left))
        #expect(stage.screen.contains("state "))
        stage.resize(columns: 60, rows: 60)
        stage.deliver()
        #expect(!stage.screen.contains("more: J"))
    }

    @Test("I-5: rate and time left change at most once a second")
    func calmNumbers() {
        var stage = Stage(columns: 120)
        stage.report(.job(1, "Work"))
        stage.wait(0.3)
        stage.change(.number(1)) {
            $0.rate = 9
            $0.secondsLeft = 7_200
        }
        #expect(stage.line(0).contains("3.1 /s"))
        stage.wait(0.8)
        stage.change(.number(1)) { $0.completed = 50 }
        #expect(stage.line(0).contains("  9 /s"))
    }
}
