package import TaskTree

extension WireFold {
    package init(parent: TaskID, _ fold: FoldedChildren) {
        self.init()
        self.parent = WireTaskRef(parent)
        succeeded = Self.count(fold.succeeded)
        failed = Self.count(fold.failed)
        cancelled = Self.count(fold.cancelled)
        if let below = fold.below { self.below = WirePartBelow(below) }
        share = UInt64(max(0, fold.share))
        let weighted = max(0, fold.weighted)
        weightedHigh = UInt64(truncatingIfNeeded: weighted >> 64)
        weightedLow = UInt64(truncatingIfNeeded: weighted)
        sums = fold.sums.prefix(ProtocolLimits.unitSums).map(WireUnitSum.init)
        removed = fold.removed
    }

    /// What a validated fold says.
    package func folded() -> FoldedChildren {
        var folded = FoldedChildren(
            succeeded: Int(clamping: succeeded),
            failed: Int(clamping: failed),
            cancelled: Int(clamping: cancelled),
            share: Int64(clamping: share),
            weighted: weighted,
            sums: sums.map(\.unitSum),
            removed: removed
        )
        if hasBelow { folded.below = PartBelow(below) }
        return folded
    }

    /// A number of tasks as folds have it, held within its limit.
    fileprivate static func count(_ number: Int) -> UInt64 {
        min(UInt64(clamping: number), ProtocolLimits.maxFoldedCount)
    }

    /// The sum of share · f in units of 2⁻⁵⁰; what does not fit comes out negative.
    var weighted: Int128 {
        Int128(truncatingIfNeeded: weightedHigh) << 64 | Int128(weightedLow)
    }
}

extension WirePartBelow {
    fileprivate init(_ part: PartBelow) {
        self.init()
        waiting = WireFold.count(part.waiting)
        running = WireFold.count(part.running)
        lost = WireFold.count(part.lost)
        live = WireFold.count(part.live)
        advancing = WireFold.count(part.advancing)
        stalled = WireFold.count(part.stalled)
        troubles = WireFold.count(part.troubles)
        alarms = WireFold.count(part.alarms)
        activeWorkers = WireFold.count(part.activeWorkers)
        unmovedWorkers = WireFold.count(part.unmovedWorkers)
        children = WireFold.count(part.children)
        unfinishedChildren = WireFold.count(part.unfinishedChildren)
        failedChildren = WireFold.count(part.failedChildren)
        lostChildren = WireFold.count(part.lostChildren)
        runningChildren = WireFold.count(part.runningChildren)
        runningShare = UInt64(max(0, part.runningShare))
        let weighted = max(0, part.runningWeighted)
        runningWeightedHigh = UInt64(truncatingIfNeeded: weighted >> 64)
        runningWeightedLow = UInt64(truncatingIfNeeded: weighted)
        muteShare = UInt64(max(0, part.muteShare))
    }

    /// As of a fold.
    var runningWeighted: Int128 {
        Int128(truncatingIfNeeded: runningWeightedHigh) << 64 | Int128(runningWeightedLow)
    }
}

extension PartBelow {
    fileprivate init(_ part: WirePartBelow) {
        self.init()
        waiting = Int(clamping: part.waiting)
        running = Int(clamping: part.running)
        lost = Int(clamping: part.lost)
        live = Int(clamping: part.live)
        advancing = Int(clamping: part.advancing)
        stalled = Int(clamping: part.stalled)
        troubles = Int(clamping: part.troubles)
        alarms = Int(clamping: part.alarms)
        activeWorkers = Int(clamping: part.activeWorkers)
        unmovedWorkers = Int(clamping: part.unmovedWorkers)
        children = Int(clamping: part.children)
        unfinishedChildren = Int(clamping: part.unfinishedChildren)
        failedChildren = Int(clamping: part.failedChildren)
        lostChildren = Int(clamping: part.lostChildren)
        runningChildren = Int(clamping: part.runningChildren)
        runningShare = Int64(clamping: part.runningShare)
        runningWeighted = part.runningWeighted
        muteShare = Int64(clamping: part.muteShare)
    }
}

extension WireUnitSum {
    package init(_ sum: UnitSum) {
        self.init()
        unit = sum.unit.limited(toUTF8: ProtocolLimits.unitBytes)
        completed = max(0, sum.completed)
        total = max(0, sum.total)
    }

    package var unitSum: UnitSum { UnitSum(unit: unit, completed: completed, total: total) }
}
