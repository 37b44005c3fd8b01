import CellScreen
import ProgressBus
import TaskTree
import TestSupport
import Testing

@testable import DashboardCore

/// I-11: nothing on the screen moves unless the person's own hand moved it.
@Suite("Every indicator in a consistent location")
struct PlaceTests {
    @Test("I-11: a job is shown in the row of its slot, whatever comes and goes around it")
    func slots() {
        var stage = Stage()
        stage.report(.job(1, "First"), .job(2, "Second"), .job(5, "Fifth"))
        let before = stage.find("Fifth")
        #expect(before?.row == stage.top + 4)
        stage.remove(.number(1))
        stage.report(.job(3, "Third, with a much longer name than the others had"))
        stage.change(.number(2)) {
            $0.state = .failed
            $0.reason = "no space left on the device"
        }
        #expect(stage.find("First") == nil)
        #expect(stage.find("Fifth")?.row == before?.row)
        #expect(stage.find("Fifth")?.column == before?.column)
        #expect(stage.find("Second")?.row == stage.top + 1)
    }

    @Test("I-11: a child is shown in the row of its place; one that has ended keeps it until taken")
    func places() {
        var stage = Stage()
        let job = TaskSnapshot.job(1, "Job") { $0.counts.running = 3 }
        stage.report([job] + (1...3).map { .child(10 + $0, of: job, "child \($0)", place: $0) })
        stage.press(.enter)
        #expect(stage.find("child 2")?.row == stage.top + 2)
        stage.change(.number(12)) { $0.state = .succeeded }
        #expect(stage.find("child 2")?.row == stage.top + 2)
        stage.remove(.number(12))
        stage.report(.child(14, of: job, "child 4", place: 2))
        #expect(stage.find("child 4")?.row == stage.top + 2)
        #expect(stage.find("child 3")?.row == stage.top + 3)
        #expect(stage.find("child 1")?.row == stage.top + 1)
    }

    @Test("I-11: when the connection drops everything stays where it was and as it was")
    func reconnecting() {
        var stage = Stage()
        stage.report(.job(1, "First"), .job(7, "Seventh"))
        let before = stage.grid
        stage.connection = .reconnecting
        stage.deliver()
        for row in 1..<23 { #expect(stage.grid.line(row) == before.line(row)) }
        stage.wait(5)
        #expect(stage.screen.contains("updated 5 s ago"))
        #expect(stage.find("Seventh")?.row == stage.top + 6)
    }

    @Test(
        "I-11: no event of the bus moves a label",
        arguments: (1...16) as ClosedRange<UInt64>
    )
    func nothingMoves(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var world = RandomBus(&random)
        let rows = Int.random(in: 12...60, using: &random)
        var stage = Stage(columns: .random(in: 30...200, using: &random), rows: rows)
        let isJobOpen = Bool.random(using: &random)
        stage.report(world.rows(&random))
        if isJobOpen {
            stage.press(.enter)
            stage.press(.down, .down, .right)
        } else if Bool.random(using: &random) {
            stage.type("++")
        }
        var before = labels(of: stage)
        for step in 0..<200 {
            world.step(&random, &stage)
            let after = labels(of: stage)
            for (label, place) in before {
                guard let now = after[label] else { continue }
                #expect(now == place, "seed \(seed), step \(step), \(label): \(stage.screen)")
            }
            #expect(after.values.count == Set(after.values.map(\.row)).count, "seed \(seed)")
            before = after
        }
    }

    private struct Place: Equatable {
        var row: Int
        var column: Int
    }

    /// Where each "task N" begins; the number of copies is checked on the way.
    private func labels(of stage: Stage) -> [String: Place] {
        let grid = stage.grid
        var places: [String: Place] = [:]
        // The header names the job of the view, and the footer what just happened.
        for row in stage.top..<grid.rows - 1 {
            let line = grid.line(row)
            guard let range = line.firstRange(of: "task ") else { continue }
            let label = line[range.lowerBound...].prefix { $0 != "." }
            #expect(places[String(label)] == nil, "two copies of \(label): \(grid.text)")
            let column = DisplayText.width(of: String(line[..<range.lowerBound]))
            places[String(label)] = Place(row: row, column: column)
        }
        return places
    }
}

/// Jobs and children that begin, change, end and leave as a broker would have them.
private struct RandomBus {
    private var next = 1_000
    private var job: TaskSnapshot
    private var rows: [TaskID: TaskSnapshot] = [:]
    private var freeFrom: [TaskID: Int] = [:]

    init(_ random: inout SplitMix64) {
        job = .job(1, "task 1.")
        job.options.expectedChildren = Int.random(in: 0...12, using: &random)
        job.counts.running = 3
    }

    mutating func rows(_ random: inout SplitMix64) -> [TaskSnapshot] {
        var all = [job]
        for place in 1...6 { all.append(newChild(at: place, &random)) }
        for slot in 2...5 { all.append(newJob(in: slot)) }
        return all
    }

    private mutating func newChild(at place: Int, _ random: inout SplitMix64) -> TaskSnapshot {
        next += 1
        let row = TaskSnapshot.child(next, of: job, "task \(next).", place: place) {
            $0.counts.running = Int.random(in: 0...1, using: &random) * 5
        }
        rows[row.id] = row
        return row
    }

    private mutating func newJob(in slot: Int) -> TaskSnapshot {
        next += 1
        let row = TaskSnapshot.job(next, "task \(next).", slot: slot)
        rows[row.id] = row
        return row
    }

    mutating func step(_ random: inout SplitMix64, _ stage: inout Stage) {
        stage.wait(Double.random(in: 0.05...2, using: &random))
        guard var row = rows.values.sorted(by: { $0.id < $1.id }).randomElement(using: &random)
        else {
            return
        }
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
            stage.connection = stage.connection == .live ? .reconnecting : .live
            stage.deliver()
        case 1, 2:
            // Its successor takes the slot or the place.
            rows[row.id] = nil
            stage.tasks[row.id] = nil
            let other = row.slot.map { newJob(in: $0) } ?? newChild(at: row.place ?? 1, &random)
            stage.report(other)
        case 3:
            rows[row.id] = nil
            stage.remove(row.id)
        case 4:
            stage.report(newChild(at: freePlace(), &random))
        case 5:
            stage.report(newJob(in: freeSlot()))
        default:
            row.state = TaskState.allCases.randomElement(using: &random) ?? .running
            row.isStalled = Bool.random(using: &random)
            row.isSilent = Int.random(in: 0..<5, using: &random) == 0
            row.completed = Int64.random(in: 0...1_000_000_000, using: &random)
            row.total = Bool.random(using: &random) ? row.completed * 2 + 1 : nil
            row.isIndeterminate = row.total == nil
            row.bothFractions = row.total == nil ? 0 : 0.5
            row.detail = String(repeating: "x", count: Int.random(in: 0...300, using: &random))
            row.rate = Double.random(in: 0...1e9, using: &random)
            row.secondsLeft = Double.random(in: 0...1e7, using: &random)
            row.needsAttention = Bool.random(using: &random)
            row.attempt = Int.random(in: 1...3, using: &random)
            row.note = Bool.random(using: &random) ? "waiting for 12 children" : ""
            rows[row.id] = row
            stage.report(row)
        }
    }

    private func freePlace() -> Int {
        let taken = Set(rows.values.compactMap(\.place))
        return (1...).first { !taken.contains($0) } ?? 1
    }

    private func freeSlot() -> Int {
        let taken = Set(rows.values.compactMap(\.slot))
        return (2...).first { !taken.contains($0) } ?? 2
    }
}
