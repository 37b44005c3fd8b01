/// A session's fold under one parent, as sums take it.
struct StoredFold: Sendable {
    let version: UInt64
    let share: Int64
    let weighted: Int128
    /// Children that exist or existed; for a session's own fold, all folded tasks.
    let children: Int
    private(set) var unfinished = 0
    let failed: Int
    private(set) var lost = 0
    private(set) var runningChildren = RunningChildren()
    /// All folded tasks.
    private(set) var below = Descendants()
    /// How many failed children a user had dismissed before their session folded them.
    private(set) var dismissed = 0

    /// Takes over a peer's numbers, held within bounds.
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
        (children, failed) = (bounded(part.begun), bounded(part.failed))
        (unfinished, lost) = (bounded(part.unfinished), bounded(part.lost))
        for number in Descendants.numbersBesideEndings {
            below[keyPath: number] = bounded(part.tasks[keyPath: number])
        }
        let running = part.running
        runningChildren.count = bounded(running.count)
        runningChildren.share = min(max(running.share, 0), Int128(Int64.max))
        runningChildren.weighted = Self.weight(running.weighted, of: runningChildren.share)
        runningChildren.mute = min(max(running.mute, 0), Int128(Int64.max))
    }

    /// A sum of share · fraction, each fraction between 0 and 1.
    private static func weight(_ weighted: Int128, of share: Int128) -> Int128 {
        min(max(weighted, 0), share << FixedPoint.bits)
    }

    /// Counts up to `count` more of the failed children as dismissed: they need no attention.
    mutating func dismiss(_ count: Int) {
        let more = min(count, failed - dismissed, below.troubles)
        dismissed += more
        below.troubles -= more
    }

    /// Counts the unfinished tasks as lost, as their broker is not heard.
    mutating func lose() {
        below.counts.lost += below.counts.waiting + below.counts.running
        (below.counts.waiting, below.counts.running) = (0, 0)
        (below.live, below.running, below.stalled, below.alarms) = (0, 0, 0, 0)
        (below.activeWorkers, below.unmovedWorkers) = (0, 0)
        (lost, unfinished) = (lost + unfinished, 0)
        runningChildren = RunningChildren()
    }
}

extension Descendants {
    /// The counts that a fold has only in its `PartBelow`.
    fileprivate static var numbersBesideEndings: [WritableKeyPath<Descendants, Int>] {
        [
            \.counts.waiting, \.counts.running, \.counts.lost, \.live, \.running, \.stalled,
            \.troubles, \.alarms, \.activeWorkers, \.unmovedWorkers,
        ]
    }
}
