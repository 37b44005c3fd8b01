import CellScreen
import ProgressBus
import TaskTree
import Testing

@testable import DashboardCore

/// Whole screens, as a person sees them.
@Suite("Screens")
struct ScreenTests {
    @Test("jobs on several hosts: each row says its own, beside what is wrong too")
    func hosts() {
        var stage = Stage(columns: 140, rows: 24)
        var first = Samples.board[0]
        let second = Samples.board[7]
        first.attentionBelow = 0
        stage.report(first, second)
        #expect(!stage.screen.contains("on build-1"))
        stage.change(second.id) {
            $0.process = TaskSnapshot.Process(host: "node2", pid: 7, command: "convert")
        }
        #expect(stage.screen.contains("failed: no space left on the device (on node2)"))
        #expect(stage.screen.contains("on build-1 - IMG_0042"))
        // What its owner says of it counts before where that is, and is not said twice.
        stage.change(first.id) { $0.options.host = "render-1" }
        #expect(stage.screen.contains("on render-1 - IMG_0042"))
        stage.change(first.id) { $0.state = .lost }
        #expect(stage.screen.contains("is gone (on render-1)"))
        stage.change(first.id) { $0.state = .running }
        stage.change(first.id) { $0.title += " on render-1" }
        #expect(!stage.screen.contains("on render-1 - IMG_0042"))
    }

    @Test("The board in every width", arguments: [20, 40, 60, 80, 120, 200])
    func board(width: Int) throws {
        let rows = width == 20 ? 5 : width == 200 ? 60 : 24
        var stage = Stage(columns: width, rows: rows)
        stage.report(Samples.board)
        try Snapshot.expect(stage.grid, "board-\(width)x\(rows)")
    }

    @Test("The article on watching shows the board as it is drawn")
    func article() throws {
        var stage = Stage(columns: 100, rows: 16)
        stage.report(Samples.board)
        try Snapshot.expectInArticle(stage.grid, "board")
    }

    @Test("The board with three lines for each slot")
    func highSlots() throws {
        var stage = Stage()
        stage.report(Samples.board + Samples.children)
        stage.type("++")
        try Snapshot.expect(stage.grid, "board-three-lines")
    }

    @Test("The view of one job, a child unfolded")
    func job() throws {
        var stage = Stage(columns: 100, rows: 30)
        stage.report(Samples.board + Samples.children)
        stage.press(.enter, .down, .down)
        try Snapshot.expect(stage.grid, "job")
    }

    @Test("Details of the selected task below the view, and beside it where there is room")
    func details() throws {
        var stage = Stage()
        stage.report(Samples.board)
        stage.press(.down, .tab)
        for second in 1...40 {
            stage.wait(1)
            stage.change(.number(2)) { $0.completed += Int64(second % 7) }
        }
        try Snapshot.expect(stage.grid, "details-below")
        stage.resize(columns: 180, rows: 24)
        try Snapshot.expect(stage.grid, "details-beside")
    }

    @Test("Messages are beside the indicators, never through them")
    func messages() throws {
        var stage = Stage()
        stage.report(Samples.board)
        let before = stage.find("Back up photos")
        stage.say("12 files cannot be read", from: .number(1), at: 1_795_237_207)
        stage.type("L")
        #expect(stage.find("Back up photos")?.row == before?.row)
        try Snapshot.expect(stage.grid, "messages")
    }

    @Test("The keys of each view")
    func help() throws {
        var stage = Stage()
        stage.report(Samples.board)
        stage.type("?")
        try Snapshot.expect(stage.grid, "keys-board")
        stage.press(.escape, .enter)
        stage.type("?")
        try Snapshot.expect(stage.grid, "keys-job")
    }

    @Test("The question before a cancel")
    func dialog() throws {
        var stage = Stage()
        stage.report(Samples.board)
        stage.type("x")
        try Snapshot.expect(stage.grid, "dialog")
    }

    @Test("The mosaic of a thousand tasks")
    func mosaic() throws {
        var stage = Stage()
        let job = TaskSnapshot.job(1, "Render the film") { $0.counts.running = 1_000 }
        stage.report(
            [job]
                + (1...1_000).map { number in
                    .child(number, of: job, "frame \(number)", place: number) {
                        $0.id = .number(10_000 + number)
                        $0.state =
                            TaskState.allCases[number * number % 7 == 0 ? 5 : number < 600 ? 4 : 1]
                        $0.isStalled = number == 700
                    }
                }
        )
        stage.type("m")
        stage.press(.down, .right)
        try Snapshot.expect(stage.grid, "mosaic")
    }

    @Test("In ASCII, and without colour")
    func ascii() throws {
        var stage = Stage {
            $0.glyphs = .ascii
            $0.theme = .monochrome
        }
        stage.report(Samples.board)
        let text = stage.screen
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
        try Snapshot.expect(stage.grid, "board-ascii")
    }

    @Test("From right to left")
    func mirrored() throws {
        var stage = Stage { $0.isMirrored = true }
        stage.report(Samples.board)
        try Snapshot.expect(stage.grid, "board-right-to-left")
    }

    @Test("Names in any script leave the columns where they are")
    func scripts() throws {
        var stage = Stage()
        let names = [
            "Plain", "写真のバックアップ", "👨‍👩‍👧‍👦 family 🇩🇪 flag ❤️", "e\u{301}galite\u{301}", "שלום עולם",
            "العربية", "한국어 자모 \u{1112}\u{1161}\u{11AB}", String(repeating: "長", count: 60),
            "\u{1B}[31mred\u{202E}evil\u{0}",
        ]
        stage.report(names.enumerated().map { .job($0.offset + 1, $0.element) })
        let grid = stage.grid
        let columns = Set(
            (0..<names.count).map { stage.top + $0 }.map { row in
                (0..<grid.columns).first {
                    grid.cell(column: $0, row: row)?.scalar == "4"
                        && grid.cell(column: $0 + 1, row: row)?.scalar == "2"
                        && grid.cell(column: $0 + 2, row: row)?.scalar == "%"
                }
            }
        )
        #expect(columns.count == 1)
        try Snapshot.expect(grid, "board-scripts")
    }

    @Test("No width and no height traps", arguments: 0...10)
    func tiny(size: Int) {
        for rows in [0, 1, 2, 3, 4, 5, 24] {
            for pane in ["", "\t", "L", "?", "x", "m"] {
                var stage = Stage(columns: size, rows: rows) { $0.isMirrored = size % 2 == 1 }
                stage.report(Samples.board + Samples.children)
                stage.press(pane == "\t" ? .tab : .character(pane.first ?? " "))
                #expect(stage.grid.columns == size)
                stage.resize(columns: 80, rows: 24)
                stage.press(.escape, .enter, .down, .enter, .pageDown, .end)
                stage.resize(columns: size, rows: rows)
                stage.press(.up, .left, .home, .character("="), .character("+"))
                #expect(stage.grid.rows == rows)
            }
        }
    }
}
