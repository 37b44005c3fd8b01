import ProgressBus
import TaskTree
import Testing

@testable import DashboardCore

@Suite("What the columns say")
struct ColumnTests {
    private let many = TaskSnapshot.sample {
        $0.completed = 1_200
        $0.total = 34_000
        $0.bothFractions = 0.0353
        $0.rate = 3_140
        $0.secondsLeft = 240
    }

    @Test("amounts, rates and times left in a sentence")
    func sentence() {
        #expect(many.words().amountText == "1,200 of 34,000 files")
        #expect(many.words().rate == "3,140 files/s")
        #expect(many.words().timeLeft == "about 4 min")
    }

    @Test("a parent that counts nothing itself does not say 0 of its total beside what is done")
    func countedByChildren() {
        let row = TaskSnapshot.sample {
            $0.total = 200
            $0.completed = 0
            $0.counts.succeeded = 88
            $0.counts.running = 8
        }
        #expect(row.words().line.contains("88 done, 8 running"))
        #expect(!row.words().line.contains(" of 200"))
        #expect(row.words().descendants(width: 30) == "88 done, 8 running")
    }

    @Test("a parent counts its descendants by state, and names what failed as long as it fits")
    func descendants() {
        let row = TaskSnapshot.sample {
            $0.total = nil
            $0.completed = 0
            $0.counts.succeeded = 1_234
            $0.counts.running = 2
            $0.counts.failed = 1
        }
        #expect(row.words().descendants(width: 40) == "1,234 done, 2 running, 1 failed")
        #expect(row.words().descendants(width: 30) == "1,234 done, 1 failed")
        #expect(row.words().descendants(width: 12) == "1 failed")
        #expect(row.words().descendants(width: 7) == "1!")
        #expect(row.words().descendants(width: 1).isEmpty)
        var fine = row
        fine.counts.failed = 0
        #expect(fine.words().descendants(width: 12) == "1,234 done")
        #expect(fine.words().descendants(width: 9) == "1.2k done")
        #expect(fine.words().descendants(width: 8).isEmpty)
        // A job at work whose children are stuck says so, however narrow.
        fine.attentionBelow = 2
        #expect(fine.words().descendants(width: 20) == "2 need attention")
        #expect(fine.words().descendants(width: 12) == "2!")
    }

    @Test("only what runs and advances has a rate and a time left")
    func standstill() {
        let changes: [(inout TaskSnapshot) -> Void] = [
            { $0.isStalled = true }, { $0.isSilent = true }, { $0.state = .paused },
            { $0.state = .waiting }, { $0.state = .lost }, { $0.state = .succeeded },
        ]
        for change in changes {
            let words = TaskSnapshot.sample(change).words()
            #expect(words.rate == nil && words.timeLeft == nil)
        }
    }

    @Test("texts of the task cannot steer the terminal")
    func hostile() {
        let evil = "\u{1B}[2J\u{07}\n\u{202E}"
        for state in TaskState.allCases {
            let row = TaskSnapshot.sample {
                $0.state = state
                $0.title = evil
                $0.detail = evil
                $0.unit = evil
                $0.note = evil
                $0.reason = evil
                $0.process?.host = evil
                $0.sums = [UnitSum(unit: evil, completed: 1, total: 2)]
            }
            let words = row.words()
            let texts = [
                words.title, words.line, words.advice ?? "", words.problem ?? "", words.remark,
                words.amount(width: 90)?.unit ?? "", words.descendants(width: 90),
                words.rate ?? "",
            ]
            for text in texts {
                let isClean = text.unicodeScalars.allSatisfy {
                    $0.value >= 0x20 && $0.value != 0x7F && $0.value != 0x202E
                }
                #expect(isClean, "\(state): \(text)")
            }
        }
    }

    @Test("numbers out of all bounds give words, not traps")
    func extremes() {
        for number in [Int64.min, -1, 0, .max] {
            for double in [-1, 0, 1e300, .infinity, -.infinity, .nan] {
                let row = TaskSnapshot.sample {
                    $0.completed = number
                    $0.total = number
                    $0.totalBefore = number &- 1
                    $0.rate = double
                    $0.secondsLeft = double
                    $0.elapsed = double
                    $0.secondsSinceAdvance = double
                    $0.bothFractions = double
                }
                for unit in ["", "bytes", "files"] {
                    var row = row
                    row.unit = unit
                    #expect(!row.words().line.isEmpty)
                    row.isStalled = true
                    var words = row.words(after: 10)
                    words.askedSecondsAgo = double
                    #expect(words.problem != nil)
                }
            }
        }
    }
}
