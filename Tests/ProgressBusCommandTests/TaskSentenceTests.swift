import BusProtocol
import TaskTree
import Testing

@testable import ProgressBus
@testable import ProgressBusCommand

@Suite("One task in words")
struct TaskSentenceTests {
    @Test("a running task: percent, amounts, rate, time left, detail")
    func running() {
        let task = Samples.job { $0.progress.detail = "IMG_0042" }
        #expect(
            TaskSentence(task: task).line
                == "Back up photos: 42%, 42 of 100 files, 3.1 files/s, about 20 s left - IMG_0042"
        )
        #expect(TaskSentence(task: task).advice == nil)
    }

    @Test("a parent nobody can measure: counts instead of percent and time left")
    func countsInsteadOfPercent() {
        let task = Samples.job {
            $0.progress.clearTotal()
            $0.progress.completed = 0
            $0.progress.counts.succeeded = 3
            $0.progress.counts.running = 2
            $0.progress.clearRate()
        }
        #expect(TaskSentence(task: task).line == "Back up photos: 3 done, 2 running")
    }

    @Test("a parent that expects children: percent and counts")
    func percentAndCounts() {
        let task = Samples.job {
            $0.progress.clearTotal()
            $0.progress.completed = 0
            $0.description_p.expectedChildren = 7
            $0.progress.counts.succeeded = 3
            $0.progress.clearRate()
        }
        #expect(TaskSentence(task: task).line == "Back up photos: 42%, 3 done, about 20 s left")
    }

    @Test("nothing known but that it runs: just that")
    func indeterminate() {
        #expect(TaskSentence(task: Samples.child(2, "Scan")).line == "Scan: running")
    }

    @Test("a total that grew is said in words")
    func totalGrew() {
        let task = Samples.job {
            $0.progress.total = 900
            $0.progress.totalBefore = 100
            $0.progress.clearRate()
            $0.progress.clearSecondsLeft()
        }
        #expect(
            TaskSentence(task: task).line
                == "Back up photos: 42%, 42 of 900 files (total grew from 100 files)"
        )
    }

    @Test("stalled, silent, lost and waiting have four words and four ways out")
    func fourConditions() {
        let stalled = Samples.job {
            $0.progress.stalled = true
            $0.description_p.cancellable = true
        }
        #expect(TaskSentence(task: stalled).word == "stalled")
        #expect(
            TaskSentence(task: stalled).advice
                == "no advance for 0 s, but process 4711 on attic is alive: wait, look at the "
                + "process, or cancel it"
        )
        // Silent goes before stalled.
        let silent = Samples.job {
            $0.progress.stalled = true
            $0.progress.silent = true
        }
        #expect(TaskSentence(task: silent).word == "silent")
        #expect(
            TaskSentence(task: silent).advice
                == "no word from process 4711 on attic: wait, or look at the process"
        )
        let lost = Samples.job {
            $0.progress.state = .lost
            $0.progress.exitSignal = 9
        }
        #expect(
            TaskSentence(task: lost).advice
                == "process 4711 on attic is gone (ended by signal 9): start it again, or dismiss "
                + "the task"
        )
        let waiting = Samples.child(2, "Upload") { $0.progress.state = .waiting }
        #expect(TaskSentence(task: waiting).line == "Upload: waiting")
        #expect(
            TaskSentence(task: waiting).advice
                == "nobody has begun it yet: start what is to do it, or wait"
        )
    }

    @Test("an ended task says how, why and after how long")
    func ended() {
        let failed = Samples.job {
            $0.progress.state = .failed
            $0.progress.reason = "disk full"
            $0.progress.ended = Samples.begun + 240
        }
        #expect(
            TaskSentence(task: failed).line
                == "Back up photos: failed: disk full, 42%, 42 of 100 files, after 4 min"
        )
        let done = Samples.job {
            $0.progress.state = .succeeded
            $0.progress.completed = 100
            $0.progress.note = "succeeded, 1 child lost"
            $0.progress.ended = Samples.begun + 14
        }
        #expect(
            TaskSentence(task: done).line
                == "Back up photos: done, 100 of 100 files, after 14 s (succeeded, 1 child lost)"
        )
    }
}

@Suite("status for people")
struct StatusTextTests {
    @Test("an indented tree with what to do below what needs it")
    func tree() {
        var job = Samples.job()
        job.children = [
            Samples.child(2, "Scan") { $0.progress.state = .succeeded },
            Samples.child(3, "Upload") { $0.progress.state = .waiting },
        ]
        job.childrenLeftOut = 4
        let lines = StatusTree.lines(for: Samples.board([job], needingAttention: 1))
        #expect(
            lines == [
                "1 job, 41 tasks, 3 sessions, 1 needs attention",
                "1  Back up photos: 42%, 42 of 100 files, 3.1 files/s, about 20 s left",
                "     Scan: done, after 14 s",
                "     Upload: waiting",
                "       ! nobody has begun it yet: start what is to do it, or wait",
                "     ... and 4 more",
            ]
        )
    }

    @Test("no jobs: one line that says so")
    func empty() {
        #expect(StatusTree.lines(for: Samples.board([])) == ["no jobs; 3 sessions connected"])
    }

    @Test("more children than fit: those that run or need attention, and a count")
    func manyChildren() {
        var job = Samples.job()
        job.children = (2...101).map { index in
            Samples.child(UInt64(index), "c\(index)") {
                if index < 101 { $0.progress.state = .succeeded }
            }
        }
        let lines = StatusTree.lines(for: Samples.board([job]))
        #expect(lines.count == 2 + 40 + 1)
        #expect(lines.contains("     c101: running"))
        #expect(lines.last == "     ... and 60 more")
    }

    @Test("one short line: the first job that runs, never an average")
    func shortLine() {
        #expect(StatusLine.text(for: Samples.board([])).isEmpty)
        #expect(
            StatusLine.text(for: Samples.board([Samples.job()])) == "Back up photos 42% about 20 s"
        )
        let two = Samples.board(
            [
                Samples.job(1, "A title that is far too long for a prompt"), Samples.job(2),
            ],
            needingAttention: 2
        )
        #expect(
            StatusLine.text(for: two)
                == "A title that is far t... 42% about 20 s, 1 more running, 2 need attention"
        )
    }
}
