import BusProtocol
import TaskTree

/// Rows: what viewers see of a task.
extension BrokerMachine {
    /// Units whose sums a row carries: a tree with more has no sum that anybody reads, and a
    /// chunk of rows must stay below the size of a frame.
    private static var unitSumsPerRow: Int { 16 }

    func row(
        _ view: TaskView,
        record: TaskRecord,
        isDescribed: Bool,
        now: Moment
    ) -> WireRow {
        var row = WireRow()
        row.task = WireTaskRef(view.id)
        row.sequence = max(record.descriptionStep, record.progressStep) &* Self.stride
        if isDescribed { row.description_p = description(view, record: record) }
        row.progress = progress(view, record: record, now: now)
        return row
    }

    private func description(_ view: TaskView, record: TaskRecord) -> WireRowDescription {
        var row = WireRowDescription()
        let words = view.description
        if let parent = view.parent { row.parent = WireTaskRef(parent) }
        if let job = view.job { row.job = WireTaskRef(job) }
        row.key = record.key.isEmpty ? words.key : record.key
        if let slot = record.slot { row.slot = UInt32(clamping: slot) }
        if let place = record.place { row.place = UInt32(clamping: place) }
        if let cell = record.cell { row.cell = UInt32(clamping: cell) }
        row.title = words.title
        row.unit = words.unit
        row.style = words.style == .spinner ? .spinner : .bar
        row.background = words.isBackground
        row.tint = words.tint
        row.cancellable = words.isCancellable
        row.pausable = words.isPausable
        row.consequence = words.consequence
        if view.parent != nil { row.share = words.effectiveShare }
        row.attempt = view.attempt
        if view.state != .waiting, let session = sessions[view.reporter.session] {
            row.process = session.hello.process
        }
        if let expected = words.expectedChildren { row.expectedChildren = expected }
        row.depth = UInt32(clamping: view.depth)
        if let gap = words.expectedGap { row.expectedGap = gap }
        row.orphan = view.parent == nil && words.parent != .none
        row.earlierAttempts = UInt32(clamping: view.earlierAttempts)
        return row
    }

    private func progress(_ view: TaskView, record: TaskRecord, now: Moment) -> WireRowProgress {
        var row = WireRowProgress()
        let observation = record.observation
        row.state = view.state.wire
        row.stalled = view.isStalled
        row.silent = view.isSilent
        row.needsAttention = view.needsAttention
        row.indeterminate = view.isIndeterminate
        row.totalIsEstimate = view.description.totalIsEstimate
        row.fraction = view.fraction
        row.displayFraction = observation.displayFraction(at: now)
        row.completed = view.amounts.completed
        if let total = view.amounts.total { row.total = total }
        if let rate = observation.rate(at: now) { row.rate = rate }
        if let left = observation.secondsLeft(at: now) { row.secondsLeft = left }
        if view.state != .waiting {
            row.begun = unix(observation.begun)
            row.active = observation.active(at: now)
            row.advanced = unix(observation.lastAdvance)
        }
        if view.state.isEnded {
            row.ended = record.statedEnd ?? unix(observation.ended ?? now)
        }
        row.detail = view.detail
        row.reason = view.reason
        if view.state == .lost, let process = sessions[view.reporter.session]?.hello.process {
            if process.hasExitStatus { row.exitStatus = process.exitStatus }
            if process.hasExitSignal { row.exitSignal = process.exitSignal }
        }
        row.counts = wire(view.counts)
        row.attention = UInt64(clamping: view.attention)
        row.childrenLeftOut = UInt64(clamping: view.foldedChildren)
        row.note = view.note
        row.sums = view.sums.prefix(Self.unitSumsPerRow).map { sum in
            var wire = WireUnitSum()
            wire.unit = sum.unit
            wire.completed = sum.completed
            wire.total = sum.total
            return wire
        }
        if let before = observation.totalBefore { row.totalBefore = before }
        return row
    }

    private func wire(_ counts: StateCounts) -> WireCounts {
        var wire = WireCounts()
        wire.waiting = UInt64(clamping: counts.waiting)
        wire.running = UInt64(clamping: counts.running)
        wire.succeeded = UInt64(clamping: counts.succeeded)
        wire.failed = UInt64(clamping: counts.failed)
        wire.cancelled = UInt64(clamping: counts.cancelled)
        wire.lost = UInt64(clamping: counts.lost)
        return wire
    }

    func totals(now: Moment) -> WireTotals {
        var totals = WireTotals()
        // Folded children count, as in the rows: folding changes no number.
        let (jobs, tasks, needingAttention) = tree.tally()
        totals.jobs = wire(jobs)
        totals.tasks = wire(tasks)
        totals.needingAttention = UInt64(clamping: needingAttention)
        totals.highestSlot = UInt32(clamping: slots.highestUsed)
        totals.sessions = UInt64(
            sessions.values.count { $0.isPresent && !$0.isViewer }
        )
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

extension TaskState {
    var wire: WireShownState {
        switch self {
        case .waiting: .waiting
        case .running: .running
        case .paused: .paused
        case .cancelling: .cancelling
        case .succeeded: .succeeded
        case .failed: .failed
        case .cancelled: .cancelled
        case .lost: .lost
        }
    }
}
