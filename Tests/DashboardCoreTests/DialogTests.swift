import CellScreen
import ProgressBus
import TaskTree
import Testing

@testable import DashboardCore

/// What a question says can be read, however small the screen is.
@Suite("The text of a question")
struct DialogTests {
    private func stage(losing loss: String, columns: Int, rows: Int) -> Stage {
        var stage = Stage(columns: columns, rows: rows)
        stage.report(
            .job(1, "Import") {
                $0.options.isPausable = true
                $0.options.consequence = loss
            }
        )
        stage.type("x")
        return stage
    }

    @Test(
        "all of a long consequence: what there is no room for is said, and PgDn shows it",
        arguments: [(80, 24), (40, 12), (30, 9), (20, 5)]
    )
    func long(columns: Int, rows: Int) {
        let words = (10...43).map { "part\($0)" }
        var stage = stage(losing: words.joined(separator: " "), columns: columns, rows: rows)
        var seen = stage.screen
        let isWhole = words.allSatisfy(seen.contains)
        #expect(isWhole == (columns == 80))
        #expect(isWhole || seen.contains(/1 to \d+ of \d+/), "\(seen)")
        #expect(isWhole || columns < 40 || seen.contains("PgDn more"), "\(seen)")
        #expect(seen.contains("[Keep Going]"), "\(seen)")
        for _ in words {
            stage.press(.pageDown)
            seen += stage.screen
        }
        for word in words { #expect(seen.contains(word), "\(seen)") }
        stage.press(.down)
        #expect(stage.screen.contains("[Cancel Task]"), "\(stage.screen)")
        for _ in words { stage.press(.pageUp) }
        #expect(stage.screen.contains("Cancel \"Import\"?"), "\(stage.screen)")
        stage.press(.end)
        stage.resize(columns: 80, rows: 24)
        #expect(stage.screen.contains("Cancel \"Import\"?"), "\(stage.screen)")
    }

    @Test("a click on a button is its answer, one beside it is none")
    func click() throws {
        var stage = stage(losing: "", columns: 80, rows: 24)
        let button = try #require(stage.find("Cancel Task"))
        stage.click(column: button.column, row: button.row - 1)
        #expect(stage.model.dialog != nil)
        stage.click(column: button.column + 3, row: button.row)
        #expect(stage.model.dialog == nil)
        let isAsked = stage.actions.contains { action in
            if case .perform(_, .cancel, .number(1)) = action { true } else { false }
        }
        #expect(isAsked)
    }

    @Test("to cancel what was asked before says since when")
    func again() {
        var stage = stage(losing: "", columns: 80, rows: 24)
        #expect(!stage.screen.contains("It was asked"))
        stage.press(.escape)
        stage.change(.number(1)) { $0.state = .cancelling }
        stage.wait(14)
        stage.type("x")
        #expect(stage.screen.contains("It was asked to stop 14 s ago and still runs."))
    }

    @Test("a word that is longer than a line goes on in the next")
    func longWord() {
        let path = "/srv/" + (10...39).map { "d\($0)" }.joined(separator: "/")
        let stage = stage(losing: path, columns: 60, rows: 20)
        let lines = stage.screen.split(separator: "\n")
        let text = lines.compactMap { $0.firstMatch(of: /│ (.*) │/)?.output.1 }
            .map { $0.trimmingPrefix(" ") }
            .joined().filter { $0 != " " }
        #expect(text.contains(path), "\(stage.screen)")
    }
}
