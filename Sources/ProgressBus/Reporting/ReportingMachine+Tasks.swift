import BusProtocol
import Synchronization
import TaskTree

/// What the code of this process says about its tasks.
extension ReportingMachine {
    /// What is known about a task when it begins.
    struct Beginning: Sendable {
        var description: TaskDescription
        var total: Int64?
    }

    /// Begins a task and returns its index.
    mutating func begin(_ beginning: Beginning, cell: TaskCell, at now: Moment) -> UInt64 {
        lastIndex += 1
        let index = lastIndex
        guard !isClosed else {
            cell.retire()
            return index
        }
        let record = TaskRecord(
            index: index,
            cell: cell,
            description: beginning.description,
            now: now
        )
        record.total = beginning.total
        if case .task(let parent) = beginning.description.parent,
            parent.session == identity.session, let above = tasks[parent.index]
        {
            record.parent = above.index
            // Whoever asked for the parent to stop has asked for what it begins afterwards too.
            cell.requests.store(
                above.cell.requests.load(ordering: .acquiring),
                ordering: .releasing
            )
            record.passesCancelOn = above.passesCancelOn
            if above.passesCancelOn, record.description.isCancellable { cell.insert(.cancel) }
        }
        if let ticket = record.redeemedTicket {
            redemptions[index] = Redemption(ticket: ticket, due: now)
            unanswered.insert(index)
        }
        tasks[index] = record
        if record.parent != 0 { attach(record) }
        list(index, at: now)
        if record.isTicket {
            noteTicket(below: record.parent)
            promise(record, at: now)
        }
        return index
    }

    /// A movement was seen while the task was not marked.
    mutating func marked(_ index: UInt64, at now: Moment) {
        guard tasks[index] != nil else { return }
        list(index, at: now)
    }

    /// Changes the rarely changing fields of a task that has not ended.
    mutating func describe(
        _ index: UInt64,
        at now: Moment,
        _ change: (inout TaskDescription) -> Void
    ) {
        guard let record = tasks[index], !record.isEnded else { return }
        change(&record.description)
        record.news.insert(.description)
        list(index, at: now)
    }

    mutating func setTotal(_ total: Int64?, of index: UInt64, at now: Moment) {
        guard let record = tasks[index], !record.isEnded else { return }
        record.total = total
        record.news.insert(.amounts)
        list(index, at: now)
    }

    /// A new detail counts as an advance.
    mutating func setDetail(_ detail: String, of index: UInt64, at now: Moment) {
        guard let record = tasks[index], !record.isEnded, record.detail != detail else { return }
        record.detail = detail
        record.lastAdvance = now
        record.news.insert(.detail)
        list(index, at: now)
    }

    mutating func log(_ text: String, of index: UInt64, at now: Moment) {
        guard let record = tasks[index] else { return }
        record.hasLogged = true
        let time = wallOffset + Double(now.nanoseconds) / 1e9
        reports.logs.append(LogTail.Line(index: index, text: text, time: time))
        scheduleTick(at: now)
    }

    /// The task holds, or runs again, by its own word.
    mutating func setPaused(_ isPaused: Bool, _ index: UInt64, at now: Moment) {
        guard let record = tasks[index], !record.isEnded,
            (record.state == .paused) != isPaused
        else { return }
        if isPaused {
            record.state = .paused
            record.pausedSince = now
        } else {
            record.state = .running
            record.endPause(at: now)
            record.isHeldByChildren = false
        }
        record.news.insert(.state)
        list(index, at: now)
        // Goes over control as well, where it need not wait for the tick.
        queueRow(index, isEarly: true, at: now)
        guard record.parent != 0, !record.isTicket else { return }
        tasks[record.parent]?.pausedChildren += isPaused ? 1 : -1
        holdWithChildren(record.parent, at: now)
    }

    /// A task that was asked to hold does so when all its children do.
    mutating func holdWithChildren(_ index: UInt64, at now: Moment) {
        guard let record = tasks[index], !record.isEnded else { return }
        let allHold =
            record.unfinishedChildren > 0 && record.pausedChildren == record.unfinishedChildren
        if allHold, record.state == .running, record.cell.requested(.pause) {
            record.isHeldByChildren = true
            setPaused(true, index, at: now)
        } else if !allHold, record.isHeldByChildren, record.holders == 0 {
            setPaused(false, index, at: now)
        }
    }

    /// The task's newest numbers, read from its cell.
    func read(_ record: TaskRecord, at now: Moment) {
        let reading = record.cell.reading
        guard reading != record.reading else { return }
        record.reading = reading
        record.lastAdvance = now
        record.news.insert(.amounts)
    }
}
