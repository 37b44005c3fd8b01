/// What of its children's sums a task's own state and fraction follow from.
///
/// A protocol, so that the rules are written once and compiled twice: nearly all tasks are
/// childless, and for them nothing but their own numbers is left.
protocol SumsOfChildren {
    /// Listed children that count, and those together with folded ones.
    var children: Int { get }
    var begun: Int { get }
    var share: Int128 { get }
    var weighted: Int128 { get }
    /// Of the children themselves.
    var unfinished: Int { get }
    var failed: Int { get }
    var lost: Int { get }
    /// Of all descendants.
    var running: Int { get }
    var stalled: Int { get }
    var hands: Int { get }
    var crew: RunningChildren { get }
}

/// Those of a task without children.
struct NoChildren: SumsOfChildren {
    var children: Int { 0 }
    var begun: Int { 0 }
    var share: Int128 { 0 }
    var weighted: Int128 { 0 }
    var unfinished: Int { 0 }
    var failed: Int { 0 }
    var lost: Int { 0 }
    var running: Int { 0 }
    var stalled: Int { 0 }
    var hands: Int { 0 }
    var crew: RunningChildren { RunningChildren() }
}

/// Those of a task that has a family: numbers only, no copy of the sums by unit.
struct ChildSums: SumsOfChildren {
    var children = 0
    var begun = 0
    var share: Int128 = 0
    var weighted: Int128 = 0
    var unfinished = 0
    var failed = 0
    var lost = 0
    var running = 0
    var stalled = 0
    var hands = 0
    var crew = RunningChildren()

    /// Nothing yet.
    static let none = ChildSums()

    private init() {}

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
        hands = aggregate.below.hands
        crew = aggregate.crew
    }
}

extension ProgressTree {
    /// The sums over a shown task's children in its current attempt.
    func childSums(of slot: Slot) -> ChildSums {
        let family = nodes[slot].family
        guard family >= 0 else { return .none }
        if families[family].holders.isEmpty { return ChildSums(families[family].aggregate) }
        return aggregate(of: slot).map { ChildSums($0) } ?? .none
    }
}
