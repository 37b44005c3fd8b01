import BusProtocol
import TaskTree

/// What is folded away under one parent, and what a broker knows of it.
///
/// A class, so that looking at it copies nothing; it belongs to its task's record and is guarded as that.
final class FoldBook {
    /// Indices kept to be told, as many as one frame may name.
    ///
    /// While there is no room for more, what somebody has heard of keeps its row; only where too
    /// many of those gather, before a broker whose journal fails, the oldest indices are dropped.
    static let removedLimit = ProtocolLimits.removedIndices

    /// `removed` in it stays empty: those are below.
    var folded = FoldedChildren()
    /// Indices some frame has named, not yet acknowledged as removed.
    private(set) var removed: [UInt64] = []
    /// How many have left the front of `removed` so far.
    private(set) var removedBase: UInt64 = 0
    private(set) var version: UInt64 = 0
    private(set) var acknowledgedVersion: UInt64 = 0
    /// The number of its last change among the session's endings.
    var number: UInt64 = 0
    var isQueued = false

    var isAcknowledged: Bool { version == acknowledgedVersion }
    var removedEnd: UInt64 { removedBase + UInt64(removed.count) }

    /// Whether what one frame may name has room for a child and what was folded below it.
    func hasRoom(for record: ReportedTask) -> Bool {
        let named = (record.wasStated ? 1 : 0) + (record.fold?.removed.count ?? 0)
        return named == 0 || removed.count + named <= Self.removedLimit
    }

    func changed(removing indices: [UInt64]) {
        version += 1
        removed.append(contentsOf: indices)
        // Never more than one frame may name, or it could not be told at all. Drops many at a time:
        // each time moves all that are kept.
        if removed.count > Self.removedLimit {
            dropRemoved(removed.count - Self.removedLimit * 9 / 10)
        }
    }

    func acknowledge(version: UInt64, removedEnd: UInt64) {
        acknowledgedVersion = max(acknowledgedVersion, version)
        if removedEnd > removedBase { dropRemoved(Int(removedEnd - removedBase)) }
    }

    private func dropRemoved(_ count: Int) {
        removed.removeFirst(min(count, removed.count))
        removedBase += UInt64(count)
    }

    /// About how many bytes it takes in a frame.
    var estimatedBytes: Int {
        ReportingMachine.entryBytes + 4 * removed.count + 40 * folded.sums.count
    }

    func wire(below parent: UInt64, of session: SessionID) -> WireFold {
        var folded = folded
        folded.removed = removed
        return WireFold(parent: TaskID(index: parent, session: session), folded)
    }
}

/// Ended children are folded into sums of their parent, so that millions of them cost nothing.
extension ReportingMachine {
    /// Folds a child that nobody has heard of and that lived for less than a tick.
    ///
    /// Not one that failed: its reason is worth a row.
    mutating func foldIfShort(
        _ record: ReportedTask,
        into above: ReportedTask,
        at now: Moment
    ) -> Bool {
        guard !record.wasStated, now.nanoseconds - record.times.begun.nanoseconds < tick,
            !record.hasLogged, !record.state.hasFailed, record.firstChild == 0, record.fold == nil
        else { return false }
        return foldAway(record, into: above, at: now)
    }

    /// Folds the oldest ended children of a task beyond the limit, failed ones last.
    mutating func limitEndedChildren(of parent: ReportedTask, atMost count: Int = 4, at now: Moment)
    {
        let limit =
            endings.kept > Self.manyEnded
            ? Self.endedChildrenLimitOfMany : Self.endedChildrenLimit
        // A few at a time: what cannot be folded yet goes to the end and is tried again later.
        let family = parent.ownFamily
        for _ in 0..<count {
            guard family.ended.count > limit, let oldest = family.ended.removeOldest()
            else { return }
            guard let record = tasks[oldest.index] else { continue }
            if !foldAway(record, into: parent, at: now) {
                family.ended.append(oldest.index, hasFailed: oldest.hasFailed)
            }
        }
    }

    /// Folds one ended child, with all below it, into its parent's sums.
    ///
    /// Refused for what would change a number: anything unfinished or issued as a ticket below it,
    /// and, below a child that has not succeeded, anything at all. So is, while not too many are kept,
    /// one that runs elsewhere, for a fold names no host. One that is not `isCounted` leaves no trace
    /// in the sums.
    mutating func foldAway(
        _ record: ReportedTask,
        into above: ReportedTask,
        isCounted: Bool = true,
        at now: Moment
    ) -> Bool {
        guard tasks.isFoldable(record, in: above) else { return false }
        for child in Array(tasks.children(of: record)) {
            guard foldAway(child, into: record, isCounted: isCounted, at: now) else { return false }
        }
        let fold = above.ownFold
        let isElsewhere = isCounted && !record.host.isEmpty
        let isKept = isElsewhere || !fold.hasRoom(for: record)
        guard !isKept || endings.kept > Self.mostEnded else { return false }
        let wasAcknowledged = fold.isAcknowledged
        endings.lastNumber += 1
        guard fold.take(record, isCounted: isCounted, number: endings.lastNumber) else {
            return false
        }
        if wasAcknowledged { endings.unacknowledgedFolds.insert(above.index) }
        remove(record)
        queueFold(above, at: now)
        return true
    }
}

extension SessionTasks {
    fileprivate func isFoldable(_ record: ReportedTask, in above: ReportedTask) -> Bool {
        guard record.isEnded, !record.isTicket, record.redeemedTicket == nil else { return false }
        guard record.firstChild != 0 || record.fold != nil else { return true }
        // Folds count children and what was below them alike: a parent that waits for a number of
        // children would count too many.
        guard record.state == .succeeded,
            above.options.expectedChildren == nil
        else { return false }
        return children(of: record).allSatisfy { isFoldable($0, in: record) }
    }
}

extension FoldBook {
    /// Adds an ended child with what was folded below it; false if it does not fit.
    fileprivate func take(_ record: ReportedTask, isCounted: Bool, number: UInt64) -> Bool {
        if isCounted {
            let amounts = TaskAmounts(completed: record.amount, total: record.total)
            guard
                folded.add(
                    share: record.effectiveShare,
                    unit: record.unit,
                    amounts,
                    record.state
                )
            else { return false }
        }
        if let lower = record.fold {
            folded.include(lower.folded)
            changed(removing: lower.removed)
        }
        // Words about a child that nobody has heard of cannot arrive.
        changed(removing: record.wasStated ? [record.index] : [])
        self.number = number
        return true
    }
}
