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
            TaskSentence(task).line
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
            TaskSentence(task).line
                == "Back up photos: lost, 3 done, 1 lost, 4 pages, after 4 min"
        )
        #expect(
            TaskSentence(task).advice
                == "process 4711 on attic is gone (exit status 3): start it again, or dismiss the "
                + "task"
        )
    }
}
