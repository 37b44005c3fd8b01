import TaskTree
import TestSupport
import Testing

/// What settling looks at, counted: time depends on the machine, this does not.
@Suite struct CostTests {
    @Test(arguments: [10, 10_000])
    func `one changed child is looked at with its parents only, however many there are`(
        children: Int
    ) {
        var tree = ProgressTree()
        tree.describe(task(1), .job(), version: 1)
        tree.describe(task(2), .child(of: task(1)), version: 1)
        for index in 0..<children {
            tree.describe(task(3 + index), .child(of: task(2)), version: 1)
            tree.measure(task(3 + index), TaskAmounts(completed: 0, total: 10), version: 1)
        }
        _ = tree.settle()
        tree.measure(task(3 + children / 2), TaskAmounts(completed: 1, total: 10), version: 2)
        let looked = tree.settle().progressed
        #expect(looked == [task(3 + children / 2), task(2), task(1)])
        #expect(tree.settle().isEmpty)
    }

    @Test(arguments: 1...20)
    func `quotients are those of whole numbers of 128 bits`(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        for _ in 0..<2_000 {
            let denominator = Int64.random(
                in: 1...(Int64.max >> Int64.random(in: 0..<62, using: &random)),
                using: &random
            )
            let units = Int128(denominator) << 50
            let numerator =
                random.oneIn(10)
                ? units - Int128(Int64.random(in: 0...denominator, using: &random))
                : Int128.random(in: 0...(units + units / 8), using: &random)
            let (quotient, rest) = numerator.quotientAndRemainder(dividingBy: Int128(denominator))
            let rounded = quotient + (2 * rest >= Int128(denominator) ? 1 : 0)
            let expected = Int64(min(rounded, Int128(FixedPoint.one)))
            let actual = FixedPoint.capped(numerator, over: Int128(denominator))
            #expect(actual == expected, "seed \(seed): \(numerator) over \(denominator)")
        }
    }
}
