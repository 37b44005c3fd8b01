import ProgressBus
import TaskTree
import Testing

@testable import DashboardCore

@Suite("One task in words")
struct TaskSentenceTests {
    @Test("a running task: percent, amounts, rate, time left, detail")
    func running() {
        let row = TaskSnapshot.sample { $0.detail = "IMG_0042" }
        #expect(
            row.words().line
                == "Back up photos: 42%, 42 of 100 files, 3.1 files/s, about 20 s left - IMG_0042"
        )
        #expect(row.words().advice == nil)
        #expect(row.words().problem == nil)
        #expect(row.words().remark == "IMG_0042")
    }

    @Test("hundredths of percents: the percentage, and no amount, rate or sum of them")
    func percentages() {
        let row = TaskSnapshot.sample {
            $0.unit = "percent"
            $0.completed = 4_200
            $0.total = 10_000
            $0.totalBefore = 9_000
        }
        #expect(row.words().line == "Back up photos: 42%, about 20 s left")
        #expect(row.words().amountText == nil && row.words().rate == nil)
        let parent = TaskSnapshot.sample {
            $0.completed = 0
            $0.total = nil
            $0.rate = nil
            $0.counts.running = 2
            $0.sums = [
                UnitSum(unit: "percent", completed: 9_000, total: 20_000),
                UnitSum(unit: "files", completed: 3, total: 4),
            ]
        }
        #expect(parent.words().line == "Back up photos: 2 running, 3 files")
        #expect(parent.words().amountText == "3 files")
    }

    @Test("a parent nobody can measure: counts instead of percent and time left")
    func countsInsteadOfPercent() {
        let row = TaskSnapshot.sample {
            $0.total = nil
            $0.completed = 0
            $0.counts.succeeded = 3
            $0.counts.running = 2
            $0.rate = nil
        }
        #expect(row.words().line == "Back up photos: 3 done, 2 running")
        #expect(row.words().percent == nil)
        #expect(row.words().timeLeft == nil)
    }

    @Test("a parent that expects children: percent and counts")
    func percentAndCounts() {
        let row = TaskSnapshot.sample {
            $0.total = nil
            $0.completed = 0
            $0.options.expectedChildren = 7
            $0.counts.succeeded = 3
            $0.rate = nil
        }
        #expect(row.words().line == "Back up photos: 42%, 3 done, about 20 s left")
    }

    @Test("nothing known but that it runs: just that")
    func indeterminate() {
        #expect(TaskSnapshot.child().words().line == "Scan: running")
        #expect(TaskSnapshot.child().words().amount(width: 20) == nil)
    }

    @Test("I-5: a total that grew is said in words")
    func totalGrew() {
        let row = TaskSnapshot.sample {
            $0.total = 900
            $0.bothFractions = 0.047
            $0.totalBefore = 500
            $0.detail = "IMG_0042"
            $0.rate = nil
            $0.secondsLeft = nil
        }
        #expect(
            row.words().line == "Back up photos: 4%, 42 of 900 files (total grew from 500 files)"
                + " - IMG_0042"
        )
        #expect(row.words().totalRemark == "total grew from 500 to 900")
        #expect(row.words().remark == "total grew from 500 to 900 - IMG_0042")
        let bytes = TaskSnapshot.sample {
            $0.unit = "bytes"
            $0.total = 2_000_000
            $0.totalBefore = 900_000
        }
        #expect(bytes.words().totalRemark == "total grew from 900 kB to 2 MB")
        #expect(TaskSnapshot.sample().words().totalRemark == nil)
        let more = TaskSnapshot.sample { ($0.completed, $0.total) = (120, 100) }
        #expect(more.words().amountText == "120 files")
        #expect(more.words().remark.hasPrefix("more than the total of 100"))
    }

    @Test("I-6: estimates are marked \"about\", in columns \"~\"")
    func estimates() {
        let row = TaskSnapshot.sample { $0.options.totalIsEstimate = true }
        #expect(row.words().line.contains("42 of about 100 files"))
        #expect(row.words().line.contains("about 20 s left"))
        #expect(row.words().amount(width: 12)?.number == "42/~100")
        #expect(row.words().remaining(unitWidth: 4) == Measure("~20", "s"))
    }

    @Test("I-6: nothing is said that no process has reported")
    func nothingInvented() {
        let row = TaskSnapshot.child()
        let words = row.words(after: 100)
        #expect(words.percent == nil)
        #expect(
            words.amount(width: 40) == nil && words.descendants(width: 40).isEmpty
                && words.rate == nil
        )
        #expect(words.timeLeft == nil && words.remark.isEmpty)
        #expect(words.elapsed == nil && words.totalRemark == nil)
    }

    @Test("an ended task says how, why and after how long, and grows no older")
    func ended() {
        let failed = TaskSnapshot.sample {
            $0.state = .failed
            $0.reason = "disk full"
            $0.elapsed = 240
        }
        #expect(
            failed.words(after: 500).line
                == "Back up photos: failed: disk full, 42%, 42 of 100 files, after 4 min"
        )
        #expect(failed.words().remark == "failed: disk full")
        let done = TaskSnapshot.sample {
            $0.state = .succeeded
            $0.bothFractions = 1
            $0.completed = 100
            $0.note = "succeeded, 1 child lost"
            $0.elapsed = 14
        }
        #expect(
            done.words(after: 500).line
                == "Back up photos: done, 100 of 100 files, after 14 s (succeeded, 1 child lost)"
        )
        #expect(done.words().remark == "succeeded, 1 child lost")
    }

    @Test("durations go on from when they were right")
    func carriedOn() {
        let row = TaskSnapshot.sample { $0.secondsLeft = 300 }
        #expect(row.words(after: 60).timeLeft == "about 4 min")
        #expect(row.words(after: 305).timeLeft == "a few seconds")
        #expect(row.words(after: 311).timeLeft == nil, "it should have ended by then")
        #expect(row.words(after: 60).elapsed == 73.5)
        let stalled = TaskSnapshot.sample { $0.isStalled = true }
        #expect(stalled.words(after: 13.8).problem == "no advance for 14 s")
    }
}
