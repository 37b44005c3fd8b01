import TestSupport
import Testing

@testable import TaskTree

/// What a filter finds, and what it costs to look.
@Suite struct FilterTests {
    private struct Task: FilteredTask {
        var title = ""
        var detail = ""
        var key = ""
        var host = ""
        var condition = TaskCondition.running
        var needsAttention = false
        var attentionBelow = 0
        var counts = StateCounts()
    }

    @Test func `a text is found wherever it is, as a look at every place finds it`() {
        var random = SplitMix64(seed: 7)
        for _ in 0..<2_000 {
            // Of two letters, so that much of a text is repeated in it.
            func text(_ length: ClosedRange<Int>) -> String {
                String(
                    (0..<Int.random(in: length, using: &random)).map { _ in
                        Bool.random(using: &random) ? "a" : "B"
                    }
                )
            }
            let (words, other) = (text(1...6), text(1...20))
            let isThere = other.lowercased().firstRange(of: words.lowercased()) != nil
            #expect(Needle(words).isIn(other) == isThere, "\(words) in \(other)")
        }
    }

    @Test func `capitals are as good as others in every script`() {
        #expect(Needle("ÄRGER").isIn("viel ärger") && Needle("ärger").isIn("VIEL ÄRGER"))
        #expect(Needle("z").isIn("Z") && !Needle("[").isIn("{"))
    }

    @Test func `nothing is part of an empty text, and the empty text of all others`() {
        #expect(!Needle("a").isIn("") && !Needle("").isIn("") && Needle("").isIn("a"))
        #expect(!TaskFilter("host:").matches(Task()))
        #expect(TaskFilter("host:").matches(Task(host: "h")))
    }

    @Test func `a state is found by its word, in those it stands for, and in texts`() {
        #expect(TaskFilter("failed").matches(Task(condition: .failed)))
        #expect(TaskFilter("failed").matches(Task(title: "Failed uploads")))
        #expect(!TaskFilter("failed").matches(Task()))
        var counts = StateCounts()
        counts.failed = 1
        #expect(TaskFilter("failed").matches(Task(counts: counts)))
        #expect(!TaskFilter("lost").matches(Task(counts: counts)))
        #expect(!TaskFilter("stalled").matches(Task(attentionBelow: 1, counts: counts)))
        #expect(TaskFilter("stalled").matches(Task(attentionBelow: 2, counts: counts)))
        #expect(TaskFilter("silent").matches(Task(attentionBelow: 1)))
        #expect(TaskFilter("done").matches(Task(condition: .succeeded)))
    }

    @Test func `each way to look at texts is counted, trouble is none`() {
        #expect(TaskFilter("! two words").looks == 1)
        #expect(TaskFilter("host:a key:b host:c failed x").looks == 5)
        #expect(TaskFilter("!").looks == 0 && TaskFilter("").looks == 0)
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `the next number of a set is the one that a sorted list has`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var set = NumberSet()
        var numbers: Set<Int> = []
        for _ in 0..<60 {
            let number = Int.random(
                in: 0...(Bool.random(using: &random) ? 200 : 1 << 30),
                using: &random
            )
            set.insert(number)
            numbers.insert(number)
        }
        let sorted = numbers.sorted()
        for number in sorted.flatMap({ [$0 - 1, $0, $0 + 1] }) + [-1, 0, .max] {
            #expect(set.next(to: number, backwards: false) == sorted.first { $0 > number })
            #expect(set.next(to: number, backwards: true) == sorted.last { $0 < number })
        }
    }
}
