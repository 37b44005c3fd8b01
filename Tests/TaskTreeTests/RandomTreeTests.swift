import TaskTree
import TestSupport
import Testing

/// Random trees against the oracle; a failure names the seed, which alone repeats it.
@Suite struct RandomTreeTests {
    @Test(arguments: 1...40)
    func `a random tree agrees with the oracle after every settling`(seed: Int) throws {
        var world = RandomWorld(seed: UInt64(seed))
        // 40 seeds make 100,000 operations.
        for step in 0..<2_500 {
            world.act()
            guard step % 25 == 24 else { continue }
            world.settle()
            try check(world, "seed \(seed) step \(step)")
        }
    }

    private func check(_ world: RandomWorld, _ place: String) throws {
        let (tree, oracle) = (world.tree, world.oracle)
        let reached = tree.jobs.flatMap { tree.subtree(of: $0) }
        try #require(reached.sorted() == oracle.shown.keys.sorted(), "\(place)")
        for (id, expected) in oracle.shown {
            let view = try #require(tree.view(id), "\(place) \(id)")
            try #require(view.state == expected.state, "\(place) \(id)")
            try #require(view.counts == expected.counts, "\(place) \(id)")
            try #require(view.attention == expected.attention, "\(place) \(id)")
            try #require(view.needsAttention == expected.needsAttention, "\(place) \(id)")
            try #require(tree.children(of: id) == expected.children.sorted(), "\(place) \(id)")
            try checkLevel(tree, oracle, id, place)
            for child in expected.children {
                try #require(tree.isChild(child, of: id), "\(place) \(id) \(child)")
            }
        }
        try checkTotals(tree, place)
        var exact = ExactFractions(oracle: oracle, tree: tree)
        for job in tree.jobs {
            guard let (distance, bound) = exact.error(of: job) else { continue }
            try #require(distance <= bound, "\(place) \(job): \(distance) over \(bound)")
        }
    }

    private func checkTotals(_ tree: ProgressTree, _ place: String) throws {
        var (jobs, tasks, needing) = (StateCounts(), StateCounts(), 0)
        for view in tree.jobs.compactMap({ tree.view($0) }) {
            jobs.add(view.state, times: 1)
            tasks.add(view.state, times: 1)
            tasks.add(view.counts, times: 1)
            needing += view.attention + (view.needsAttention ? 1 : 0)
        }
        let totals = tree.totals
        try #require(totals.jobs == jobs && totals.tasks == tasks, "\(place)")
        try #require(totals.needingAttention == needing, "\(place)")
    }

    /// The fraction against its children's fixed-point fractions: rounded to nearest.
    private func checkLevel(
        _ tree: ProgressTree,
        _ oracle: Oracle,
        _ id: TaskID,
        _ place: String
    ) throws {
        let fixed = Int128(try #require(tree.fixedFraction(of: id)))
        let one = Int128(FixedPoint.one)
        // The types are said, as the compiler takes seconds to find them.
        let known: (numerator: Int128, denominator: Int64)? = oracle.ratio(
            of: id,
            one: one,
            zero: 0,
            scaled: { (share: Int64, part: Int128) -> Int128 in Int128(share) * part },
            sum: { (first: Int128, second: Int128) -> Int128 in first + second },
            fraction: { (child: TaskID) -> Int128 in Int128(tree.fixedFraction(of: child) ?? 0) }
        )
        let ratio = try #require(known)
        let denominator = Int128(ratio.denominator)
        if ratio.numerator >= denominator * one {
            try #require(fixed == one, "\(place) \(id)")
        } else {
            let error = (fixed * denominator - ratio.numerator).magnitude
            try #require(2 * error <= denominator.magnitude, "\(place) \(id) is off by \(error)")
        }
        let fraction = try #require(tree.view(id)?.fraction)
        let expected = Double(ratio.numerator) / Double(ratio.denominator) / Double(one)
        try #require(fraction == expected, "\(place) \(id)")
    }
}

/// Fractions as exact rationals from the leaves up, with the bound the design allows.
private struct ExactFractions {
    let oracle: Oracle
    let tree: ProgressTree

    init(oracle: Oracle, tree: ProgressTree) {
        self.oracle = oracle
        self.tree = tree
    }

    /// Distance and bound in units of 2⁻⁵⁰; `nil` where 128 bits do not hold the exact value.
    mutating func error(of id: TaskID) -> (Double, Double)? {
        guard let (exact, bound) = value(of: id), let fixed = tree.fixedFraction(of: id) else {
            return nil
        }
        return exact.distance(toFixed: fixed).map { ($0, bound) }
    }

    private func value(of id: TaskID) -> (Rational, Double)? {
        let ratio = oracle.ratio(
            of: id,
            one: (Rational(1, 1), 0.0),
            zero: (Rational(0, 1), 0.0),
            scaled: { ($1.0?.scaled(by: $0, over: 1), $1.1 * Double($0)) },
            sum: { left, right in
                guard let first = left.0, let second = right.0 else { return (nil, 0) }
                return (first.adding(second), left.1 + right.1)
            },
            fraction: { child in
                guard let (exact, bound) = value(of: child) else { return (nil, 0) }
                return (exact, bound)
            }
        )
        guard let ratio, let shown = oracle.shown[id],
            let exact = ratio.numerator.0?.scaled(by: 1, over: ratio.denominator)
        else { return nil }
        let shares = shown.children.reduce(0.0) { $0 + Double(oracle.share(of: $1)) }
        let own = max(1, shares / Double(ratio.denominator))
        let bound = ratio.numerator.1 / Double(ratio.denominator) + own
        return (exact.isAboveOne ? Rational(1, 1) ?? exact : exact, bound)
    }
}
