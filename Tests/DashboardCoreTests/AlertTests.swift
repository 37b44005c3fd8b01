import CellScreen
import ProgressBus
import TaskTree
import Testing

@testable import DashboardCore

/// Telling a person who looks elsewhere.
@Suite("Alerts and the clipboard")
struct AlertTests {
    private func told(_ stage: Stage) -> [String] {
        stage.actions.compactMap { if case .tell(let text) = $0 { text } else { nil } }
    }

    @Test("a job that was marked is told when it ends, once, wherever one looks meanwhile")
    func end() {
        var stage = Stage(columns: 120)
        stage.report((1...200).map { .job($0, "job \($0).") } + Samples.children)
        stage.press(.down)
        stage.type("a")
        #expect(stage.screen.contains("* job 2."))
        #expect(stage.screen.contains("the end of \"job 2.\" will be told"))
        stage.press(.end, .enter)
        #expect(stage.model.followed.contains(.board(page: 0)))
        stage.change(.number(2)) { $0.completed += 1 }
        #expect(told(stage).isEmpty)
        stage.change(.number(2)) { $0.state = .succeeded }
        #expect(told(stage).count == 1)
        #expect(told(stage).first?.hasPrefix("job 2.: done") == true)
        stage.change(.number(2)) { $0.completed += 1 }
        stage.remove(.number(2))
        #expect(told(stage).count == 1)
    }

    @Test("a marked job that has ended and left before it was seen is told too")
    func left() {
        var stage = Stage()
        stage.report(.job(1, "One"), .job(2, "Two"))
        stage.type("a")
        stage.remove(.number(1))
        #expect(told(stage) == ["One: has left the board"])
    }

    @Test(
        "a again takes the mark away; in the tree it is of the job; what has ended cannot be marked"
    )
    func toggles() {
        var stage = Stage(columns: 100)
        stage.report(Samples.board + Samples.children)
        stage.press(.enter, .down, .down)
        stage.type("a")
        #expect(stage.model.alerts.keys.map(\.self) == [.number(1)])
        stage.type("a")
        #expect(stage.model.alerts.isEmpty)
        stage.change(.number(1)) { $0.state = .succeeded }
        stage.type("a")
        #expect(stage.model.alerts.isEmpty)
        #expect(stage.screen.contains("\"Back up photos\" has ended"))
        #expect(told(stage).isEmpty)
    }

    @Test("frozen, the end is told all the same, and the picture stands still")
    func frozen() {
        var stage = Stage()
        stage.report(.job(1, "Work"))
        stage.type("af")
        stage.change(.number(1)) { $0.state = .failed }
        #expect(told(stage).count == 1)
        #expect(stage.line(0).contains("42%"))
    }

    @Test("y copies the id of the task of the cursor")
    func copy() {
        var stage = Stage(columns: 120)
        stage.report(Samples.board + Samples.children)
        stage.press(.enter, .down)
        stage.type("y")
        let id = TaskID.number(21)
        #expect(stage.actions.last == .copy(id.description))
        #expect(stage.screen.contains("copied id:\(id)"))
    }

    @Test("links in details and messages lead there, and Y copies the first; others do not")
    func links() {
        var stage = Stage(columns: 120, rows: 30)
        let link = "https://builds.example.org/7?log=1"
        stage.report(.job(1, "Build") { $0.detail = "see (\(link)), file:///etc/passwd" })
        #expect(stage.model.selectedRow?.links == [link])
        #expect(stage.screen.contains("Y copy link"))
        func shown() -> [String] {
            let grid = stage.grid
            return (0..<30).flatMap { grid.linkedCells(row: $0).map(\.target) }
        }
        stage.press(.tab)
        #expect(shown() == [link], "\(stage.screen)")
        stage.type("L")
        stage.say("report at http://example.org/report.", from: .number(1), at: 1)
        stage.deliver()
        #expect(shown() == ["http://example.org/report"], "\(stage.screen)")
        stage.type("Y")
        #expect(stage.actions.last == .copy(link))
        stage.change(.number(1)) { $0.detail = "see https:// or javascript:alert(1)" }
        stage.type("Y")
        #expect(stage.screen.contains("there is no link in this row"))
    }
}
