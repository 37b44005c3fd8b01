import CellScreen
import ProgressBus
import TaskTree
import Testing

@testable import DashboardCore

/// Finding by words, states, hosts and keys, and in another order.
@Suite("Finding")
struct FindingTests {
    private func stage(columns: Int = 100, rows: Int = 24) -> Stage {
        var stage = Stage(columns: columns, rows: rows)
        stage.report(Samples.board + Samples.children)
        return stage
    }

    /// The slots that a filter leaves on the board.
    private func slots(_ filter: String) -> [Int] {
        var stage = stage()
        stage.type("/" + filter)
        stage.press(.enter)
        // More than the number of a slot.
        return (1...22).filter {
            stage.line($0 - 1).count > 8 && stage.model.store.inSlot[$0] != nil
        }
    }

    @Test("by state, by trouble, by host, by key, and all of it together")
    func terms() {
        #expect(slots("lost") == [5])
        // The backup has a child that has failed, folded away.
        #expect(slots("failed") == [1, 8])
        #expect(slots("!") == [1, 3, 4, 5, 8])
        #expect(slots(" !") == [1, 3, 4, 5, 8])
        #expect(slots("paused") == [11])
        #expect(slots("done") == [7])
        #expect(slots("waiting") == [6])
        #expect(slots("key:job-12") == [12])
        #expect(slots("host:BUILD-1 stalled") == [3])
        #expect(slots("host:elsewhere") == [])
        #expect(slots("! film") == [3])
        #expect(slots("FILM render") == [])
        #expect(slots("the film") == [3])
    }

    @Test(
        "x, p and d ask nothing of a row that the filter hides, and say so",
        arguments: ["x", "p", "d"]
    )
    func hidden(key: String) {
        var stage = stage()
        stage.type("/lost")
        stage.press(.enter)
        #expect(stage.model.selected == .number(5))
        stage.change(.number(5)) { $0.state = .running }
        #expect(stage.find("Compress the logs") == nil)
        stage.type(key)
        #expect(stage.screen.contains("the filter hides what is in this row"))
        #expect(stage.model.dialog == nil)
        stage.press(.escape)
        #expect(stage.find("Compress the logs")?.row == stage.top + 4)
    }

    @Test("each view has its own filter: a job that was found is opened with all that is below it")
    func views() {
        var stage = stage()
        stage.type("/photos")
        stage.press(.enter, .enter)
        #expect(stage.screen.contains("Scan") && stage.screen.contains("Verify"))
        stage.type("/verify")
        stage.press(.enter)
        #expect(stage.find("Scan") == nil)
        #expect(stage.model.selected == .number(23))
        #expect(stage.screen.contains("/verify: 1 hit "))
        stage.press(.escape)
        #expect(stage.find("Scan") != nil)
        stage.press(.escape)
        #expect(stage.screen.contains("/photos: 1 hit "))
        #expect(stage.find("Index the library") == nil)
    }

    @Test("in a tree what is unfolded is shown above what matches below it")
    func unfolded() {
        var stage = stage()
        stage.press(.enter, .down, .down)
        let row = stage.find("part 2")?.row
        stage.type("/stalled")
        stage.press(.enter)
        #expect(stage.find("part 2")?.row == row)
        #expect(stage.find("Upload") != nil)
        #expect(stage.find("part 1") == nil && stage.find("Verify") == nil)
        #expect(stage.model.selected == .number(25))
    }

    @Test("where something is folded, the hits say that it was not looked for there")
    func folded() {
        var stage = stage(columns: 140)
        stage.press(.enter)
        stage.type("C/part")
        stage.press(.enter)
        #expect(stage.screen.contains("/part: 0 hits; E unfolds more"), "\(stage.screen)")
        #expect(stage.screen.contains("E expand all"))
        stage.type("E")
        // Two that have ended are behind the rows that there are.
        #expect(stage.screen.contains("/part: 2 hits in what is unfolded"), "\(stage.screen)")
        #expect(!stage.screen.contains("E expand all"))
        stage.press(.escape, .escape)
        stage.type("/back")
        #expect(stage.screen.contains("filter: back_  1 hit  "), "\(stage.screen)")
    }

