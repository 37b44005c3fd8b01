package import TaskTree

extension WireFold {
    package init(parent: TaskID, _ fold: FoldedChildren) {
        self.init()
        self.parent = WireTaskRef(parent)
        succeeded = min(UInt64(clamping: fold.succeeded), ProtocolLimits.maxFoldedCount)
        failed = min(UInt64(clamping: fold.failed), ProtocolLimits.maxFoldedCount)
        cancelled = min(UInt64(clamping: fold.cancelled), ProtocolLimits.maxFoldedCount)
        waiting = min(UInt64(clamping: fold.waiting), ProtocolLimits.maxFoldedCount)
        running = min(UInt64(clamping: fold.running), ProtocolLimits.maxFoldedCount)
        lost = min(UInt64(clamping: fold.lost), ProtocolLimits.maxFoldedCount)
        if let troubles = fold.attention {
            attention = min(UInt64(clamping: troubles), ProtocolLimits.maxFoldedCount)
        }
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
        folded.waiting = Int(clamping: waiting)
        folded.running = Int(clamping: running)
        folded.lost = Int(clamping: lost)
        folded.attention = hasAttention ? Int(clamping: attention) : nil
        return folded
    }

    /// The sum of share · f in units of 2⁻⁵⁰; what does not fit comes out negative.
    var weighted: Int128 {
        Int128(truncatingIfNeeded: weightedHigh) << 64 | Int128(weightedLow)
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
