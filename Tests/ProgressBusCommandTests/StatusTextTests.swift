import BusProtocol
import TaskTree
import Testing

@testable import ProgressBus
@testable import ProgressBusCommand

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

    @Test("tasks on several hosts: each says its own, those that nobody has begun none")
    func hosts() {
        var job = Samples.job()
        job.children = [
            Samples.child(2, "Scan") { $0.description_p.process.host = "node2" },
            Samples.child(3, "Upload") { $0.progress.state = .waiting },
        ]
        job.children[1].process = nil
        let lines = StatusTree.lines(for: Samples.board([job]))
        #expect(lines[1].hasSuffix(", about 20 s left, on attic"))
        #expect(lines[2] == "     Scan: running, on node2")
        #expect(lines[3] == "     Upload: waiting")
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

    @Test("I-7: nobody is told to begin what belongs to a job that has ended")
    func endedParent() {
        var job = Samples.job { $0.progress.state = .failed }
        job.children = [Samples.child(2, "Upload") { $0.progress.state = .waiting }]
        let lines = StatusTree.lines(for: Samples.board([job]))
        #expect(
            lines.last
                == "       ! nobody has begun it, and what it is part of has ended: wait until "
                + "it is given up"
        )
    }

    @Test("for those who are read to there are words instead of marks")
    func inWords() {
        let job = Samples.job { $0.progress.silent = true }
        let lines = StatusTree.lines(for: Samples.board([job]), inWords: true)
        #expect(lines.last?.hasPrefix("   needs attention: no word from process 4711") == true)
    }

    @Test("I-16, I-22: a background task has its name in plain output")
    func background() {
        var job = Samples.job()
        job.children = [
            Samples.child(2, "Make thumbnails") {
                $0.description_p.background = true
                $0.description_p.style = .spinner
            }
        ]
        #expect(StatusTree.lines(for: Samples.board([job])).last == "     Make thumbnails: running")
    }
}