    @Test("what is unfolded stays under a filter only as the head of what matches")
    func heads() {
        var stage = stage(columns: 140)
        stage.press(.enter)
        stage.type("E/part 1")
        stage.press(.enter)
        #expect(stage.screen.contains("▾ Upload"), "\(stage.screen)")
        stage.press(.escape)
        stage.type("/scan")
        stage.press(.enter)
        #expect(
            stage.screen.contains("Scan") && !stage.screen.contains("Upload"),
            "\(stage.screen)"
        )
    }

    @Test("a slash before what is looked for is not part of it, as it is written so everywhere")
    func slash() {
        #expect(slots("/failed") == [1, 8])
        #expect(slots("/! film") == [3])
        var stage = stage()
        stage.type("//failed")
        #expect(stage.screen.contains("filter: failed_  2 hits"), "\(stage.screen)")
        stage.press(.enter)
        #expect(stage.screen.contains("/failed: 2 hits"), "\(stage.screen)")
    }

    @Test("the key that unfolds is named and offered on every width where something is folded")
    func foldedNarrow() {
        for (columns, rows) in [(40, 12), (80, 24)] {
            var stage = stage(columns: columns, rows: rows)
            stage.press(.enter)
            stage.type("C/2-1")
            stage.press(.enter)
            let footer = stage.grid.line(rows - 1)
            #expect(footer.contains("/2-1: 0 hits; E unfolds more"), "\(footer)")
            #expect(columns == 40 || footer.contains("E expand all"), "\(footer)")
        }
    }

    @Test("/! says how many tasks are in trouble in its rows and below them")
    func trouble() {
        var stage = stage()
        stage.change(.number(1)) { $0.attentionBelow = 43 }
        stage.type("/!")
        stage.press(.enter)
        #expect(stage.screen.contains("/!: 5 hits, 47 need attention"), "\(stage.screen)")
        stage.press(.home, .enter)
        stage.type("C/!")
        stage.press(.enter)
        #expect(stage.screen.contains("43 need attention"), "\(stage.screen)")
    }

    @Test("the help names what can be looked for")
    func help() {
        var stage = stage(rows: 40)
        stage.type("?")
        for words in ["/! /failed", "/host: /key:"] {
            #expect(stage.screen.contains(words), "\(stage.screen)")
        }
    }

    @Test("without a job there is nothing to put in order, and it is said")
    func emptyOrder() {
        var stage = Stage()
        stage.deliver()
        stage.type("o")
        #expect(stage.model.view == .board)
        #expect(stage.screen.contains("there is no job to put in order"))
    }

    @Test("in the mosaic states are found, n goes through them, and other words are refused")
    func mosaic() {
        var stage = stage()
        stage.type("m/stalled")
        stage.press(.enter)
        #expect(stage.model.mosaic?.cell == 25)
        #expect(stage.screen.contains("/stalled: 1 hit "))
        stage.press(.escape)
        stage.type("/part")
        stage.press(.enter)
        #expect(stage.screen.contains("cells are found by their states alone"))
    }

    @Test("o shows a copy by time left, by trouble, by host, whose rows stay; Esc leaves it")
    func order() {
        var stage = stage()
        stage.wait(2)
        stage.change(.number(13)) { $0.secondsLeft = 5 }
        stage.change(.number(4)) {
            $0.process?.host = "a-host"
            $0.counts.running = 1
        }
        let board = stage.grid
        stage.type("o")
        #expect(stage.model.view == .ordered)
        #expect(stage.find("Measure")?.row == stage.top, "\(stage.screen)")
        #expect(stage.screen.contains("a copy of the board by time left"))
        stage.change(.number(13)) { $0.secondsLeft = 5_000 }
        stage.report(.job(40, "New"))
        #expect(stage.find("Measure")?.row == stage.top)
        #expect(stage.find("New") == nil)
        // A time that its row does not say is none.
        #expect(stage.find("Render the film").map { $0.row > stage.top + 2 } == true)
        stage.type("o")
        #expect(stage.find("Render the film")?.row == stage.top)
        #expect(stage.find("Back up photos")?.row == stage.top + 4)
        stage.type("o")
        #expect(stage.find("a-host    Upload to the")?.row == stage.top)
        stage.press(.home, .enter)
        #expect(stage.model.job?.job == .number(4))
        stage.press(.escape)
        #expect(stage.find("a-host    Upload to the")?.row == stage.top)
        stage.press(.escape)
        #expect(stage.model.view == .board)
        #expect(stage.model.board.slot == 4)
        stage.remove(.number(40))
        stage.press(.home)
        for row in [0, 1, 4, 5, 6, 7] { #expect(stage.line(row) == board.line(stage.top + row)) }
    }

    @Test("in the copy keys act on the task of the row, whatever has its slot")
    func orderedActs() {
        var stage = stage()
        stage.type("o")
        stage.press(.home)
        guard let selected = stage.model.selected, let row = stage.tasks[selected] else {
            Issue.record("nothing is selected")
            return
        }
        stage.tasks[selected] = nil
        stage.report(.job(50, "Successor", slot: row.slot))
        stage.type("x")
        #expect(stage.model.dialog == nil)
        #expect(stage.find("Successor") == nil)
    }

    @Test("a copy of many pages waits until all of them have come, and then stays")
    func largeOrder() {
        var stage = Stage(rows: 12)
        stage.report(
            (1...200).map { number in
                .job(number, "job \(number).") { $0.secondsLeft = Double(1_000 - number) }
            }
        )
        stage.type("o")
        #expect(stage.find("job 200.")?.row == stage.top)
        #expect(stage.find("job 192.")?.row == stage.top + 8)
        stage.press(.end)
        #expect(stage.model.selected == .number(1))
    }
}
