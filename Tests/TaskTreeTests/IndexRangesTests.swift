import TestSupport
import Testing

@testable import TaskTree

/// Which numbers a set of ranges knows, beside a plain set.
@Suite struct IndexRangesTests {
    @Test("random numbers, alone and by the set: as a plain set has them", arguments: 0..<20)
    func union(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var sets = [IndexRanges(), IndexRanges()]
        var plain = [Set<UInt64>(), Set<UInt64>()]
        for _ in 0..<200 {
            let which = Int.random(in: 0...1, using: &random)
            // Both ends of what a number can be are among them.
            let number = UInt64.random(in: 0...60, using: &random) &- 20
            sets[which].insert(number)
            plain[which].insert(number)
        }
        sets[0].insert(contentsOf: sets[1])
        plain[0].formUnion(plain[1])
        for number in (0...100).map({ UInt64($0) &- 50 }) {
            #expect(
                sets[0].contains(number) == plain[0].contains(number),
                "seed \(seed), number \(number)"
            )
        }
        for (one, next) in zip(sets[0].ranges, sets[0].ranges.dropFirst()) {
            #expect(one.upperBound + 1 < next.lowerBound, "seed \(seed): \(sets[0].ranges)")
        }
    }

    @Test("more ranges than it keeps: the lowest are forgotten")
    func limit() {
        var evens = IndexRanges()
        var odds = IndexRanges()
        for number in 0..<UInt64(2 * IndexRanges.limit) {
            evens.insert(4 * number)
            odds.insert(4 * number + 2)
        }
        #expect(evens.ranges.count <= IndexRanges.limit)
        evens.insert(contentsOf: odds)
        #expect(evens.ranges.count <= IndexRanges.limit)
        #expect(evens.contains(8 * UInt64(IndexRanges.limit) - 2))
        #expect(!evens.contains(0))
    }
}
