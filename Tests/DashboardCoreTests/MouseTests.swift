import ProgressBus
import TaskTree
import Testing

@testable import DashboardCore

@Suite("The mouse")
struct MouseTests {
    private func stage(isMirrored: Bool = false) -> Stage {
        var stage = Stage(columns: 100) { $0.isMirrored = isMirrored }
        stage.report(Samples.board + Samples.children)
        return stage
    }

    @Test("a click selects, a second one at once opens")
    func doubleClick() {
        var stage = stage()
        stage.click(column: 20, row: stage.top + 2)
        #expect(stage.model.board.slot == 3)
        stage.wait(1)
        stage.click(column: 20, row: stage.top)
        #expect(stage.model.view == .board)
        stage.wait(0.2)
        stage.click(column: 20, row: stage.top)
        #expect(stage.model.view == .job)
        #expect(stage.model.job?.job == .number(1))
    }

    @Test("a click where no job is selects nothing")
    func blank() {
        var stage = stage()
        stage.click(column: 20, row: stage.top + 8)
        #expect(stage.model.board.slot == 1)
    }

    @Test(
        "a click on the mark of folding shows what is below, and hides it",
        arguments: [false, true]
    )
    func fold(isMirrored: Bool) {
        var stage = stage(isMirrored: isMirrored)
        stage.press(.enter)
        // What fits is unfolded as soon as the job is opened.
        guard let place = stage.find("▾") else {
            Issue.record("nothing is unfolded: \(stage.screen)")
            return
        }
        stage.click(column: place.column, row: place.row)
        #expect(stage.find("part 1") == nil)
        stage.wait(1)
        stage.click(column: place.column, row: place.row)
        #expect(stage.find("part 1") != nil)
        // Beside it, the same click only selects.
        stage.wait(1)
        stage.click(column: place.column + (isMirrored ? -6 : 6), row: place.row)
        #expect(stage.find("part 1") != nil)
    }

    @Test("a click on a key of the footer presses it, in front of everything")
    func footer() {
        var stage = stage()
        func click(_ words: String) {
            guard let place = stage.find(words) else {
                Issue.record("\(words) is not offered: \(stage.screen)")
                return
            }
            stage.click(column: place.column, row: place.row)
        }
        click("Tab details")
        #expect(stage.model.pane.content == .details)
        click("? keys")
        #expect(stage.model.isHelpShown)
        click("Esc back")
        #expect(!stage.model.isHelpShown)
        click("x cancel")
        #expect(stage.model.dialog != nil)
        click("Esc keep going")
        #expect(stage.model.dialog == nil)
        stage.wait(10)
        click("q quit")
        #expect(stage.actions.last == .leave)
    }

    @Test("the wheel moves the cursor, and scrolls the help")
    func wheel() {
        var stage = stage()
        stage.give(.mouse(MouseEvent(.wheelDown, column: 5, row: 5)))
        #expect(stage.model.board.slot == 4)
        stage.resize(columns: 100, rows: 12)
        stage.type("?")
        stage.give(.mouse(MouseEvent(.wheelDown, column: 5, row: 5)))
        #expect(stage.screen.contains("2 to 10 of"))
        #expect(stage.model.board.slot == 4)
    }
}
