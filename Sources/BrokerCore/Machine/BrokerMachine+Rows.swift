import BusProtocol
import TaskTree

/// Rows: what viewers see of a task.
extension BrokerMachine {
    func row(
        _ view: TaskView,
        record: TaskRecord,
        process: WireProcess?,
        isDescribed: Bool,
        now: Moment
    ) -> Row {
        let observation = record.observation
        var row = Row(
            task: view,
            sequence: max(record.descriptionStep, record.progressStep) &* Self.stride,
            isDescribed: isDescribed
        )
        if isDescribed {
            row.key = record.key.isEmpty ? view.description.key : record.key
            row.slot = record.slot
            row.place = record.place
            row.cell = record.cell
            if view.state != .waiting { row.process = process }
        }
        row.displayFraction = observation.displayFraction(at: now)
        row.rate = observation.rate(at: now)
        row.secondsLeft = observation.secondsLeft(at: now)
        row.totalBefore = observation.totalBefore
        if view.state.isEnded { row.ended = record.statedEnd ?? unix(observation.ended ?? now) }
        // A ticket that nobody has redeemed may be cancelled, but has not begun.
        if view.state != .waiting, view.attempt > 0 {
            let stated = view.description.begun
            row.begun = stated > 0 ? stated : unix(observation.begun)
            row.active = observation.active(at: now)
            row.advanced = unix(observation.lastAdvance)
            if let ended = row.ended, let seen = observation.ended {
                // By the clock of who says when it ended.
                let before = seen.seconds(since: observation.lastAdvance)
                row.advanced = Self.shownTime(ended - before)
            }
        }
        if view.isSilent, let session = sessions[view.reporter.session], session.isStopped {
            row.task.note = "stopped: kill -CONT \(session.hello.process.pid) lets it go on"
        }
        if let earlier = jobRecords[view.id]?.earlierRuns {
            let notes = row.task.note.isEmpty ? [earlier.words] : [row.task.note, earlier.words]
            row.task.note = notes.joined(separator: "; ").limited(toUTF8: ProtocolLimits.noteBytes)
        }
        if view.state == .lost, let process {
            if process.hasExitStatus { row.exitStatus = process.exitStatus }
            if process.hasExitSignal { row.exitSignal = process.exitSignal }
        }
        return row
    }

    private func wire(_ counts: StateCounts) -> WireCounts {
        var wire = WireCounts()
        wire.waiting = WireCounts.count(counts.waiting)
        wire.running = WireCounts.count(counts.running)
        wire.succeeded = WireCounts.count(counts.succeeded)
        wire.failed = WireCounts.count(counts.failed)
        wire.cancelled = WireCounts.count(counts.cancelled)
        wire.lost = WireCounts.count(counts.lost)
        return wire
    }

    func totals(now: Moment) -> WireTotals {
        var totals = WireTotals()
        // Folded children count, as in the rows: folding changes no number.
        let (jobs, tasks, needingAttention) = tree.tally()
        totals.jobs = wire(jobs)
        totals.tasks = wire(tasks)
        totals.needingAttention = WireCounts.count(needingAttention)
        totals.highestSlot = UInt32(clamping: slots.highestUsed)
        totals.sessions = UInt64(clamping: admissions.workers)
        totals.version = configuration.version
        totals.uptime = now.seconds(since: began)
        totals.refused = refused
        totals.unattached = UInt64(unattachedSince.count)
        return totals
    }

    /// The first thousand tasks that need attention, by id.
    func attentionList() -> [WireTaskRef] {
        attention.sorted().prefix(1_000).map { WireTaskRef($0) }
    }

    /// A byte for each cell of a block, without the empty ones at its end.
    func states(of job: TaskID, block: Int) -> [UInt8] {
        guard jobRecords[job] != nil else { return [] }
        let first = block * ProtocolLimits.stateCells + 1
        var bytes = (first..<(first + ProtocolLimits.stateCells)).map {
            state(inCell: $0, of: job)
        }
        while bytes.last == 0 { bytes.removeLast() }
        return bytes
    }

    /// 0 for an empty cell, else 1 + state, with marks in the high bits.
    func state(inCell cell: Int, of job: TaskID) -> UInt8 {
        guard let id = jobRecords[job]?.taskInCell[cell], let view = tree.view(id) else { return 0 }
        var byte = UInt8(1 + view.state.wire.rawValue)
        if view.isStalled { byte |= 0x10 }
        if view.isSilent { byte |= 0x20 }
        if view.needsAttention { byte |= 0x40 }
        return byte
    }
}
