import BusProtocol
import Synchronization
import TaskTree

/// What the code of this process says about its tasks.
extension ReportingMachine {
    /// Begins a task below another of this session, or below none of it (0); returns its index.
    @discardableResult
    mutating func begin(_ record: ReportedTask, below parent: UInt64, at now: Moment) -> UInt64 {
        lastIndex += 1
        let index = lastIndex
        record.begin(index, at: now)
        guard !isClosed else {
            record.retire()
            return index
        }
        let above = parent == 0 ? nil : tasks[parent]
        if let above {
            record.parent = above.index
            // Requests in force for the parent hold for children that it begins afterwards too.
            let asked = above.requests.load(ordering: .acquiring)
            if asked != 0 { record.requests.store(asked, ordering: .releasing) }
            if above.passesCancelOn {
                record.passesCancelOn = true
                if record.options.isCancellable { record.insert(.cancel) }
            }
            if !above.host.isEmpty, record.host.isEmpty, !record.isTicket {
                var description = record.description(in: identity.session)
                description.options.host = above.host
                record.describe(description)
            }
        } else if parent != 0, record.described == nil {
            // This session has forgotten the parent, but viewers may still know it.
            var description = record.description(in: identity.session)
            description.parent = .task(TaskID(index: parent, session: identity.session))
            record.describe(description)
        }
        if let ticket = record.redeemedTicket {
            redemptions[index] = Redemption(ticket: ticket)
            unanswered[index] = now
        }
        tasks[index] = record
        if let above { attach(record, below: above) }
        list(record, at: now)
        if record.isTicket {
            noteTicket(below: record.parent)
            promise(record, at: now)
        }
        return index
    }

    /// Changes the rarely changing fields of a task that has not ended.
    mutating func describe(
        _ index: UInt64,
        at now: Moment,
        _ change: (inout TaskDescription) -> Void
    ) {
        guard let record = tasks[index], !record.isEnded else { return }
        var description = record.description(in: identity.session)
        change(&description)
        record.describe(description)
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
        record.times.lastAdvance = now
        record.news.insert(.detail)
        list(index, at: now)
    }

    mutating func log(_ text: String, of index: UInt64, at now: Moment) {
        guard let record = tasks[index] else { return }
        record.hasLogged = true
        let time = wallTime(at: now)
        reports.logs.append(LogTail.Line(index: index, text: text, time: time))
        scheduleTick(at: now)
    }

    /// Pauses a task or lets it run again, as its process reports it.
    mutating func setPaused(_ isPaused: Bool, _ index: UInt64, at now: Moment) {
        guard let record = tasks[index], !record.isEnded,
            (record.state == .paused) != isPaused
        else { return }
        if isPaused {
            record.state = .paused
            record.times.pausedSince = now
        } else {
            record.state = .running
            record.times.endPause(at: now)
            record.isHeldByChildren = false
        }
        record.news.insert(.state)
        list(index, at: now)
        // The row goes over control as well, where it need not wait for the tick.
        queueRow(index, isEarly: true, at: now)
        guard record.parent != 0, !record.isTicket else { return }
        tasks[record.parent]?.ownFamily.paused += isPaused ? 1 : -1
        holdWithChildren(record.parent, at: now)
    }

    /// Pauses a task that was asked to pause once all its unfinished children are paused; ends such
    /// a pause when that is no longer so.
    mutating func holdWithChildren(_ index: UInt64, at now: Moment) {
        guard let record = tasks[index], !record.isEnded, let family = record.family else { return }
        let allHold = family.unfinished > 0 && family.paused == family.unfinished
        if allHold, record.state == .running, record.requested(.pause) {
            record.isHeldByChildren = true
            setPaused(true, index, at: now)
        } else if !allHold, record.isHeldByChildren, record.holders == 0 {
            setPaused(false, index, at: now)
        }
    }
}
