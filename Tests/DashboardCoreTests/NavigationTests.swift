import CellScreen
import ProgressBus
import TaskTree
import Testing

@testable import DashboardCore

@Suite("Finding one's way")
struct NavigationTests {
    @Test("Digits go to a slot, also on another page; Esc leaves")
    func slots() {
        var stage = Stage(rows: 12)
        stage.report((1...40).map { .job($0, "job \($0)") })
        stage.type("25")
        #expect(stage.screen.contains("slot: 25_"))
        stage.press(.escape)
        #expect(stage.model.board.slot == 1)
        stage.type("25")
        stage.press(.enter)
        #expect(stage.find("job 25") != nil)
        #expect(stage.find("job 1 ") == nil)
        #expect(stage.model.selected == .number(25))
        stage.type("999")
        stage.press(.enter)
        #expect(stage.screen.contains("there are 40 slots"))
    }

    @Test("Each slot is at the same row of its page, whatever page one comes from")
    func pages() {
        var stage = Stage(rows: 12)
        stage.report((1...40).map { .job($0, "job \($0).") })
        let first = stage.find("job 3.")
        stage.press(.pageDown, .pageDown, .pageUp, .pageUp)
        #expect(stage.find("job 3.")?.row == first?.row)
        stage.press(.end)
        #expect(stage.find("job 40.") != nil)
        stage.press(.home)
        #expect(stage.find("job 3.")?.row == first?.row)
    }

    @Test("A board that begins with blank pages opens where the first job is, and stays there")
    func blankPages() {
        var stage = Stage(rows: 12)
        stage.report([.job(1, "far", slot: 259), .job(2, "farther", slot: 400)])
        #expect(stage.find("far") != nil)
        #expect(stage.model.board.slot == 259)
        stage.report(.job(3, "near", slot: 1))
        stage.remove(.number(1))
        #expect(stage.find("near") == nil)
        #expect(stage.model.board.slot == 259)
    }

    @Test("A key on a blank page: the person turns the pages from then on")
    func blankPagesAfterKey() {
        var stage = Stage(rows: 12)
        stage.press(.down)
        stage.report(.job(1, "far", slot: 66))
        #expect(stage.find("far") == nil)
        stage.press(.down)
        #expect(stage.find("far") != nil)
    }

    @Test("The edge of the board says what is on other pages and what needs attention there")
    func edge() {
        var stage = Stage(rows: 12)
        stage.report(
            (1...20).map { number in
                .job(number, "job \(number)") { $0.needsAttention = number > 18 }
            }
        )
        #expect(stage.grid.line(10).contains("11 more, 2 need attention"))
    }

    @Test("The filter hides what does not match, moves nothing, and counts what is elsewhere")
    func filter() {
        var stage = Stage(rows: 12)
        stage.report((1...30).map { .job($0, $0 % 10 == 3 ? "needle \($0)" : "straw \($0)") })
        let before = stage.find("straw 5")
        let needle = stage.find("needle 3")
        stage.type("/needle")
        #expect(stage.screen.contains("filter: needle_  3 hits"))
        stage.press(.enter)
        #expect(stage.find("straw") == nil)
        #expect(stage.find("needle 3")?.row == needle?.row)
        #expect(stage.screen.contains("2 more on other pages"))
        #expect(stage.screen.contains("/needle: 3 hits"))
        #expect(stage.model.selected == .number(3))
        stage.type("n")
        #expect(stage.model.selected == .number(13))
        stage.type("N")
        #expect(stage.model.selected == .number(3))
        stage.press(.escape)
        #expect(stage.find("straw 5")?.row == before?.row)
    }

    @Test("n on the board goes from job to job, also on other pages and where trouble is below")
    func attention() {
        var stage = Stage(rows: 12)
        let job = TaskSnapshot.job(5, "Job", slot: 70) {
            $0.counts.running = 3_000
            $0.attentionBelow = 3_000
        }
        stage.report(
            .job(1, "First") { $0.attentionBelow = 2 },
            .job(2, "Second"),
            .job(3, "Third") { $0.needsAttention = true },
            job,
            .child(51, of: job, "Part", place: 3) { $0.needsAttention = true }
        )
        for slot in [3, 70, 1, 3] {
            stage.type("n")
            #expect(stage.model.board.slot == slot)
            #expect(stage.model.view == .board)
        }
        stage.type("NN")
        #expect(stage.model.board.slot == 70)
    }

