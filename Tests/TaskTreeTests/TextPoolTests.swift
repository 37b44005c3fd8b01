import TestSupport
import Testing

@testable import TaskTree

@Suite struct TextPoolTests {
    @Test(arguments: 1...20)
    func `texts of all lengths come back as they were, whatever comes and goes`(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var pool = TextPool()
        var kept: [(place: TextPool.Place, text: String)] = []
        for _ in 0..<3_000 {
            if random.oneIn(3), let last = kept.popLast() {
                pool.remove(at: last.place)
                if !kept.isEmpty { kept.swapAt(0, kept.count - 1) }
            } else {
                let text = Self.text(&random)
                kept.append((pool.insert(text), text))
            }
        }
        for (place, text) in kept {
            #expect(pool.text(at: place) == text, "seed \(seed)")
            #expect(pool.holds(text, at: place), "seed \(seed)")
            #expect(!pool.holds(text + "x", at: place), "seed \(seed)")
        }
    }

    @Test func `what a text leaves is taken by another as long`() {
        var pool = TextPool()
        let first = pool.insert("some twenty bytes ..")
        pool.remove(at: first)
        #expect(pool.insert("other twenty bytes .") == first)
        #expect(pool.insert("other twenty bytes .") != first)
    }

    @Test func `a copy keeps its texts`() {
        var pool = TextPool()
        let place = pool.insert("first")
        let copy = pool
        pool.remove(at: place)
        _ = pool.insert("other")
        #expect(copy.text(at: place) == "first")
        #expect(pool.text(at: place) == "other")
    }

    private static func text(_ random: inout SplitMix64) -> String {
        let pieces = ["", "x", "é", "日本", "👩‍👩‍👧‍👦", "\0"]
        let count = random.oneIn(20) ? 300 : Int.random(in: 0...40, using: &random)
        return (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }
}
