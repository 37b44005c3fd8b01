import CellScreen
import ProgressBus
import TaskTree
import Testing

@testable import DashboardCore

@Suite("The mosaic")
struct MosaicTests {
    /// The mosaic of a job of 300 tasks, opened from its job's view or from the board.
    private func stage(fromBoard: Bool) -> Stage {
        var stage = Stage(columns: 40, rows: 12)
        let job = TaskSnapshot.job(1, "Job") { $0.counts.running = 300 }
        let children = (1...300).map { number in
            TaskSnapshot.child(1_000 + number, of: job, "task \(number).", place: number) {
                $0.cell = number
            }
        }
        stage.report([job] + children)
        if !fromBoard { stage.press(.enter) }
        stage.type("m")
        return stage
    }

    /// The rows of the body that have a cell in reverse: the cursor.
    private func cursorRows(_ stage: Stage) -> [Int] {
        let grid = stage.grid
        return (stage.top..<grid.rows - 2).filter { row in
            (0..<grid.columns).contains { column in
                grid.cell(column: column, row: row)?.style.attributes.contains(.reverse) == true
            }
        }
    }

    @Test("a resize keeps the cursor in sight, wherever it was opened", arguments: [true, false])
    func resize(fromBoard: Bool) {
        var stage = stage(fromBoard: fromBoard)
        stage.press(.end)
        #expect(cursorRows(stage).count == 1)
        stage.resize(columns: 20, rows: 9)
        #expect(cursorRows(stage).count == 1)
        #expect(stage.screen.contains("task 300."))
        stage.resize(columns: 100, rows: 30)
        #expect(cursorRows(stage) == [stage.top + 3])
    }

    @Test("= shows as much as fits, and fits nothing that is not on the screen")
    func refit() {
        var stage = stage(fromBoard: true)
        stage.press(.end)
        stage.remove(.number(1_300))
        // Half of the tasks have left, and their cells with them.
        stage.remove(.number(1_299))
        for number in 121...298 { stage.tasks[.number(1_000 + number)] = nil }
        stage.change(.number(1)) { $0.counts.running = 120 }
        stage.press(.home)
        stage.press(.down, .down)
        stage.type("=")
        #expect(stage.model.mosaic?.scroll == 0)
        #expect(cursorRows(stage) == [3])
    }

    @Test("= in the mosaic leaves the rows of the job behind it as they were")
    func refitBehind() {
        var stage = Stage()
        stage.report(Samples.board + Samples.children)
        stage.press(.enter, .down, .down, .enter)
        stage.tasks[.number(22)] = nil
        stage.report(.child(30, of: Samples.backup, "Successor", place: 2))
        let before = stage.model.job?.lines
        stage.type("m=")
        stage.press(.escape)
        #expect(stage.model.job?.lines == before)
    }

    @Test("a cell of what runs says how far it is, once that is an eighth, and the legend says so")
    func howFar() {
        var stage = stage(fromBoard: true)
        stage.resize(columns: 100, rows: 24)
        let glyphs: [(Double, Character)] = [
            (0.1, "▯"), (0.125, "▁"), (0.5, "▄"), (0.99, "▇"), (1, "▇"),
        ]
        for (fraction, glyph) in glyphs {
            stage.change(.number(1_001)) { task in
                (task.isIndeterminate, task.fraction) = (false, fraction)
            }
            #expect(stage.line(0).dropFirst(7).first == glyph, "\(fraction)")
        }
        #expect(stage.screen.contains("cell 1: task 1., running, 7 eighths done"))
        #expect(stage.screen.contains("▯ 300 running   ▁▄▇ how far"), "\(stage.screen)")
        stage.change(.number(1_001)) { $0.isStalled = true }
        #expect(stage.line(0).dropFirst(7).first == "!")
    }

    @Test("the legend counts what is stalled or silent by itself, not as running")
    func haltedInLegend() {
        var stage = stage(fromBoard: true)
        stage.resize(columns: 100, rows: 24)
        stage.change(.number(1)) { $0.attentionBelow = 299 }
        let legend = stage.grid.line(1)
        #expect(legend.contains("!? 299 stalled or silent   ▯ 1 running"), "\(legend)")
    }

    @Test("/ in the mosaic says while it is typed that cells have no names")
    func names() {
        var stage = stage(fromBoard: true)
        stage.resize(columns: 100, rows: 24)
        stage.type("/task")
        #expect(stage.grid.line(23).contains("filter: task_  cells are found by their states"))
        stage.press(.escape)
        stage.type("/running")
        #expect(stage.grid.line(23).contains("filter: running_  300 hits"))
    }

    @Test("cells are dim while the picture is frozen, and while no broker answers")
    func old() {
        var stage = stage(fromBoard: true)
        func isDim() -> Bool {
            stage.grid.cell(column: 8, row: stage.top)?.style.attributes.contains(.dim) == true
        }
        #expect(!isDim())
        stage.type("f")
        #expect(isDim())
        stage.type("f")
        #expect(!isDim())
        stage.connection = .reconnecting
        stage.deliver()
        stage.wait(3)
        #expect(isDim())
    }

    @Test("x on a cell says where the task can be asked")
    func keys() {
        var stage = stage(fromBoard: true)
        stage.press(.right)
        stage.type("x")
        #expect(stage.model.dialog == nil)
        #expect(stage.screen.contains("Enter shows the task in its tree"))
    }

    @Test("Enter before the name of the cell has come opens the task when it comes")
    func enterEarly() {
        let stage = stage(fromBoard: true)
        let now = stage.now
        var model = stage.model
        func asked(_ key: Key) -> Int? {
            model.handle(.key(key), at: now).compactMap { action in
                if case .find(let request, _) = action { request } else { nil }
            }.last
        }
        func answer(_ request: Int?, _ answer: Result<TaskMatch?, FollowError>) {
            _ = model.handle(.found(request: request ?? 0, answer), at: now)
        }
        func screen() -> String { model.draw(at: now).text }
        answer(asked(.right), .failure(FollowError(.timedOut, "no answer came")))
        #expect(screen().contains("cell 2: running"))
        answer(asked(.enter), .failure(FollowError(.timedOut, "no answer came")))
        #expect(model.view == .mosaic && screen().contains("no answer came"))
        let match = TaskMatch(
            task: .number(1_002),
            job: .number(1),
            title: "task 2.",
            slot: 1,
            path: [.number(1)],
            places: [2]
        )
        answer(asked(.enter), .success(match))
        #expect(model.view == .job && model.job?.bound == .number(1_002))
    }
}