    @Test("a key that is pressed while n waits for pages takes it back")
    func jumpTakenBack() {
        var stage = Stage(rows: 12)
        stage.report(
            .job(1, "First"),
            .job(2, "Second"),
            .job(3, "Third", slot: 90) { $0.needsAttention = true }
        )
        var model = stage.model
        _ = model.handle(.key(.character("n")), at: stage.now)
        #expect(model.seeking == 1)
        _ = model.handle(.key(.down), at: stage.now)
        #expect(model.seeking == nil && model.board.slot == 2)
        _ = model.handle(.key(.character("n")), at: stage.now)
        _ = model.handle(.update(ViewportUpdate(connection: .reconnecting)), at: stage.now)
        #expect(model.seeking == nil)
    }

    @Test("a job that is opened again is unfolded as it was left")
    func keepsFolds() {
        var stage = Stage()
        let job = TaskSnapshot.job(1, "Train") { $0.counts.running = 4 }
        let epoch = TaskSnapshot.child(51, of: job, "Epoch 1", place: 1) { $0.counts.running = 1 }
        stage.report(job, epoch, .child(53, of: epoch, "Worker 1", place: 1), .job(2, "Other"))
        stage.press(.enter)
        #expect(stage.screen.contains("Worker 1"), "it fits")
        stage.type("C")
        #expect(!stage.screen.contains("Worker 1"))
        stage.press(.escape, .down, .enter, .escape, .up, .enter)
        #expect(stage.screen.contains("Epoch 1") && !stage.screen.contains("Worker 1"))
        stage.type("E")
        stage.press(.escape, .enter)
        #expect(stage.screen.contains("Worker 1"))
    }

    @Test("Enter on a cell: rows that are unfolded above its task move the cursor along")
    func fromCell() {
        var stage = Stage()
        let job = TaskSnapshot.job(5, "Train") { $0.counts.running = 4 }
        let epoch = TaskSnapshot.child(51, of: job, "Epoch 1", place: 1) { $0.counts.running = 2 }
        stage.report(
            job,
            epoch,
            .child(52, of: epoch, "Worker 1", place: 1),
            .child(53, of: epoch, "Worker 2", place: 2),
            .child(54, of: job, "Epoch 2", place: 2)
        )
        stage.press(.end)
        stage.type("m")
        stage.press(.end, .enter)
        stage.deliver()
        #expect(stage.screen.contains("Worker 2"))
        #expect(stage.model.selected == .number(54), "\(stage.screen)")
    }

    @Test("n in a copy of the board and in the mosaic goes on in them")
    func troubleInPlace() {
        var stage = Stage()
        let job = TaskSnapshot.job(9, "Job", slot: 3) {
            $0.counts.running = 4
            $0.attentionBelow = 2
        }
        let parts = (1...4).map { number in
            TaskSnapshot.child(90 + number, of: job, "part \(number)", place: number) {
                $0.cell = number
                $0.isStalled = number.isMultiple(of: 2)
                $0.needsAttention = $0.isStalled
            }
        }
        let second = TaskSnapshot.job(2, "Second") { $0.needsAttention = true }
        stage.report([.job(1, "First"), second, job] + parts)
        stage.type("o")
        for next in [2, 9, 2] {
            stage.type("n")
            #expect(stage.model.selected == .number(next))
        }
        stage.press(.escape, .end)
        stage.type("m")
        for cell in [2, 4, 2] {
            stage.type("n")
            #expect(stage.model.mosaic?.cell == cell)
        }
        stage.press(.escape, .up)
        stage.type("m")
        #expect(stage.model.view == .board)
        #expect(stage.screen.contains("nothing is below \"Second\""))
    }

    @Test("a lower screen keeps the cursor on its task, in the job and below a task of it")
    func lowerScreen() {
        var stage = Stage()
        let job = TaskSnapshot.job(1, "Film") { $0.counts.running = 24 }
        let scenes = (1...20).map {
            TaskSnapshot.child(100 + $0, of: job, "scene \($0).", place: $0)
        }
        let shots = (1...3).map { number in
            TaskSnapshot.child(200 + number, of: scenes[17], "shot \(number).", place: number)
        }
        stage.report([job] + scenes + shots)
        stage.change(.number(118)) { $0.counts.running = 3 }
        stage.press(.enter)
        for (key, task) in [(Key.down, 115), (.right, 202)] {
            while stage.model.selected != .number(task), stage.model.cursor < 60 {
                stage.press(.down)
                if stage.model.selected == .number(118) { stage.press(key) }
            }
            for rows in [16, 8, 5, 24] {
                stage.resize(columns: 80, rows: rows)
                #expect(stage.model.selected == .number(task), "\(rows): \(stage.screen)")
            }
        }
    }

