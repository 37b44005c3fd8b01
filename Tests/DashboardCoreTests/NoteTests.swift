import CellScreen
import ProgressBus
import TaskTree
import Testing

@testable import DashboardCore

/// What just happened is said in rows of its own, and no longer than it is true.
@Suite("Notes")
struct NoteTests {
    /// All that the screen says, its rows joined.
    private func words(_ stage: Stage) -> String {
        stage.screen.split(separator: "\n").map { $0.trimmingPrefix(" ") }
            .joined(separator: " ")
    }

    private func footer(_ stage: Stage) -> String { stage.grid.line(stage.grid.rows - 1) }

    @Test("a note is whole and hides no key", arguments: [(40, 12), (80, 24), (200, 60)])
    func keys(columns: Int, rows: Int) {
        var stage = Stage(columns: columns, rows: rows)
        let title = "Convert the tables"
        stage.report(.job(1, title) { $0.state = .failed }, .job(2, "Other"))
        let keys = footer(stage)
        stage.type("x")
        #expect(words(stage).contains("\"\(title)\" has ended; d dismisses it"), "\(stage.screen)")
        #expect(footer(stage) == keys)
        #expect(stage.line(0).contains("Convert"))
        stage.wait(7)
        #expect(!words(stage).contains("has ended;"))
    }

    @Test("a note is not over the row of the cursor", arguments: ["board", "job"])
    func cursor(view: String) {
        var stage = Stage(columns: 60, rows: 12)
        let job = TaskSnapshot.job(1, "Job") { $0.counts.running = 8 }
        stage.report(
            [job]
                + (1...8).map { number in
                    .child(100 + number, of: job, "child \(number).", place: number) {
                        $0.options.isCancellable = false
                    }
                }
        )
        if view == "job" {
            stage.press(.enter, .end)
        } else {
            stage.report((2...9).map { .job($0, "child \($0 - 1).") { $0.state = .failed } })
            stage.press(.end)
        }
        let row = stage.find("child 8.")?.row
        stage.type("x")
        #expect(stage.find("child 8.  ")?.row == row, "\(stage.screen)")
        let said = view == "job" ? "cannot be cancelled" : "has ended; d dismisses it"
        #expect(words(stage).contains(said), "\(stage.screen)")
    }

    @Test("a note goes with the next key, which says what is true then")
    func stale() {
        var stage = Stage()
        stage.report(.job(1, "Work"), .job(2, "Other"))
        stage.type("fx")
        #expect(stage.screen.contains("the picture is frozen"))
        stage.type("f")
        #expect(!stage.screen.contains("the picture is frozen"))
        stage.type("/nothing")
        stage.press(.enter)
        #expect(stage.screen.contains("nothing matches here"))
        stage.press(.escape)
        #expect(!stage.screen.contains("nothing matches here"))
    }

    @Test("what others answer stays for a while, whatever is pressed meanwhile; it is one sentence")
    func answer() {
        var stage = Stage(columns: 140)
        stage.report(.job(1, "Import"), .job(2, "Other"))
        let sentence = "The broker has cancelled it; its script learns so by its next call."
        let clause = "accepted; the broker has cancelled it; its script learns so by its next call"
        for (session, outcome, text, words) in [
            (nil, SessionAnswer.Outcome.accepted, sentence, clause),
            (SessionID(rawValue: 7), .refused, "Rows are locked", "refused: Rows are locked"),
        ] {
            stage.type("x")
            stage.press(.right, .enter)
            guard case .perform(let request, _, _)? = stage.actions.last else {
                Issue.record("nothing was asked")
                return
            }
            let answer = SessionAnswer(session: session, outcome: outcome, text: text)
            stage.give(.answered(request: request, .success([answer])))
            stage.press(.down, .up)
            #expect(stage.screen.contains("cancel \"Import\": " + words), "\(stage.screen)")
            #expect(!stage.screen.contains("next call."))
        }
        stage.wait(7)
        #expect(!stage.screen.contains("refused"))
    }
}
