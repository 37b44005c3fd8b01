import BusProtocol
import DashboardCore
import TaskTree
import Testing

@testable import ProgressBus
@testable import ProgressBusCommand

@Suite("What a follower gives becomes words")
struct TaskSentenceTests {
    @Test("everything that is said of a task is taken over")
    func line() {
        let task = Samples.job {
            $0.progress.detail = "IMG_0042"
            $0.progress.totalIsEstimate = true
            $0.progress.totalBefore = 90
            $0.progress.note = "waiting for 2 children"
            $0.description_p.attempt = 2
        }
        #expect(
            TaskSentence(task: task).line
                == "Back up photos: 42%, 42 of about 100 files (total grew from 90 files), attempt 2, "
                + "3.1 files/s, about 20 s left - IMG_0042 (waiting for 2 children)"
        )
    }

    @Test("so are counts, sums, endings and processes")
    func ending() {
        let task = Samples.job {
            $0.progress.state = .lost
            $0.progress.clearTotal()
            $0.progress.completed = 0
            $0.progress.counts.succeeded = 3
            $0.progress.counts.lost = 1
            $0.progress.exitStatus = 3
            $0.progress.ended = Samples.begun + 240
            var sum = WireUnitSum()
            sum.unit = "pages"
            sum.completed = 4
            sum.total = 5
            $0.progress.sums = [sum]
        }
        #expect(
            TaskSentence(task: task).line
                == "Back up photos: lost, 3 done, 1 lost, 4 pages, after 4 min"
        )
        #expect(
            TaskSentence(task: task).advice
                == "process 4711 on attic is gone (exit status 3): start it again, or dismiss the "
                + "task"
        )
    }

    @Test("rows have what views need besides words")
    func row() {
        let task = Samples.job {
            $0.description_p.cell = 5
            $0.description_p.background = true
            $0.description_p.tint = "blue"
            $0.description_p.consequence = "all is lost"
            $0.description_p.cancellable = true
            $0.description_p.pausable = true
            $0.progress.needsAttention = true
            $0.progress.attention = 2
            $0.progress.childrenLeftOut = 3
        }
        let row = TaskSentence(task: task).row
        #expect(row.id == Samples.id(1) && row.job == row.id && row.parent == nil)
        #expect(row.key == "nightly" && row.slot == 1 && row.cell == 5 && row.depth == 0)
        #expect(row.isBackground && row.tint == "blue" && row.consequence == "all is lost")
        #expect(row.isCancellable && row.isPausable && row.needsAttention)
        #expect(row.attentionBelow == 2 && row.childrenLeftOut == 3)
        #expect(row.elapsed == 13.5 && row.startedAt == Samples.begun && row.endedAt == nil)
        #expect(row.process == .init(host: "attic", pid: 4_711, command: "backup"))
        let child = TaskSentence(task: Samples.child(2, "Scan")).row
        #expect(child.parent == row.id && child.job == row.id && child.place == 2)
    }
}
