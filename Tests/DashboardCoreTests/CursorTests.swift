import ProgressBus
import TaskTree
import Testing

@testable import DashboardCore

/// The cursor stands on what there is to see.
@Suite("The cursor")
struct CursorTests {
    /// A training with four workers, and rows for many more.
    private func training(rows: Int = 60) -> Stage {
        var stage = Stage(columns: 100, rows: rows)
        let job = TaskSnapshot.job(1, "Training") { $0.counts.running = 4 }
        stage.report(
            [job] + [1, 2, 5, 9].map { .child(10 + $0, of: job, "worker \($0)", place: $0) }
        )
        stage.press(.enter)
        return stage
    }

    @Test("in a tree it goes from task to task, not through blank rows")
    func tree() {
        var stage = training()
        var seen: [TaskID?] = []
        for _ in 0..<6 {
            stage.press(.down)
            seen.append(stage.model.selected)
        }
        #expect(seen == [11, 12, 15, 19, 19, 19].map { .number($0) })
        stage.press(.up)
        #expect(stage.model.selected == .number(15))
    }

    @Test("End is the last task, Home the job, and a screenful ends at a task")
    func ends() {
        var stage = training()
        stage.press(.end)
        #expect(stage.model.selected == .number(19))
        stage.press(.home)
        #expect(stage.model.selected == .number(1))
        stage.press(.pageDown)
        #expect(stage.model.selected == .number(19))
    }

    @Test("rows that have not come yet can be gone to")
    func unknown() {
        var stage = training()
        stage.press(.escape)
        var model = stage.model
        _ = model.handle(.key(.enter), at: stage.now)
        _ = model.handle(.key(.down), at: stage.now)
        _ = model.handle(.key(.down), at: stage.now)
        #expect(model.job?.cursor == 2)
    }

    @Test("on the board it goes from job to job, also to other pages, and End is the last job")
    func board() {
        var stage = Stage(rows: 12)
        stage.report(.job(1, "One"), .job(4, "Four"), .job(30, "Thirty"), .job(200, "Last"))
        stage.press(.down)
        #expect(stage.model.selected == .number(4))
        stage.press(.down)
        #expect(stage.model.selected == .number(30))
        stage.press(.end)
        #expect(stage.model.board.slot == 200)
        #expect(stage.model.selected == .number(200))
        stage.press(.down)
        #expect(stage.model.selected == .number(200))
        stage.press(.home)
        #expect(stage.model.selected == .number(1))
        stage.press(.up)
        #expect(stage.model.selected == .number(1))
    }

    @Test("in the mosaic it goes from cell to cell of those there are, and End is the last")
    func mosaic() {
        var stage = Stage(columns: 40, rows: 12)
        let job = TaskSnapshot.job(1, "Job") { $0.counts.running = 6 }
        stage.report(
            [job]
                + [1, 2, 3, 10, 45, 90].map { .child($0 + 1_000, of: job, "at \($0)", place: $0) }
        )
        for (id, row) in stage.tasks where row.parent != nil {
            stage.change(id) { $0.cell = $0.place }
        }
        stage.type("m")
        stage.press(.end)
        #expect(stage.model.mosaic?.cell == 90)
        stage.press(.right)
        #expect(stage.model.mosaic?.cell == 90)
        stage.press(.home)
        stage.type("lll")
        #expect(stage.model.mosaic?.cell == 10)
        stage.type("h")
        #expect(stage.model.mosaic?.cell == 3)
        stage.press(.down)
        #expect(stage.model.mosaic?.cell == 45)
        // Thirty cells are in a row of this width.
        stage.press(.up)
        #expect(stage.model.mosaic?.cell == 10)
    }

    @Test("messages are those of the selected task, under its name; of a job all, with their names")
    func messages() {
        var stage = Stage(columns: 100)
        stage.report(Samples.board + Samples.children)
        stage.type("L")
        stage.say("from the job", from: .number(1), at: 1_795_237_207)
        stage.say("from scan", from: .number(1), by: .number(21), at: 1_795_237_208)
        stage.say("from part 2", from: .number(1), by: .number(25), at: 1_795_237_209)
        stage.deliver()
        // The children are not on the screen of the board.
        #expect(stage.screen.contains("Messages: Back up photos"))
        #expect(stage.screen.contains("Scan: from scan"), "\(stage.screen)")
        #expect(stage.screen.contains("part 2: from part 2"))
        stage.press(.enter, .down)
        #expect(stage.screen.contains("Messages: Scan"))
        #expect(stage.screen.contains("from scan") && !stage.screen.contains("from the job"))
        stage.press(.down)
        #expect(stage.screen.contains("Messages: Upload"))
        #expect(stage.screen.contains("from part 2") && !stage.screen.contains("from scan"))
    }
}

extension CursorTests {
    @Test("End in a tree of which all is unfolded is the last task, not the blank row behind it")
    func endOfUnfolded() {
        var stage = Stage(columns: 100, rows: 45)
        let job = TaskSnapshot.job(1, "Import") { $0.counts.running = 4 }
        let part = TaskSnapshot.child(13, of: job, "three", place: 3) { $0.counts.running = 1 }
        stage.report(
            [
                job, .child(11, of: job, "one", place: 1), .child(12, of: job, "two", place: 2),
                part,
                .child(14, of: part, "deep", place: 1),
            ]
        )
        stage.press(.tab, .enter)
        #expect(stage.find("deep") != nil, "\(stage.screen)")
        stage.press(.end)
        #expect(stage.model.selected == .number(14), "\(stage.screen)")
        stage.type("=")
        stage.press(.home, .end)
        #expect(stage.model.selected == .number(14), "\(stage.screen)")
    }
}
