import TaskTree
import Testing

/// Extremes of the numbers, sums by unit, folds from hostile peers.
@Suite struct NumberTests {
    var tree = ProgressTree()

    @Test mutating func `the greatest numbers neither trap nor overflow`() throws {
        tree.describe(task(1), .job(), version: 1)
        tree.measure(task(1), TaskAmounts(completed: .max, total: 1), version: 1)
        for index in 2...9 {
            var child = TaskDescription.child(of: task(1), share: .max)
            child.options.expectedChildren = .max
            child.unit = "bytes"
            tree.describe(task(index), child, version: 1)
            tree.measure(task(index), TaskAmounts(completed: .max, total: .max), version: 1)
        }
        _ = tree.settle()
        let view = try #require(tree.view(task(1)))
        #expect(view.fraction > 9.2e18 && view.fraction.isFinite)
        #expect(view.sums == [UnitSum(unit: "bytes", completed: .max, total: .max)])
        tree.measure(task(1), TaskAmounts(completed: 0, total: .max), version: 2)
        _ = tree.settle()
        let small = try #require(tree.view(task(1))?.fraction)
        #expect(small == Double(8 << 48) / Double(Int64.max))
        for index in 2...9 { tree.forget(task(index)) }
        _ = tree.settle()
        #expect(tree.view(task(1))?.fraction == 0)
        #expect(tree.view(task(1))?.sums.isEmpty == true)
    }

    @Test mutating func `negative shares and expectations count as nothing`() throws {
        var job = TaskDescription.job()
        job.options.expectedChildren = .min
        tree.describe(task(1), job, version: 1)
        tree.describe(task(2), .child(of: task(1), share: -5), version: 1)
        tree.measure(task(2), TaskAmounts(completed: 1, total: 1), version: 1)
        _ = tree.settle()
        #expect(tree.view(task(1))?.fraction == 0)
        #expect(tree.view(task(1))?.isIndeterminate == true)
    }

    @Test mutating func `a fold of nonsense is held within bounds`() throws {
        tree.describe(task(1), .job(), version: 1)
        for number in 1...20 {
            tree.fold(
                session(number),
                under: task(1),
                FoldedChildren(
                    succeeded: .max,
                    failed: .min,
                    cancelled: -1,
                    share: .max,
                    weighted: .max,
                    sums: [UnitSum(unit: "x", completed: .min, total: .max)],
                    removed: [.max, 0, .max]
                ),
                version: .max
            )
        }
        _ = tree.settle()
        #expect(tree.view(task(1))?.fraction == 1)
    }

    @Test mutating func `expected children not begun hold the fraction back`() throws {
        var job = TaskDescription.job()
        job.options.expectedChildren = 4
        tree.describe(task(1), job, version: 1)
        _ = tree.settle()
        #expect(tree.view(task(1))?.isIndeterminate == true)
        tree.describe(task(2), .child(of: task(1)), version: 1)
        tree.describe(task(3), .ticket(of: task(1)), version: 1)
        tree.state(task(2), .succeeded, version: 1)
        _ = tree.settle()
        #expect(tree.view(task(1))?.fraction == 0.25)
        #expect(tree.view(task(1))?.isIndeterminate == false)
    }

    @Test mutating func `sums add what agrees in unit and count nothing twice`() throws {
        tree.describe(task(1), .job(), version: 1)
        var worker = TaskDescription.child(of: task(1))
        worker.unit = "bytes"
        tree.describe(task(2), worker, version: 1)
        tree.measure(task(2), TaskAmounts(completed: 30, total: 100), version: 1)
        var file = TaskDescription.child(of: task(2), share: 40)
        file.unit = "bytes"
        tree.describe(task(3), file, version: 1)
        tree.measure(task(3), TaskAmounts(completed: 20, total: 40), version: 1)
        var other = TaskDescription.child(of: task(2), share: 0)
        other.unit = "files"
        tree.describe(task(4), other, version: 1)
        tree.measure(task(4), TaskAmounts(completed: 7), version: 1)
        _ = tree.settle()
        #expect(
            tree.view(task(1))?.sums == [
                UnitSum(unit: "bytes", completed: 50, total: 100),
                UnitSum(unit: "files", completed: 7, total: 7),
            ]
        )
        #expect(tree.view(task(1))?.fraction == 0.5)
    }

    @Test mutating func `more units than can be told give no sum and no trouble`() throws {
        tree.describe(task(1), .job(), version: 1)
        for index in 2...40 {
            var child = TaskDescription.child(of: task(1))
            child.unit = "unit \(index)"
            tree.describe(task(index), child, version: 1)
            tree.measure(task(index), TaskAmounts(completed: 1), version: 1)
        }
        _ = tree.settle()
        #expect(tree.view(task(1))?.sums.isEmpty == true)
        for index in 2...38 { tree.forget(task(index)) }
        _ = tree.settle()
        #expect(tree.view(task(1))?.sums.count == 2)
    }

    @Test func `quotients round to nearest and stay between 0 and 1`() {
        #expect(FixedPoint.capped(1, over: 2) == 1)
        #expect(FixedPoint.capped(1, over: 3) == 0)
        #expect(FixedPoint.capped(5, over: 3) == 2)
        #expect(FixedPoint.capped(-5, over: 3) == 0)
        #expect(FixedPoint.capped(5, over: 0) == 0)
        #expect(FixedPoint.capped(.max, over: 1) == FixedPoint.one)
        #expect(FixedPoint.capped(.max, over: .max) == 1)
        #expect(FixedPoint.double(Int128(FixedPoint.one), over: 3) == 1.0 / 3.0)
    }
}
