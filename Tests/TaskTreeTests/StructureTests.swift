import TaskTree
import Testing

/// Who hangs where, and what happens to those who hang nowhere.
@Suite struct StructureTests {
    var tree = ProgressTree()

    @Test mutating func `a child before its parent waits and is counted when that comes`() throws {
        tree.describe(task(3), .child(of: task(2)), version: 1)
        tree.measure(task(3), TaskAmounts(completed: 1, total: 1), version: 1)
        tree.describe(task(2), .child(of: task(1)), version: 1)
        var changes = tree.settle()
        #expect(changes.isEmpty)
        #expect(tree.unattached == [task(2), task(3)])
        tree.describe(task(1), .job(), version: 1)
        changes = tree.settle()
        #expect(changes.begun == [task(1), task(2), task(3)])
        #expect(changes.described == changes.begun)
        #expect(tree.view(task(1))?.fraction == 1)
        #expect(tree.subtree(of: task(1)) == [task(1), task(2), task(3)])
        #expect(tree.unattached.isEmpty)
    }

    @Test mutating func `an orphan is a job of its own until its parent turns up`() throws {
        tree.describe(task(3), .child(of: task(2)), version: 1)
        tree.describe(task(4), .child(of: task(3)), version: 1)
        for id in tree.unattached.reversed() { tree.adoptOrphan(id) }
        _ = tree.settle()
        #expect(tree.jobs == [task(3)])
        #expect(tree.job(of: task(4)) == task(3))
        tree.describe(task(2), .job(), version: 1)
        let changes = tree.settle()
        #expect(tree.jobs == [task(2)])
        #expect(changes.begun == [task(2)])
        #expect(changes.detached.isEmpty)
        #expect(tree.view(task(3))?.depth == 1)
        tree.forget(task(2))
        let left = tree.settle()
        #expect(left.detached == [task(2), task(3), task(4)])
    }

    @Test mutating func `a ticket that is a job by its redeemer's word is none without it`() {
        let redeemer = task(1, of: 2)
        for forget in [
            { (tree: inout ProgressTree) in tree.forget(redeemer) },
            { (tree: inout ProgressTree) in
                tree.bind(redeemer, to: .holder(of: task(3), attempt: 1))
            },
        ] {
            tree = ProgressTree()
            tree.measure(task(2), TaskAmounts(completed: 1), version: 1)
            tree.bind(redeemer, to: .holder(of: task(2), attempt: 1))
            tree.describe(redeemer, .redeemer(of: task(2)), version: 1)
            tree.adoptOrphan(task(2))
            _ = tree.settle()
            #expect(tree.jobs == [task(2)])
            forget(&tree)
            #expect(tree.settle().detached == [task(2)])
            #expect(tree.jobs.isEmpty)
        }
    }

    @Test mutating func `cycles neither hang nor show, even when adopted`() throws {
        tree.describe(task(1), .child(of: task(3)), version: 1)
        tree.describe(task(2), .child(of: task(1)), version: 1)
        tree.describe(task(3), .child(of: task(2)), version: 1)
        tree.describe(task(4), .child(of: task(4)), version: 1)
        tree.bind(task(5), to: .holder(of: task(5), attempt: 1))
        tree.bind(task(6), to: .holder(of: task(7), attempt: 1))
        tree.bind(task(7), to: .holder(of: task(6), attempt: 1))
        _ = tree.settle()
        #expect(tree.unattached == [task(1), task(2), task(3), task(4)])
        for id in tree.unattached { tree.adoptOrphan(id) }
        _ = tree.settle()
        #expect(tree.jobs == [task(1), task(4)])
        #expect(tree.subtree(of: task(1)) == [task(1), task(2), task(3)])
        let hosts = tree.countsByHost(below: task(1), within: 100)
        #expect(hosts.isWhole)
        #expect(hosts.counts.values.map(\.running) == [2])
        let other = task(9)
        #expect(tree.hasDescendant(of: task(1), within: 100) { id, _ in id == other } == false)
        let cycle = tree.removeJob(task(1))
        #expect(Set(cycle) == [task(1), task(2), task(3)])
        let loop = tree.removeJob(task(4))
        #expect(loop == [task(4)])
        for index in 5...7 { tree.forget(task(index)) }
        _ = tree.settle()
        #expect(tree.taskCount == 0)
        #expect(tree.reporters(of: session(1)).isEmpty)
    }

