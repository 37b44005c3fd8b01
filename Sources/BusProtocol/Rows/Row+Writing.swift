import TaskTree

// The numbers are those of the fields in the schema.
extension Row {
    /// Writes what a `WireRow` with the same content serializes to.
    func write(to row: inout MessageWriter) {
        row.message(1) { $0.reference(task.id) }
        row.number(2, sequence)
        if isDescribed { row.message(3) { writeDescription(to: &$0) } }
        row.message(4) { writeProgress(to: &$0) }
    }

    private func writeDescription(to row: inout MessageWriter) {
        if let parent = task.parent { row.message(1) { $0.reference(parent) } }
        if let job = task.job { row.message(2) { $0.reference(job) } }
        row.text(3, key)
        row.number(4, slot.map { UInt32(clamping: $0) })
        row.number(5, place.map { UInt32(clamping: $0) })
        row.number(6, cell.map { UInt32(clamping: $0) })
        row.text(7, task.description.title)
        row.text(8, task.description.unit)
        row.truth(9, task.description.style == .spinner)
        row.truth(10, task.description.isBackground)
        row.text(11, task.description.tint)
        row.truth(12, task.description.isCancellable)
        row.truth(13, task.description.isPausable)
        row.text(14, task.description.consequence)
        if task.parent != nil { row.zigzag(15, Optional(task.description.effectiveShare)) }
        row.number(16, UInt64(task.attempt))
        if let process { row.message(17) { process.write(to: &$0) } }
        row.zigzag(18, task.description.expectedChildren)
        row.number(19, UInt64(clamping: task.depth))
        row.double(20, task.description.expectedGap)
        row.truth(21, task.parent == nil && task.description.parent != .none)
        row.number(22, UInt64(clamping: task.earlierAttempts))
    }

    private func writeProgress(to row: inout MessageWriter) {
        row.number(1, UInt64(task.state.wire.rawValue))
        row.truth(2, task.isStalled)
        row.truth(3, task.isSilent)
        row.truth(4, task.needsAttention)
        row.truth(5, task.isIndeterminate)
        row.truth(6, task.description.totalIsEstimate)
        row.double(7, task.fraction)
        row.double(8, displayFraction)
        row.zigzag(9, task.amounts.completed)
        row.zigzag(10, task.amounts.total)
        row.double(11, rate)
        row.double(12, secondsLeft)
        row.double(13, begun)
        row.double(14, ended)
        row.double(15, active)
        row.double(16, advanced)
        row.text(17, task.detail)
        row.text(18, task.reason)
        row.signed(19, exitStatus.map(Int64.init))
        row.signed(20, exitSignal.map(Int64.init))
        row.message(21) { task.counts.write(to: &$0) }
        row.number(22, WireCounts.count(task.attention))
        row.number(23, WireCounts.count(task.foldedChildren))
        row.text(24, task.note)
        for sum in task.sums.prefix(UnitSum.limit) { row.message(25) { sum.write(to: &$0) } }
        row.zigzag(26, totalBefore ?? 0)
    }
}

extension MessageWriter {
    fileprivate mutating func reference(_ id: TaskID) {
        number(1, id.index)
        fixed(2, id.session.rawValue)
    }
}

extension StateCounts {
    fileprivate func write(to counts: inout MessageWriter) {
        counts.number(1, WireCounts.count(waiting))
        counts.number(2, WireCounts.count(running))
        counts.number(3, WireCounts.count(succeeded))
        counts.number(4, WireCounts.count(failed))
        counts.number(5, WireCounts.count(cancelled))
        counts.number(6, WireCounts.count(lost))
    }
}

extension UnitSum {
    fileprivate func write(to sum: inout MessageWriter) {
        sum.text(1, unit)
        sum.zigzag(2, completed)
        sum.zigzag(3, total)
    }
}

extension WireProcess {
    fileprivate func write(to process: inout MessageWriter) {
        process.text(1, host)
        if pid != 0 { process.signed(2, pid) }
        process.text(3, command)
        process.text(4, bootID)
        process.text(5, pidNamespace)
        process.number(6, startTime)
        if hasExitStatus { process.signed(7, Int64(exitStatus)) }
        if hasExitSignal { process.signed(8, Int64(exitSignal)) }
    }
}
