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
    private(set) var runningChildren = RunningChildren()
    /// All that is folded.
    private(set) var below = Descendants()
    /// How many failed children a user had dismissed before their session folded them.
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
        weighted = Self.weight(fold.weighted, of: Int128(share))
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
        below.live = bounded(part.live)
        (below.running, below.stalled) = (bounded(part.advancing), bounded(part.stalled))
        (below.troubles, below.alarms) = (bounded(part.troubles), bounded(part.alarms))
        below.activeWorkers = bounded(part.activeWorkers)
        below.unmovedWorkers = bounded(part.unmovedWorkers)
        runningChildren.count = bounded(part.runningChildren)
        let runningShare = Int128(max(part.runningShare, 0))
        runningChildren.share = runningShare
        runningChildren.weighted = Self.weight(part.runningWeighted, of: runningShare)
        runningChildren.mute = Int128(max(part.muteShare, 0))
    }

    /// A sum of share · fraction, each fraction between 0 and 1.
    private static func weight(_ weighted: Int128, of share: Int128) -> Int128 {
        min(max(weighted, 0), share << FixedPoint.bits)
    }

    /// So many more of the failed ones need no attention.
    mutating func dismiss(_ count: Int) {
        let more = min(count, failed - dismissed, below.troubles)
        dismissed += more
        below.troubles -= more
    }

    /// What has not ended is lost, as its broker is not heard.
    mutating func lose() {
        below.counts.lost += below.counts.waiting + below.counts.running
        (below.counts.waiting, below.counts.running) = (0, 0)
        (below.live, below.running, below.stalled, below.alarms) = (0, 0, 0, 0)
        (below.activeWorkers, below.unmovedWorkers) = (0, 0)
        (lost, unfinished) = (lost + unfinished, 0)
        runningChildren = RunningChildren()
    }
}
