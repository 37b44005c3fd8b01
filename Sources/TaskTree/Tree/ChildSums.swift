/// What of its children's sums a task's own state and fraction follow from.
struct ChildSums {
    /// Listed children that count, and those together with folded ones.
    var children = 0
    var begun = 0
    var share: Int128 = 0
    var weighted: Int128 = 0
    /// Of the children themselves.
    var unfinished = 0
    var failed = 0
    var lost = 0
    /// Of all descendants.
    var running = 0
    var stalled = 0
    var activeWorkers = 0
    var runningChildren = RunningChildren()

    /// Those of a task without children.
    init() {}

    init(_ aggregate: borrowing Aggregate) {
        children = aggregate.children
        begun = aggregate.begun
        share = aggregate.share
        weighted = aggregate.weighted
        unfinished = aggregate.unfinished
        failed = aggregate.failed
        lost = aggregate.lost
        running = aggregate.below.running
        stalled = aggregate.below.stalled
        activeWorkers = aggregate.below.activeWorkers
        runningChildren = aggregate.runningChildren
    }
}

extension ProgressTree {
    /// The sums over a shown task's children in its current attempt.
    func childSums(of slot: Slot) -> ChildSums {
        let family = nodes[slot].family
        guard family >= 0 else { return ChildSums() }
        if families[family].holders.isEmpty { return ChildSums(families[family].aggregate) }
        return aggregate(of: slot).map { ChildSums($0) } ?? ChildSums()
    }
}
