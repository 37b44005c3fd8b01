import BusProtocol
import HeapModule
import TaskTree
import TimeLeft

/// Rows: what viewers see of a task.
extension BrokerMachine {
    /// What viewers see of a task that this session reports.
    func row(
        _ view: TaskView,
        record: TaskRecord,
        of reporter: Session?,
        isDescribed: Bool,
        now: Moment
    ) -> WireRow {
        let (observation, process) = (record.observation, reporter?.hello.process)
        var row = WireRow()
        row.task = WireTaskRef(view.id)
        row.sequence = max(record.descriptionStep, record.progressStep) &* Self.stride
        if isDescribed {
            var description = WireRowDescription(view)
            if !record.key.isEmpty { description.key = record.key }
            if let slot = record.slot {
                description.slot = UInt32(clamping: board.pages.shown(slot: slot))
            }
            if let place = record.place { description.place = UInt32(clamping: place) }
            if let cell = record.cell { description.cell = UInt32(clamping: cell) }
            if view.state != .waiting, let process { description.process = process }
            description.elsewhere = reporter?.way.broker != nil && view.parent != nil
            row.description_p = description
        }
        var progress = WireRowProgress(view)
        progress.displayFraction = observation.displayFraction(at: now)
        if let rate = observation.rate(at: now) { progress.rate = rate }
        if let left = observation.secondsLeft(at: now) { progress.secondsLeft = left }
        progress.totalBefore = observation.totalBefore ?? 0
        if view.state.isEnded {
            progress.ended = record.statedEnd ?? unix(observation.ended ?? now)
        }
        // A ticket that nobody has redeemed may be cancelled, but has not begun.
        if view.state != .waiting, view.attempt > 0 {
            let stated = view.description.begun
            progress.begun = stated > 0 ? stated : unix(observation.begun)
            progress.active = observation.active(at: now)
            progress.advanced = unix(observation.lastAdvance)
            if progress.hasEnded, let seen = observation.ended {
                // Counted back from the end that viewers are told, which may be by another clock.
                let before = seen.seconds(since: observation.lastAdvance)
                progress.advanced = Self.shownTime(progress.ended - before)
            }
        }
        if view.isSilent, let process, reporter?.isStopped == true {
            progress.note = "stopped: kill -CONT \(process.pid) lets it go on"
        }
        if let earlier = board.jobs[view.id]?.earlierRuns {
            let notes = progress.note.isEmpty ? [earlier.words] : [progress.note, earlier.words]
            progress.note = notes.joined(separator: "; ").limited(toUTF8: ProtocolLimits.noteBytes)
        }
        if view.state == .lost, let process {
            if process.hasExitStatus { progress.exitStatus = process.exitStatus }
            if process.hasExitSignal { progress.exitSignal = process.exitSignal }
        }
        row.progress = progress
        return row
    }

    func totals(now: Moment) -> WireTotals {
        var totals = WireTotals()
        // Folded children count, as in the rows: folding changes no number.
        var (jobs, tasks) = (tree.totals.jobs, tree.totals.tasks)
        let others = board.fleet.totals
        jobs.add(others.jobs, times: 1)
        tasks.add(others.tasks, times: 1)
        totals.jobs = WireCounts(jobs)
        totals.tasks = WireCounts(tasks)
        totals.needingAttention = WireCounts.count(
            tree.totals.needingAttention &+ others.needingAttention
        )
        let highest = board.slots.highestUsed
        let shown = highest == 0 ? 0 : board.pages.highest(own: highest)
        totals.highestSlot = UInt32(clamping: max(shown, board.fleet.highestSlot))
        totals.sessions = UInt64(clamping: sessions.admissions.workers)
        totals.version = configuration.version
        totals.uptime = now.seconds(since: clock.began)
        totals.refused = sessions.refused
        totals.unattached = UInt64(knownTasks.unattachedSince.count)
        return totals
    }

    /// The first thousand tasks that need attention, by id.
    func attentionList() -> [WireTaskRef] {
        // There may be very many: only the first ones are put in order.
        var first = Heap<TaskID>()
        for id in publication.attention {
            if first.count < 1_000 {
                first.insert(id)
            } else if let last = first.max, id < last {
                first.replaceMax(with: id)
            }
        }
        return first.unordered.sorted().map { WireTaskRef($0) }
    }

    /// A byte for each cell of a block, without the empty ones at its end.
    func states(of job: TaskID, block: Int) -> [UInt8] {
        guard board.jobs[job] != nil else { return [] }
        let first = block * ProtocolLimits.stateCells + 1
        var bytes = (first..<(first + ProtocolLimits.stateCells)).map {
            state(inCell: $0, of: job)
        }
        while bytes.last == 0 { bytes.removeLast() }
        return bytes
    }

    /// The byte of one cell; 0 for an empty one.
    func state(inCell cell: Int, of job: TaskID) -> UInt8 {
        guard let id = board.jobs[job]?.taskInCell[cell], let view = tree.view(id) else { return 0 }
        let mosaicCell = MosaicCell(
            view.state,
            isStalled: view.isStalled,
            isSilent: view.isSilent,
            needsAttention: view.needsAttention,
            fraction: view.isIndeterminate ? 0 : view.fraction
        )
        return mosaicCell.byte
    }
}
