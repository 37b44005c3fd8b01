/// What one child adds to its parent's sums by itself, without its descendants.
struct Contribution: Equatable, Sendable {
    var share: Int64 = 0
    /// Between 0 and 1, in units of 2⁻⁵⁰.
    var fraction: Int64 = 0
    /// The amounts of a task without a family; those of a task with one are in its `Descendants`.
    var completed: Int64 = 0
    var total: Int64 = 0
    var unit = noNumber
    var state = TaskState.waiting
    var facts: Facts = []

    /// Yes-or-no facts of a task, packed into one byte as every task has them.
    struct Facts: OptionSet, Sendable {
        let rawValue: UInt8

        /// The child counts; without this flag it adds nothing.
        static let present = Facts(rawValue: 1 << 0)
        static let needsAttention = Facts(rawValue: 1 << 1)
        static let stalled = Facts(rawValue: 1 << 2)
        /// The fraction is unknown: there is neither a total nor children that give one.
        static let mute = Facts(rawValue: 1 << 3)
        /// The task runs and has moved, and no task below it is at work.
        static let atWork = Facts(rawValue: 1 << 4)
        /// The task runs, but its fraction is 0, as many tasks are begun before their turn.
        static let unmoved = Facts(rawValue: 1 << 5)
    }
}

extension Contribution {
    var isPresent: Bool { facts.contains(.present) }
    var needsAttention: Bool { facts.contains(.needsAttention) }
    var isStalled: Bool { facts.contains(.stalled) }
    var isMute: Bool { facts.contains(.mute) }
    var isAtWork: Bool { facts.contains(.atWork) }
    var isUnmoved: Bool { facts.contains(.unmoved) }

    /// Whether both are of a child that counts, and differ at most in fraction and amounts.
    func differsInAmountsOnly(from other: Contribution) -> Bool {
        isPresent && facts == other.facts && share == other.share && unit == other.unit
            && state == other.state
    }
}

/// What one child passes on to its parent's sums from its descendants.
package struct Descendants: Hashable, Sendable {
    package var counts = StateCounts()
    /// Tasks that have ended and need attention.
    package var troubles = 0
    /// Silent or stalled tasks that are not below another such task: one halt is one trouble.
    package var alarms = 0
    package var running = 0
    package var stalled = 0
    /// Tasks that have not ended, children of earlier attempts included.
    package var live = 0
    /// Running tasks that have a share, have moved, and have no such task below them.
    package var activeWorkers = 0
    /// Running tasks of which nothing is done, parents of such tasks included.
    package var unmovedWorkers = 0
    /// Amounts by unit, the child's own included.
    var sums: [UnitTotal] = []

    /// How many need attention below a task of this state.
    func attention(below outcome: Outcome) -> Int {
        outcome.isAlarm ? troubles : troubles &+ alarms
    }
}

/// The sums over the running children of one record; all but `count` leave out unmoved children.
package struct RunningChildren: Hashable, Sendable {
    package var count = 0
    package var share: Int128 = 0
    package var weighted: Int128 = 0
    /// The shares of the children whose fraction is unknown.
    package var mute: Int128 = 0

    mutating func add(_ child: Contribution, times sign: Int) {
        // A background child with nothing to add does not count as work under way.
        guard child.share > 0 else { return }
        count &+= sign
        // Nor does an unmoved child, which may have been begun before its turn.
        guard !child.isUnmoved else { return }
        share &+= Int128(sign) &* Int128(child.share)
        weighted &+= Int128(sign) &* (Int128(child.share) &* Int128(child.fraction))
        if child.isMute { mute &+= Int128(sign) &* Int128(child.share) }
    }

    mutating func add(_ other: RunningChildren, times sign: Int) {
        count &+= sign &* other.count
        share &+= Int128(sign) &* other.share
        weighted &+= Int128(sign) &* other.weighted
        mute &+= Int128(sign) &* other.mute
    }
}

/// The sums over the children of one record: exact integers, so that their order does not matter.
///
/// Additions wrap: taking out what was put in always restores the sum, and no peer's numbers can
/// crash the broker. 2²⁹ children of the greatest share fit.
struct Aggregate: Equatable, Sendable {
    /// Children listed, and children folded away.
    var children = 0
    var folded = 0
    var share: Int128 = 0
    var weighted: Int128 = 0
    /// These count the children themselves, but all tasks in a session's own fold.
    var unfinished = 0
    var failed = 0
    var lost = 0
    var runningChildren = RunningChildren()
    var below = Descendants()
    var units = UnitTotals()

    /// Children of the current attempt that exist or existed.
    var begun: Int { children &+ folded }

