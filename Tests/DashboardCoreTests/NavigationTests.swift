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

    @Test("n goes to what needs attention, wherever it is, and unfolds the way to it")
    func attention() {
        var stage = Stage()
        let job = TaskSnapshot.job(5, "Job", slot: 70) { $0.counts.running = 3 }
        let part = TaskSnapshot.child(51, of: job, "Part", place: 3) { $0.counts.running = 2 }
        let deep = TaskSnapshot.child(52, of: part, "Deep trouble", place: 20) {
            $0.needsAttention = true
        }
        stage.report(.job(1, "First"), job, part, deep)
        stage.type("n")
        stage.deliver()
        #expect(stage.model.selected == .number(52))
        #expect(stage.screen.contains("Deep trouble"))
        stage.press(.escape)
        #expect(stage.model.view == .board)
        #expect(stage.model.board.slot == 70)
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

    @Test("n into a job that was not open: rows that are unfolded above it move the cursor along")
    func intoClosedJob() {
        var stage = Stage()
        let job = TaskSnapshot.job(5, "Train") { $0.counts.running = 4 }
        let epoch = TaskSnapshot.child(51, of: job, "Epoch 1", place: 1) { $0.counts.running = 2 }
        stage.report(
            job,
            epoch,
            .child(53, of: epoch, "Worker 1", place: 1),
            .child(54, of: epoch, "Worker 2", place: 2),
            .child(52, of: job, "Epoch 2", place: 2) { $0.needsAttention = true }
        )
        stage.type("n")
        stage.deliver()
        #expect(stage.screen.contains("Worker 2"))
        #expect(stage.model.selected == .number(52))
    }

    @Test("n goes to the next trouble from the cursor on, N to the one before")
    func fromCursor() {
        var stage = Stage()
        let job = TaskSnapshot.job(9, "Job", slot: 3) { $0.counts.running = 3 }
        stage.report(
            .job(1, "First") { $0.needsAttention = true },
            .job(2, "Second") { $0.needsAttention = true },
            job,
            .child(92, of: job, "two", place: 2) { $0.needsAttention = true },
            .child(94, of: job, "four", place: 4) { $0.attentionBelow = 1 },
            .child(93, of: job, "five", place: 5) { $0.needsAttention = true }
        )
        stage.press(.down)
        stage.type("N")
        #expect(stage.model.selected == .number(1))
        stage.press(.end, .enter)
        for next in [92, 94, 93] {
            stage.type("n")
            #expect(stage.model.selected == .number(next))
        }
        stage.press(.home)
        stage.type("n")
        #expect(stage.model.selected == .number(92))
        stage.press(.end)
        stage.type("N")
        #expect(stage.model.selected == .number(94))
        // All others follow.
        stage.press(.end)
        var seen: Set<TaskID?> = []
        for _ in 0..<6 {
            stage.type("n")
            seen.insert(stage.model.selected)
        }
        #expect(seen.isSuperset(of: [1, 2, 92, 93].map { .number($0) }), "\(seen)")
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
        #expect(stage.screen.contains("slot: 25_   Enter goes there   Esc leaves"))
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
        #expect(stage.screen.contains("nothing needs attention"))
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

    @Test("n whose answer comes after the person has moved on: the cursor stays")
    func lateJump() {
        var stage = Stage()
        stage.report(
            .job(1, "First"),
            .job(2, "Second"),
            .job(3, "Third", slot: 90) { $0.needsAttention = true }
        )
        var model = stage.model
        func requests(_ actions: [DashboardAction]) -> [Int] {
            actions.compactMap { if case .find(let request, _) = $0 { request } else { nil } }
        }
        let third: Result<TaskMatch?, FollowError> = .success(
            TaskMatch(task: .number(3), job: .number(3), title: "Third", slot: 90)
        )
        let first = requests(model.handle(.key(.character("n")), at: stage.now))
        _ = model.handle(.key(.down), at: stage.now)
        for request in first { _ = model.handle(.found(request: request, third), at: stage.now) }
        #expect(model.board.slot == 2)
        // Pressed twice: the second answer counts, the first none.
        let twice =
            requests(model.handle(.key(.character("n")), at: stage.now))
            + requests(model.handle(.key(.character("n")), at: stage.now))
        for request in twice { _ = model.handle(.found(request: request, third), at: stage.now) }
        #expect(model.board.slot == 90)
        #expect(model.searches.isEmpty)
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
