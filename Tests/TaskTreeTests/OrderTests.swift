import TaskTree
import TestSupport
import Testing

/// The same newest statements give the same bits, whatever happened on the way.
@Suite struct OrderTests {
    @Test(arguments: 1...20)
    func `any order, repetition and batching gives the same bits`(seed: Int) throws {
        var world = RandomWorld(seed: UInt64(seed), removes: false)
        for _ in 0..<800 { world.act() }
        world.settle()
        let picture = world.tree.picture
        try #require(picture.count > 5, "seed \(seed)")
        for round in 1...4 {
            var random = SplitMix64(seed: UInt64(seed * 100 + round))
            var tree = ProgressTree()
            var sayings = world.sayings + world.sayings.filter { _ in random.oneIn(5) }
            sayings.shuffle(using: &random)
            for saying in sayings {
                tree.hear(saying)
                if random.oneIn(30 * round) { _ = tree.settle() }
            }
            _ = tree.settle()
            #expect(tree.picture == picture, "seed \(seed) round \(round)")
            #expect(tree.unattached == world.tree.unattached, "seed \(seed) round \(round)")
        }
    }

    @Test(arguments: 1...20)
    func `children folded away or kept change no number`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        var kept = ProgressTree()
        var folding = ProgressTree()
        let job = task(1, of: 9)
        for index in 1...3 { describeParent(index, &random, &kept, &folding) }
        var folds: [TaskID: FoldedChildren] = [:]
        var sayings: [Saying] = []
        for index in 10..<90 {
            let parent = [job, task(2, of: 9), task(3, of: 9)].randomElement(using: &random) ?? job
            let id = TaskID(index: UInt64(index), session: session(1))
            var description = TaskDescription.child(of: parent)
            description.share =
                random.oneIn(2) ? Int64.random(in: 0...(1 << 48), using: &random) : nil
            description.unit = ["", "bytes", "items"].randomElement(using: &random) ?? ""
            let total: Int64? = random.oneIn(4) ? nil : Int64.random(in: 0...1000, using: &random)
            let amounts = TaskAmounts(
                completed: .random(in: 0...1200, using: &random),
                total: total
            )
            let states: [StatedState] = [
                .succeeded, .succeeded, .failed(reason: "x"), .cancelled(reason: ""), .running,
            ]
            let state = states.randomElement(using: &random) ?? .running
            let said: [Saying] = [
                .describe(id, description, 1), .measure(id, amounts, 1), .state(id, state, 1),
            ]
            for saying in said { kept.hear(saying) }
            let isFolded = state.isFinal && random.oneIn(2)
            if isFolded {
                folds[parent, default: FoldedChildren()]
                    .add(index: id.index, description, amounts, state)
            }
            // What is folded away may have been said before, later or never.
            if !isFolded || random.oneIn(2) { sayings += said }
        }
        for (index, (parent, fold)) in folds.sorted(by: { $0.key < $1.key }).enumerated() {
            var former = fold
            former.succeeded = 0
            former.removed = []
            sayings.append(.fold(session(1), parent, fold, UInt64(index + 10)))
            sayings.append(.fold(session(1), parent, former, 2))
        }
        sayings.shuffle(using: &random)
        for saying in sayings {
            folding.hear(saying)
            if random.oneIn(10) { _ = folding.settle() }
        }
        _ = kept.settle()
        _ = folding.settle()
        for index in 1...3 {
            let one = try #require(kept.view(task(index, of: 9)))
            let other = try #require(folding.view(task(index, of: 9)))
            #expect(numbers(one) == numbers(other), "seed \(seed) parent \(index)")
        }
    }

    private func describeParent(
        _ index: Int,
        _ random: inout SplitMix64,
        _ kept: inout ProgressTree,
        _ folding: inout ProgressTree
    ) {
        let id = task(index, of: 9)
        var description = index == 1 ? TaskDescription.job() : .child(of: task(1, of: 9))
        description.options.expectedChildren = random.oneIn(2) ? 60 : nil
        let amounts = TaskAmounts(completed: 3, total: random.oneIn(2) ? 1 << 50 : nil)
        for saying in [Saying.describe(id, description, 1), .measure(id, amounts, 1)] {
            kept.hear(saying)
            folding.hear(saying)
        }
        // Some parents wait for their running children, some succeeded over failed ones.
        if index == 3 {
            kept.state(id, .succeeded, version: 1)
            folding.state(id, .succeeded, version: 1)
        }
    }

    private func numbers(_ view: TaskView) -> String {
        "\(view.fraction.bitPattern) \(view.isIndeterminate) \(view.state) \(view.note) "
            + "\(view.counts) \(view.attention) \(view.needsAttention) \(view.sums) "
            + "\(view.childCount + view.foldedChildren)"
    }
}
