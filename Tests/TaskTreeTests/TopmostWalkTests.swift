import TaskTree
import Testing

/// Whom a command is for is found without a look at every task of a job, or a part at a time.
@Suite struct TopmostWalkTests {
    var tree = ProgressTree()
    private static let children = 10_000

    init() {
        tree.describe(task(1), .job(), version: 1)
        for index in 2...Self.children {
            tree.describe(task(index), .child(of: task(1)), version: 1)
        }
    }

    /// All that a walk finds that looks at so many tasks at a time, and at how many it looked.
    private func walk(
        below id: TaskID,
        portion: Int = .max
    ) -> (found: [SessionID: Set<UInt64>], looks: Int) {
        var walk = tree.topmostTasks(below: id)
        var looked = 0
        repeat {
            var looks = portion
            tree.advance(&walk, looks: &looks)
            looked += portion - looks
        } while !walk.isOver
        return (walk.found.mapValues(Set.init), looked)
    }

    @Test mutating func `below a task that has only its own session's nobody looks`() {
        _ = tree.settle()
        let whole = walk(below: task(1))
        #expect(whole.found == [session(1): [1]] && whole.looks == 0)
        #expect(walk(below: task(7)).found == [session(1): [7]])
        #expect(walk(below: task(1, of: 9)).found.isEmpty)
    }

    @Test(arguments: [Int.max, 100])
    mutating func `another session's task is found wherever it is`(portion: Int) {
        tree.describe(task(1, of: 2), .child(of: task(5_000)), version: 1)
        tree.describe(task(2, of: 2), .child(of: task(1, of: 2)), version: 1)
        tree.describe(task(99_999), .child(of: task(2, of: 2)), version: 1)
        _ = tree.settle()
        let found = walk(below: task(1), portion: portion)
        #expect(found.found == [session(1): [1, 99_999], session(2): [1]])
        #expect(found.looks <= Self.children + 3)
        #expect(walk(below: task(4_999)).looks == 0)
        tree.state(task(1, of: 2), .failed(reason: ""), version: 2)
        tree.state(task(99_999), .failed(reason: ""), version: 2)
        _ = tree.settle()
        #expect(walk(below: task(1)).found == [session(1): [1]])
        #expect(walk(below: task(1)).looks == 0)
    }

    @Test mutating func `what is below an ended task of the same session is topmost`() {
        tree.state(task(1), .succeeded, version: 2)
        _ = tree.settle()
        let found = walk(below: task(1), portion: 1_000)
        #expect(found.found == [session(1): Set(2...UInt64(Self.children))])
    }

    @Test mutating func `it comes to its end when all that it goes through is taken away`() {
        tree.state(task(1), .succeeded, version: 2)
        _ = tree.settle()
        var walk = tree.topmostTasks(below: task(1))
        var looks = 10
        tree.advance(&walk, looks: &looks)
        #expect(!walk.isOver)
        // The next one is among them.
        for index in 5_000...Self.children { tree.forget(task(index)) }
        _ = tree.settle()
        looks = 100_000
        tree.advance(&walk, looks: &looks)
        #expect(walk.isOver)
        #expect(Set(walk.found[session(1)] ?? []).isSuperset(of: 2..<5_000))
        walk = tree.topmostTasks(below: task(1))
        looks = 10
        tree.advance(&walk, looks: &looks)
        _ = tree.removeJob(task(1))
        looks = 100_000
        tree.advance(&walk, looks: &looks)
        #expect(walk.isOver)
    }
}
