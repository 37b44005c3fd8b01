import TaskTree

/// The part of the tree that is in this process, and when a session may forget it.
extension ReportingMachine {
    /// Links a new task below its parent.
    mutating func attach(_ record: ReportedTask, below above: ReportedTask) {
        let sibling = above.firstChild
        record.nextSibling = sibling
        if sibling != 0 { tasks[sibling]?.previousSibling = record.index }
        above.ownFamily.firstChild = record.index
        guard !record.isTicket else { return }
        above.ownFamily.unfinished += 1
        if above.isHeldByChildren { holdWithChildren(above.index, at: record.times.begun) }
        tasks.unsettle(above)
    }

    /// Takes one record out; its children must be gone already.
    mutating func remove(_ record: ReportedTask) {
        let index = record.index
        tasks[index] = nil
        record.retire()
        if record.ending.number != 0 { endings.unacknowledged.remove(index) }
        if record.fold != nil { endings.unacknowledgedFolds.remove(index) }
        if record.redeemedTicket != nil {
            redemptions[index] = nil
            unanswered[index] = nil
        }
        if record.isEnded { endings.kept -= 1 }
        if record.previousSibling != 0 {
            tasks[record.previousSibling]?.nextSibling = record.nextSibling
        } else if record.parent != 0 {
            tasks[record.parent]?.ownFamily.firstChild = record.nextSibling
        }
        if record.nextSibling != 0 {
            tasks[record.nextSibling]?.previousSibling = record.previousSibling
        }
        if record.parent != 0, !record.isTicket, !record.ending.isSettled {
            tasks[record.parent]?.ownFamily.unsettled -= 1
        }
        record.release()
    }

    /// Forgets a task with all that is below it.
    mutating func forget(_ index: UInt64) {
        for record in tasks.subtree(of: index).reversed() { remove(record) }
    }

    /// Marks the topmost task above a ticket, which the session then keeps after its end.
    ///
    /// The issuer never learns whether a ticket was redeemed, so every later broker must hear of
    /// it.
    mutating func noteTicket(below index: UInt64) {
        var current = index
        while let record = tasks[current] {
            if record.isTopmost { record.ownFamily.hasTickets = true }
            current = record.parent
        }
    }

    /// Notes that something about a task was acknowledged; forgets its job once all of it is.
    mutating func settle(_ index: UInt64) {
        var current = index
        while let record = tasks[current], !record.ending.isSettled, record.isEnded,
            !endings.unacknowledged.contains(current), (record.family?.unsettled ?? 0) == 0,
            record.fold?.isAcknowledged ?? true, unanswered[current] == nil
        {
            record.ending.isSettled = true
            guard record.parent != 0 else {
                if record.family?.hasTickets != true { forget(current) }
                return
            }
            tasks[record.parent]?.ownFamily.unsettled -= 1
            current = record.parent
        }
    }

    /// Forgets the oldest ended jobs beyond the limit.
    mutating func limitEndedJobs() {
        var looks = 4
        while endings.jobs.count > Self.endedJobsLimit, looks > 0 {
            looks -= 1
            let oldest = endings.jobs.removeFirst()
            guard let job = tasks[oldest] else { continue }
            guard tasks.isOver(job) else {
                endings.jobs.append(oldest)
                continue
            }
            let before = endings.unacknowledged.count
            forget(oldest)
            endings.dropped += before - endings.unacknowledged.count
        }
    }
}
