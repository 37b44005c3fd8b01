/// A session's fold under one parent, as sums take it.
struct StoredFold: Sendable {
    let version: UInt64
    let share: Int64
    let weighted: Int128
    /// Children that exist or existed; of a session's own fold all tasks that are folded.
    let children: Int
    private(set) var unfinished = 0
    let failed: Int
    private(set) var lost = 0
    /// All that is folded.
    private(set) var below = Descendants()
    /// Failed ones somebody had dismissed before they were folded in.
    private(set) var dismissed = 0

    /// Takes a peer's numbers within bounds that no sum of them can leave.
    init(
        _ fold: FoldedChildren,
        version: UInt64,
        keeping old: StoredFold?,
        unit: (String) -> PoolNumber
    ) {
        func bounded(_ number: Int) -> Int { min(max(number, 0), 1 << 40) }
        self.version = version
        share = max(fold.share, 0)
        weighted = min(max(fold.weighted, 0), Int128(share) << FixedPoint.bits)
        below.counts.succeeded = bounded(fold.succeeded)
        below.counts.failed = bounded(fold.failed)
        below.counts.cancelled = bounded(fold.cancelled)
        below.sums = fold.sums.prefix(UnitSum.limit).compactMap { sum in
            let shownUnit = unit(sum.unit)
            guard shownUnit >= 0 else { return nil }
            return UnitTotal(
                unit: shownUnit,
                sources: 1,
                completed: Int128(max(sum.completed, 0)),
                total: Int128(max(sum.total, sum.completed, 0))
            )
        }
        guard let part = fold.below else {
            (children, failed) = (below.counts.sum, below.counts.failed)
            dismissed = min(old?.dismissed ?? 0, failed)
            below.troubles = failed - dismissed
            return
        }
        (children, failed) = (bounded(part.children), bounded(part.failedChildren))
        (unfinished, lost) = (bounded(part.unfinishedChildren), bounded(part.lostChildren))
        below.counts.waiting = bounded(part.waiting)
        below.counts.running = bounded(part.running)
        below.counts.lost = bounded(part.lost)
        below.live = below.counts.waiting + below.counts.running
        (below.running, below.stalled) = (bounded(part.atWork), bounded(part.stalled))
        (below.troubles, below.alarms) = (bounded(part.troubles), bounded(part.alarms))
        below.activeWorkers = bounded(part.activeWorkers)
        below.unmovedWorkers = bounded(part.unmovedWorkers)
    }

    /// So many more of the failed ones need no attention.
    mutating func dismiss(_ count: Int) {
        let all = min(dismissed + count, failed)
        below.troubles -= all - dismissed
        dismissed = all
    }

    /// What has not ended is lost, as its broker is not heard.
    ///
    /// The part is lost too, which is the one trouble of that.
    mutating func lose() {
        below.counts.lost += below.live
        (below.counts.waiting, below.counts.running) = (0, 0)
        (below.live, below.running, below.stalled, below.alarms) = (0, 0, 0, 0)
        (below.activeWorkers, below.unmovedWorkers) = (0, 0)
        (lost, unfinished) = (lost + unfinished, 0)
    }
}
