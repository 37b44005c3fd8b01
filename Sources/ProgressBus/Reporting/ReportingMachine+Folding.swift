import BusProtocol
import TaskTree

/// Ended children are folded into sums of their parent, so that millions of them cost nothing.
extension ReportingMachine {
    /// Folds a child that no frame has named and that lived for less than a tick.
    ///
    /// A failed child keeps its row, for its reason.
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
        // A few at a time: a child that cannot be folded yet goes to the end and is tried again
        // later.
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

    /// Folds one ended child, with all below it, into its parent's sums; false if it cannot be
    /// folded.
    ///
    /// Folding must not change a number. So an unfinished task, a ticket or a redeemer of a ticket
    /// is not folded; a child with something below it is folded only if it has succeeded and its
    /// parent expects no number of children. A child that names a host is folded only when more
    /// than `mostEnded` ended tasks are kept, because a fold loses the host. A child that is not
    /// `isCounted` leaves no trace in the sums.
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
        // A fold does not tell children from what was below them, so a parent that expects a
        // number of children would count too many.
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
        // A child that was never sent needs no entry: no late frame can name it.
        changed(removing: record.wasStated ? [record.index] : [])
        self.number = number
        return true
    }
}
