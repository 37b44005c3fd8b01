/// What is left of ended children that their session has folded away under one parent.
///
/// All numbers are absolute. A child folded in adds here exactly what it added to its parent
/// before, so that folding changes no number anybody sees.
package struct FoldedChildren: Hashable, Sendable {
    package var succeeded: Int
    package var failed: Int
    package var cancelled: Int
    /// Set only for a part of another broker's job: there every task is folded, ended or not.
    package var below: PartBelow?
    /// The sum of their shares.
    package var share: Int64
    /// The sum of share · fraction, in units of 2⁻⁵⁰, each fraction held between 0 and 1.
    package var weighted: Int128
    /// Amounts by unit, for the first `UnitSum.limit` units; children without a unit add nothing.
    package var sums: [UnitSum]
    /// Indices of children whose statements are ignored from now on.
    package var removed: [UInt64]

    package init(
        succeeded: Int = 0,
        failed: Int = 0,
        cancelled: Int = 0,
        share: Int64 = 0,
        weighted: Int128 = 0,
        sums: [UnitSum] = [],
        removed: [UInt64] = []
    ) {
        self.succeeded = succeeded
        self.failed = failed
        self.cancelled = cancelled
        self.share = share
        self.weighted = weighted
        self.sums = sums
        self.removed = removed
    }

    /// How many children are folded in here.
    package var count: Int { succeeded + failed + cancelled }

    /// Folds in a childless task that has ended; a task that has not is left alone.
    ///
    /// Returns whether it was taken: not if it has not ended or the sum of shares would exceed
    /// what an `Int64` holds.
    @discardableResult
    package mutating func add(
        index: UInt64,
        _ description: TaskDescription,
        _ amounts: TaskAmounts,
        _ state: StatedState
    ) -> Bool {
        guard add(share: description.effectiveShare, unit: description.unit, amounts, state) else {
            return false
        }
        removed.append(index)
        return true
    }

    /// Folds in a task of which only share, unit, amounts and state are known, without its index.
    ///
    /// Returns whether it was taken, as above.
    package mutating func add(
        share itsShare: Int64,
        unit: String,
        _ amounts: TaskAmounts,
        _ state: StatedState
    ) -> Bool {
        let portion = FixedPoint.share(itsShare)
        let (sum, overflows) = share.addingReportingOverflow(portion)
        guard !overflows, state.isFinal else { return false }
        switch state {
        case .succeeded: succeeded += 1
        case .failed: failed += 1
        case .cancelled: cancelled += 1
        case .running, .paused: return false
        }
        share = sum
        let fraction = FixedPoint.leaf(amounts, succeeded: state == .succeeded)
        weighted += Int128(portion) * Int128(fraction)
        let total = max(amounts.total ?? 0, amounts.completed)
        add(UnitSum(unit: unit, completed: amounts.completed, total: total))
        return true
    }

    /// Takes over the counts and amounts, but not the shares, of what was folded below a child.
    package mutating func include(_ lower: FoldedChildren) {
        succeeded += lower.succeeded
        failed += lower.failed
        cancelled += lower.cancelled
        for sum in lower.sums { add(sum) }
    }

    private mutating func add(_ sum: UnitSum) {
        guard !sum.unit.isEmpty else { return }
        if let place = sums.firstIndex(where: { $0.unit == sum.unit }) {
            sums[place].completed = sums[place].completed.clampingAdd(sum.completed)
            sums[place].total = sums[place].total.clampingAdd(sum.total)
        } else if sums.count < UnitSum.limit {
            sums.append(sum)
        }
    }
}

/// What a fold says of a part of another broker's job beside the numbers that every fold has.
///
/// All numbers are absolute.
package struct PartBelow: Hashable, Sendable {
    /// Counts all tasks below the part; the fold itself has their amounts, and how many have
    /// succeeded, failed and been cancelled.
    package var tasks = Descendants()
    // Of the part's own children.
    package var begun = 0
    package var unfinished = 0
    package var failed = 0
    package var lost = 0
    package var running = RunningChildren()

    package init() {}
}

extension PartBelow {
    init(_ sums: Aggregate) {
        (tasks, running) = (sums.below, sums.runningChildren)
        (begun, unfinished) = (sums.begun, sums.unfinished)
        (failed, lost) = (sums.failed, sums.lost)
    }
}

extension Int64 {
    /// The sum, or the greatest or least number where the sum does not fit.
    func clampingAdd(_ other: Int64) -> Int64 {
        let (sum, overflows) = addingReportingOverflow(other)
        guard overflows else { return sum }
        return other > 0 ? .max : .min
    }
}
