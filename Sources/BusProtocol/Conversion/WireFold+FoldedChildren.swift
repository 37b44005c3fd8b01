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

    /// A number of tasks for a fold, limited to what the protocol allows.
    fileprivate static func count(_ number: Int) -> UInt64 {
        min(UInt64(clamping: number), ProtocolLimits.maxFoldedCount)
    }

    /// The sum of share · f in units of 2⁻⁵⁰; a sum that does not fit comes out negative.
    var weighted: Int128 {
        Int128(truncatingIfNeeded: weightedHigh) << 64 | Int128(weightedLow)
    }
}

extension WirePartBelow {
    /// The fields that are numbers of tasks, each with the number of the part that it carries.
    static var numbers: [(WritableKeyPath<WirePartBelow, UInt64>, WritableKeyPath<PartBelow, Int>)]
    {
        [
            (\.waiting, \.tasks.counts.waiting), (\.running, \.tasks.counts.running),
            (\.lost, \.tasks.counts.lost), (\.live, \.tasks.live),
            (\.advancing, \.tasks.running), (\.stalled, \.tasks.stalled),
            (\.troubles, \.tasks.troubles), (\.alarms, \.tasks.alarms),
            (\.activeWorkers, \.tasks.activeWorkers),
            (\.unmovedWorkers, \.tasks.unmovedWorkers), (\.children, \.begun),
            (\.unfinishedChildren, \.unfinished), (\.failedChildren, \.failed),
            (\.lostChildren, \.lost), (\.runningChildren, \.running.count),
        ]
    }

    fileprivate init(_ part: PartBelow) {
        self.init()
        for (field, number) in Self.numbers {
            self[keyPath: field] = WireFold.count(part[keyPath: number])
        }
        runningShare = UInt64(max(0, Int64(clamping: part.running.share)))
        let weighted = max(0, part.running.weighted)
        runningWeightedHigh = UInt64(truncatingIfNeeded: weighted >> 64)
        runningWeightedLow = UInt64(truncatingIfNeeded: weighted)
        muteShare = UInt64(max(0, Int64(clamping: part.running.mute)))
    }

    /// The sum of share · f of the running children that have moved, in units of 2⁻⁵⁰.
    var runningWeighted: Int128 {
        Int128(truncatingIfNeeded: runningWeightedHigh) << 64 | Int128(runningWeightedLow)
    }
}

extension PartBelow {
    fileprivate init(_ part: WirePartBelow) {
        self.init()
        for (field, number) in WirePartBelow.numbers {
            self[keyPath: number] = Int(clamping: part[keyPath: field])
        }
        running.share = Int128(part.runningShare)
        running.weighted = part.runningWeighted
        running.mute = Int128(part.muteShare)
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