    /// Puts a child in (`sign` 1) or takes it out (−1).
    mutating func add(_ child: Contribution, times sign: Int) {
        guard child.isPresent else { return }
        children &+= sign
        share &+= Int128(sign) &* Int128(child.share)
        weighted &+= Int128(sign) &* (Int128(child.share) &* Int128(child.fraction))
        below.counts.add(child.state, times: sign)
        if !child.state.isEnded {
            unfinished &+= sign
            below.live &+= sign
        }
        if child.state == .failed { failed &+= sign }
        if child.state == .lost { lost &+= sign }
        if child.needsAttention {
            if child.state.isEnded { below.troubles &+= sign } else { below.alarms &+= sign }
        }
        if child.state == .running {
            below.running &+= sign
            runningChildren.add(child, times: sign)
        }
        if child.isAtWork { below.activeWorkers &+= sign }
        if child.isUnmoved { below.unmovedWorkers &+= sign }
        if child.isStalled { below.stalled &+= sign }
        units.add(
            unit: child.unit,
            completed: Int128(child.completed),
            total: Int128(child.total),
            times: sign
        )
    }

    /// Replaces the contribution of one child.
    mutating func replace(_ old: Contribution, by new: Contribution) {
        guard old.differsInAmountsOnly(from: new) else {
            add(old, times: -1)
            add(new, times: 1)
            return
        }
        // The most frequent change: a task advances.
        let gained = Int128(new.share) &* Int128(new.fraction &- old.fraction)
        weighted &+= gained
        if new.state == .running, new.share > 0 { runningChildren.weighted &+= gained }
        units.change(
            unit: new.unit,
            completed: Int128(new.completed) &- Int128(old.completed),
            total: Int128(new.total) &- Int128(old.total)
        )
    }

    /// Puts in or takes out what a child passes on.
    mutating func add(_ other: Descendants, times sign: Int) {
        below.counts.add(other.counts, times: sign)
        below.troubles &+= sign &* other.troubles
        below.alarms &+= sign &* other.alarms
        below.running &+= sign &* other.running
        below.stalled &+= sign &* other.stalled
        below.live &+= sign &* other.live
        below.activeWorkers &+= sign &* other.activeWorkers
        below.unmovedWorkers &+= sign &* other.unmovedWorkers
        for entry in other.sums {
            units.add(
                unit: entry.unit,
                completed: entry.completed,
                total: entry.total,
                times: sign
            )
        }
    }

    /// Puts in or takes out a fold.
    mutating func add(_ fold: StoredFold, times sign: Int) {
        folded &+= sign &* fold.children
        share &+= Int128(sign) &* Int128(fold.share)
        weighted &+= Int128(sign) &* fold.weighted
        unfinished &+= sign &* fold.unfinished
        failed &+= sign &* fold.failed
        lost &+= sign &* fold.lost
        runningChildren.add(fold.runningChildren, times: sign)
        add(fold.below, times: sign)
    }

    /// Puts in all children of another record: the current holder's beside the ticket's.
    mutating func add(_ other: Aggregate) {
        children &+= other.children
        folded &+= other.folded
        share &+= other.share
        weighted &+= other.weighted
        unfinished &+= other.unfinished
        failed &+= other.failed
        lost &+= other.lost
        runningChildren.add(other.runningChildren, times: 1)
        add(other.below, times: 1)
        units.add(other.units)
    }
}

/// A redeemer that speaks or spoke for a ticket in one attempt.
struct Holder: Sendable {
    var attempt: UInt32
    var record: PoolNumber
}

/// The part of a record that only records with children, folds or holders have.
struct Family: Sendable {
    var firstChild = noNumber
    var aggregate = Aggregate()
    /// What the parent's sums contain of this record's descendants at this moment.
    var contributed = Descendants()
    /// In order of attempt; the last one speaks.
    var holders: [Holder] = []
    var folds: [SessionID: StoredFold] = [:]
}

extension StateCounts {
    package mutating func add(_ state: TaskState, times count: Int) {
        switch state {
        case .waiting: waiting &+= count
        case .running, .paused, .cancelling: running &+= count
        case .succeeded: succeeded &+= count
        case .failed: failed &+= count
        case .cancelled: cancelled &+= count
        case .lost: lost &+= count
        }
    }

    package mutating func add(_ other: StateCounts, times sign: Int) {
        waiting &+= sign &* other.waiting
        running &+= sign &* other.running
        succeeded &+= sign &* other.succeeded
        failed &+= sign &* other.failed
        cancelled &+= sign &* other.cancelled
        lost &+= sign &* other.lost
    }
}