    @Test(
        "a job with trouble below it says so in its row, in every width",
        arguments: [24, 40, 80, 120, 200]
    )
    func troubleInRow(columns: Int) {
        var stage = Stage(columns: columns)
        stage.report(
            .job(1, "Nightly build of everything there is") {
                $0.counts.running = 3
                $0.attentionBelow = 2
            }
        )
        let line = stage.line(0)
        #expect(line.contains(" 2!") || line.contains(" 2 need attention"), "\(line)")
    }

    @Test("Enter on a job without others below it shows its details, and hides them")
    func leafJob() {
        var stage = Stage(columns: 120)
        stage.report(.job(1, "Alone"))
        #expect(stage.screen.contains("Enter details"))
        stage.press(.enter)
        #expect(stage.model.view == .board)
        #expect(stage.screen.contains("Details: Alone"))
        stage.press(.enter)
        #expect(!stage.screen.contains("Details: Alone"))
        stage.press(.down, .right)
        #expect(stage.screen.contains("Details: Alone"))
        stage.press(.escape)
        #expect(!stage.screen.contains("Details: Alone"))
    }

    @Test("The number of a slot is left by every key that moves; the footer says what Enter does")
    func slotLine() {
        var stage = Stage(rows: 12)
        stage.report((1...40).map { .job($0, "job \($0).") })
        stage.type("25")
        #expect(stage.screen.contains("slot: 25_  Enter goes there  Esc leaves"))
        stage.press(.end)
        #expect(!stage.screen.contains("slot: 25_"))
        #expect(stage.model.selected == .number(40))
        stage.type("3")
        stage.press(.up)
        #expect(stage.model.selected == .number(39))
    }

    @Test("Nothing needs attention: n says so")
    func noAttention() {
        var stage = Stage()
        stage.report(.job(1, "First"))
        stage.type("n")
        #expect(stage.screen.contains("nothing here needs attention"))
    }

    @Test("what is pasted into the filter is looked for, without what steers")
    func pasteIntoFilter() {
        var stage = Stage()
        stage.report(.job(1, "Import the archive"), .job(2, "Other"))
        stage.type("/Imp")
        stage.give(.paste("ort\tthe\u{1B}\n"))
        #expect(stage.screen.contains("filter: Import the_"))
        stage.press(.enter)
        #expect(stage.model.filter == "Import the")
    }

    @Test("a filter has a bound, whatever its characters are made of")
    func longFilter() {
        var stage = Stage()
        stage.type("/a")
        for _ in 0..<10 { stage.give(.paste(String(repeating: "\u{301}", count: 1_000))) }
        for _ in 0..<200 { stage.press(.character("\u{301}")) }
        #expect(stage.model.activeFilter.unicodeScalars.count == 100)
    }

    @Test("what is pasted elsewhere does nothing, in a dialog too", arguments: ["", "x", "?", "1"])
    func pasteElsewhere(key: String) {
        var stage = Stage()
        stage.report(.job(1, "Import") { $0.options.isPausable = true }, .job(2, "Other"))
        stage.type(key)
        let (dialog, prompt) = (stage.model.dialog, stage.model.prompt)
        stage.give(.paste("pdqxj\r"))
        #expect(stage.actions.isEmpty)
        #expect(stage.model.dialog == dialog)
        #expect(stage.model.prompt == prompt)
        #expect(stage.model.board.slot == 1)
    }

    @Test("n while the broker is away: nothing is looked for, and it is said")
    func jumpWithoutBroker() {
        var stage = Stage()
        stage.report(.job(1, "First"), .job(2, "Render", slot: 90) { $0.needsAttention = true })
        stage.connection = .reconnecting
        stage.deliver()
        stage.type("n")
        #expect(stage.actions.isEmpty)
        #expect(stage.screen.contains("no broker answers"))
    }

    @Test("A frozen picture stands still and goes on as things are")
    func freeze() {
        var stage = Stage()
        stage.report(.job(1, "Work"))
        stage.type("f")
        stage.wait(8)
        stage.change(.number(1)) { $0.bothFractions = 0.77 }
        #expect(stage.line(0).contains("42%"))
        #expect(stage.screen.contains("frozen 8 s"))
        stage.type("f")
        #expect(stage.line(0).contains("77%"))
    }

