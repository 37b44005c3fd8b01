// Written by hand like the rows beside which they are published.

extension WireUpdate {
    /// Writes all but rows.
    func write(to update: inout MessageWriter) {
        update.fixed(1, epoch)
        update.number(2, sequence)
        update.number(3, previous)
        update.double(4, time)
        update.truth(5, settling)
        for removed in removed {
            update.message(7) {
                if removed.hasTask { $0.message(1) { removed.task.write(to: &$0) } }
                $0.text(2, removed.reason)
            }
        }
        if hasTotals { update.message(8) { totals.write(to: &$0) } }
        for task in attention { update.message(9) { task.write(to: &$0) } }
        update.binary(10, stateBytes)
        for line in logs {
            update.message(11) {
                if line.hasTask { $0.message(1) { line.task.write(to: &$0) } }
                $0.text(2, line.text)
                $0.double(3, line.time)
            }
        }
    }
}

extension WireTotals {
    fileprivate func write(to totals: inout MessageWriter) {
        if hasJobs { totals.message(1) { jobs.write(to: &$0) } }
        if hasTasks { totals.message(2) { tasks.write(to: &$0) } }
        totals.number(3, needingAttention)
        totals.number(4, UInt64(highestSlot))
        totals.number(5, sessions)
        totals.text(6, version)
        totals.double(7, uptime)
        totals.number(8, refused)
        totals.number(9, unattached)
    }
}

extension WireCounts {
    fileprivate func write(to counts: inout MessageWriter) {
        counts.number(1, waiting)
        counts.number(2, running)
        counts.number(3, succeeded)
        counts.number(4, failed)
        counts.number(5, cancelled)
        counts.number(6, lost)
    }
}
