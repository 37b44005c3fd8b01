import CellScreen
import ProgressBus
import TaskTree
import Testing

@testable import DashboardCore

/// The first line of the screen counts what the screen is about.
@Suite("The header")
struct HeaderTests {
    @Test("on the board it counts the tasks of the bus, in a job and its mosaic those of the job")
    func counts() {
        var stage = Stage(columns: 160)
        let job = TaskSnapshot.job(1, "Job") {
            $0.counts.waiting = 2
            $0.counts.succeeded = 3
            $0.attentionBelow = 1
        }
        stage.report(
            job,
            .child(11, of: job, "part", place: 1) { $0.state = .waiting },
            .job(2, "Other"),
            .job(3, "Third") { $0.needsAttention = true }
        )
        #expect(stage.grid.line(0).contains("3 running, 1 waiting, 1 needs attention"))
        stage.press(.enter)
        #expect(stage.grid.line(0).contains(" 2 waiting, 1 needs attention"))
        #expect(!stage.grid.line(0).contains("running"))
        stage.type("m")
        #expect(stage.grid.line(0).contains(" 2 waiting, 1 needs attention"))
        stage.press(.escape, .escape)
        #expect(stage.grid.line(0).contains("3 running"))
    }
}