    @Test("The job view reserves rows; what does not fit is counted; Enter there turns the page")
    func rest() {
        var stage = Stage(rows: 12)
        let job = TaskSnapshot.job(1, "Job") {
            $0.counts.running = 20
            $0.counts.failed = 1
        }
        stage.report(
            [job]
                + (1...21).map { number in
                    .child(100 + number, of: job, "child \(number).", place: number) {
                        $0.state = number == 21 ? .failed : .running
                    }
                }
        )
        stage.press(.enter)
        #expect(stage.grid.line(10).contains("+ 13 more, 12 running, 1 failed"))
        stage.press(.end, .enter)
        #expect(stage.find("child 9.") != nil)
        #expect(stage.find("child 8.") == nil)
    }

    @Test(
        "What has ended and lost its place to another is on the page behind the last that is used"
    )
    func history() {
        var stage = Stage(rows: 24)
        let job = TaskSnapshot.job(1, "Job") {
            $0.counts.running = 1
            $0.counts.succeeded = 29
        }
        stage.report(
            [job]
                + (Array(1...17) + Array(65...77)).map { place in
                    .child(100 + place, of: job, "epoch \(place).", place: place) {
                        $0.state = place == 17 ? .running : .succeeded
                    }
                }
        )
        stage.press(.enter)
        #expect(stage.screen.contains("+ 13 more, 13 done"))
        stage.press(.end, .enter)
        #expect(stage.find("epoch 65.") != nil && stage.find("epoch 77.") != nil)
        #expect(stage.find("epoch 17.") == nil)
        stage.press(.end, .enter)
        #expect(stage.find("epoch 1.") != nil)
    }

    @Test("An unfolded block stays where it is when its task's place is taken by another")
    func blockOutlivesTask() {
        var stage = Stage()
        stage.report(Samples.board + Samples.children)
        stage.press(.enter)
        let verify = stage.find("Verify")
        #expect(stage.find("part 1") != nil)
        stage.tasks[.number(24)] = nil
        stage.tasks[.number(25)] = nil
        stage.tasks[.number(22)] = nil
        stage.report(.child(30, of: Samples.backup, "Successor", place: 2))
        #expect(stage.find("part 1") == nil)
        #expect(stage.find("Verify")?.row == verify?.row)
        stage.type("=")
        #expect(stage.find("Verify")?.row == verify.map { $0.row - 3 })
    }

    @Test("Esc goes one step back and never leaves the program")
    func escape() {
        var stage = Stage()
        stage.report(Samples.board + Samples.children)
        stage.press(.enter)
        stage.type("m")
        #expect(stage.model.view == .mosaic)
        stage.press(.escape)
        #expect(stage.model.view == .job)
        stage.press(.escape, .escape, .escape)
        #expect(stage.model.view == .board)
        #expect(!stage.actions.contains(.leave))
    }

    @Test("The mosaic asks who is in the cell of the cursor and shows the task in its tree")
    func mosaicNames() {
        var stage = Stage()
        stage.report(Samples.board + Samples.children)
        stage.type("m")
        stage.press(.end)
        #expect(stage.screen.contains("cell 25: part 2"))
        stage.press(.enter)
        #expect(stage.model.view == .job)
        #expect(stage.model.selected == .number(25))
    }

    @Test("Only what is on the screen is followed")
    func following() {
        var stage = Stage()
        stage.report(
            (1...200).map { .job($0, "job \($0)") { $0.counts.running = 5 } } + Samples.children
        )
        #expect(stage.model.followed == [.board(page: 0)])
        stage.type("150")
        stage.press(.enter)
        #expect(stage.model.followed == [.board(page: 2)])
        stage.press(.home, .enter)
        let children: Set<ViewportPart> = [
            .children(of: .number(1), block: 0), .children(of: .number(22), block: 0),
        ]
        #expect(stage.model.followed == children.union([.board(page: 0)]))
        #expect(stage.model.store.rows.count <= 64 + 5)
        stage.type("m")
        #expect(stage.model.followed == [.board(page: 0), .states(of: .number(1), block: 0)])
    }

    @Test("A task given on the command line is shown at once, its job open")
    func opens() {
        var stage = Stage { $0.opens = "job-2" }
        #expect(stage.model.view == .board)
        stage = Stage { $0.opens = "nothing" }
        #expect(stage.screen.contains("no task goes by \"nothing\""))
    }
}