    @Test mutating func `what is deeper than 64 is counted and not shown`() throws {
        tree.describe(task(1), .job(), version: 1)
        for index in 2...70 {
            tree.describe(task(index), .child(of: task(index - 1)), version: 1)
        }
        tree.measure(task(70), TaskAmounts(completed: 1, total: 1), version: 1)
        _ = tree.settle()
        #expect(tree.view(task(65))?.depth == 64)
        #expect(tree.unattached == (66...70).map { task($0) })
        #expect(tree.view(task(1))?.fraction == 0)
        #expect(tree.view(task(1))?.counts.running == 64)
        tree.adoptOrphan(task(66))
        _ = tree.settle()
        #expect(tree.jobs == [task(1), task(66)])
        #expect(tree.view(task(66))?.fraction == 1)
        let chain = tree.removeJob(task(1))
        #expect(chain.count == 65)
        _ = tree.settle()
        #expect(tree.jobs == [task(66)])
    }

    @Test mutating func `a removed job leaves nothing behind`() throws {
        tree.describe(task(1), .job(), version: 1)
        tree.describe(task(2), .ticket(of: task(1)), version: 1)
        tree.bind(task(1, of: 2), to: .holder(of: task(2), attempt: 1))
        tree.describe(task(1, of: 2), .redeemer(of: task(2)), version: 1)
        tree.describe(task(2, of: 2), .child(of: task(1, of: 2)), version: 1)
        tree.fold(
            session(2),
            under: task(1, of: 2),
            FoldedChildren(
                succeeded: 2,
                share: 2,
                weighted: Int128(FixedPoint.one) * 2,
                removed: [7]
            ),
            version: 3
        )
        _ = tree.settle()
        #expect(tree.view(task(1))?.counts.succeeded == 2)
        let isHeard = tree.measure(task(7, of: 2), TaskAmounts(completed: 1), version: 9)
        #expect(!isHeard)
        let removed = tree.removeJob(task(1))
        #expect(Set(removed) == [task(1), task(2), task(1, of: 2), task(2, of: 2)])
        let left = tree.settle()
        #expect(left.detached == [task(1), task(2), task(2, of: 2)].sorted())
        #expect(tree.jobs.isEmpty && tree.taskCount == 0)
        #expect(tree.reporters(of: session(2)).isEmpty)
    }

    @Test mutating func `older and equal versions of a group are ignored`() throws {
        let isNew = tree.describe(task(1), .job("new"), version: 5)
        #expect(isNew)
        let isEqualNew = tree.describe(task(1), .job("old"), version: 5)
        #expect(!isEqualNew)
        let isFirst = tree.measure(task(1), TaskAmounts(completed: 2), version: 0)
        #expect(isFirst)
        let isRepeatTaken = tree.measure(task(1), TaskAmounts(completed: 3), version: 0)
        #expect(!isRepeatTaken)
        let isNegativeTaken = tree.measure(task(1), TaskAmounts(completed: -1), version: 9)
        #expect(!isNegativeTaken)
        let isNegativeTotalTaken = tree.measure(
            task(1),
            TaskAmounts(completed: 1, total: -1),
            version: 9
        )
        #expect(!isNegativeTotalTaken)
        _ = tree.settle()
        #expect(tree.view(task(1))?.description.title == "new")
        #expect(tree.view(task(1))?.amounts.completed == 2)
        tree.measure(task(1), TaskAmounts(completed: 2), version: 3)
        let changes = tree.settle()
        #expect(changes.isEmpty)
    }
}
