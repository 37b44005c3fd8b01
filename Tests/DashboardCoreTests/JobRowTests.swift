import CellScreen
import Foundation
import ProgressBus
import TaskTree
import Testing

@testable import DashboardCore

/// Which rows a job's tree has.
@Suite("Rows of a job")
struct JobRowTests {
    private func training(workers: Int, epochs: Int, declared: Int? = nil) -> [TaskSnapshot] {
        let job = TaskSnapshot.job(1, "Training") {
            $0.counts.running = workers
            $0.counts.succeeded = workers * epochs
        }
        var tasks = [job]
        for worker in 1...workers {
            let row = TaskSnapshot.child(
                worker * 1_000,
                of: job,
                "worker \(worker).",
                place: worker
            ) {
                $0.counts.succeeded = epochs
                $0.options.expectedChildren = declared
            }
            tasks.append(row)
            for epoch in 1...epochs {
                let title = "epoch \(worker)-\(epoch)."
                tasks.append(.child(worker * 1_000 + epoch, of: row, title, place: epoch))
            }
        }
        return tasks
    }

    @Test("what fits is unfolded when a job is opened, without rows that nobody needs")
    func opening() {
        var stage = Stage(columns: 100, rows: 60)
        stage.report(training(workers: 4, epochs: 10, declared: 10))
        stage.press(.enter)
        #expect(stage.count("epoch ") == 40)
        // The job, a worker, ten epochs, the row for what has none; the next worker.
        #expect(stage.find("worker 1.")?.row == stage.top + 1)
        #expect(stage.find("worker 2.")?.row == stage.top + 13)
    }

    @Test("what does not fit begins folded")
    func tooMany() {
        var stage = Stage(columns: 100, rows: 24)
        stage.report(training(workers: 4, epochs: 10))
        stage.press(.enter)
        // The first has the rows that there are; it is folded to look at the others.
        #expect(stage.count("epoch ") == 10)
        stage.press(.down, .enter)
        #expect(stage.count("epoch ") == 0)
        #expect(stage.find("worker 4.")?.row == stage.top + 4)
        stage.press(.enter)
        #expect(stage.count("epoch ") == 10)
        // Two rows for who comes later, and one for what has none.
        #expect(stage.find("worker 2.")?.row == stage.top + 1 + 10 + 2 + 1 + 1)
    }

    @Test("I-11: children that come to an unfolded parent move nothing")
    func later() {
        var stage = Stage(columns: 100, rows: 40)
        stage.report(training(workers: 2, epochs: 3))
        stage.press(.enter)
        let before = stage.find("worker 2.")?.row
        let parent = stage.tasks[.number(1_000)]
        for epoch in 4...9 {
            guard let parent else { break }
            stage.report(.child(1_000 + epoch, of: parent, "epoch 1-\(epoch).", place: epoch))
            stage.change(.number(1_000)) { $0.counts.running += 1 }
            #expect(stage.find("worker 2.")?.row == before)
        }
        #expect(stage.screen.contains("+ 4 more"))
        stage.type("=")
        #expect(stage.find("epoch 1-9.") != nil)
    }

    @Test("the cursor passes over rows that nobody has, and the end is the last that somebody has")
    func blankRows() {
        var stage = Stage(columns: 100, rows: 40)
        let job = TaskSnapshot.job(1, "Job") { $0.counts.running = 3 }
        stage.report([job] + [1, 2, 9].map { .child(10 + $0, of: job, "child \($0).", place: $0) })
        stage.press(.enter, .down, .down, .down)
        #expect(stage.model.selected == .number(19))
        stage.press(.down)
        #expect(stage.model.selected == .number(19))
        stage.press(.home, .end)
        #expect(stage.model.selected == .number(19))
        stage.press(.up)
        #expect(stage.model.selected == .number(12))
    }

    @Test(
        "what has ended says when it ran, in both directions of reading",
        arguments: [false, true]
    )
    func spans(isMirrored: Bool) {
        var stage = Stage(columns: 100, rows: 24) { $0.isMirrored = isMirrored }
        let begun = Date(timeIntervalSince1970: 1_795_237_200)
        let job = TaskSnapshot.job(1, "Job") {
            $0.elapsed = 160
            $0.counts.succeeded = 1
        }
        let child = TaskSnapshot.child(11, of: job, "Scan", place: 1) {
            $0.state = .succeeded
            $0.startedAt = begun.addingTimeInterval(40)
            $0.endedAt = begun.addingTimeInterval(120)
        }
        stage.report(job, child)
        stage.press(.enter)
        let line = stage.line(1)
        #expect(line.contains("├──────┤"), "\(line)")
        let bar = RowColumns(width: 100, hasNumber: false).bar
        #expect(bar.width == 16)
        let first = isMirrored ? 100 - bar.start - bar.width + 4 : bar.start + 4
        #expect(stage.grid.cell(column: first, row: stage.top + 1)?.scalar == "├")
    }

    @Test("the first row of the screen has the path to the cursor, its end where room is short")
    func path() {
        var stage = Stage(columns: 120, rows: 60)
        stage.report(training(workers: 2, epochs: 3))
        #expect(stage.grid.line(0).hasPrefix("Board  ipc:///tmp/progressbus-1000"))
        stage.press(.enter)
        #expect(stage.grid.line(0).hasPrefix("Board › Training "))
        stage.press(.down, .down)
        #expect(stage.grid.line(0).hasPrefix("Board › Training › worker 1. "))
        stage.resize(columns: 30, rows: 24)
        #expect(stage.grid.line(0).hasPrefix("worker 1."))
    }

    @Test("on a large screen the messages of the job are below its tree")
    func log() {
        var stage = Stage(columns: 120, rows: 40)
        stage.report(training(workers: 2, epochs: 3))
        stage.press(.enter)
        stage.say("loss is 0.3", from: .number(1), at: 1_795_237_207)
        stage.deliver()
        #expect(stage.find("loss is 0.3")?.row ?? 0 > 30)
        stage.resize(columns: 80, rows: 40)
        #expect(stage.find("loss is 0.3") == nil)
    }

    @Test("E shows what is below all tasks, a level at a time, and C hides it; the cursor stays")
    func all() {
        var stage = Stage()
        let job = TaskSnapshot.job(1, "Job") { $0.counts.running = 5 }
        let part = TaskSnapshot.child(2, of: job, "Part", place: 2) { $0.counts.running = 3 }
        let step = TaskSnapshot.child(3, of: part, "Step", place: 1) { $0.counts.running = 1 }
        stage.report(
            job,
            .child(5, of: job, "First", place: 1),
            part,
            step,
            .child(4, of: step, "Leaf", place: 1)
        )
        stage.press(.enter)
        stage.type("C")
        #expect(stage.find("Part") != nil && stage.find("Step") == nil)
        stage.press(.down, .down)
        #expect(stage.model.selected == .number(2))
        stage.type("E")
        #expect(stage.find("Step") != nil && stage.find("Leaf") == nil)
        stage.type("E")
        #expect(stage.find("Leaf") != nil)
        #expect(stage.model.selected == .number(2))
        stage.press(.down, .down)
        #expect(stage.model.selected == .number(4))
        stage.type("C")
        #expect(stage.find("Step") == nil)
        #expect(stage.model.selected == .number(2) && stage.model.bound == .number(2))
    }
}
