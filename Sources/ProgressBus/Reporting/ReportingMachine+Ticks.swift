import BusProtocol
import Synchronization
import TaskTree

/// The running state of tasks, conflated into one frame per tick.
extension ReportingMachine {
    /// How long the first change after a rest waits for company, in nanoseconds.
    static let gathering: Int64 = 5_000_000

    /// Puts a task into the changed list.
    ///
    /// Without a conversation there is no list, because a keyframe will report everything. The mark
    /// is set all the same, so that the task's next steps cost one test.
    mutating func list(_ index: UInt64, at now: Moment) {
        guard let record = tasks[index] else { return }
        list(record, at: now)
    }

    mutating func list(_ record: ReportedTask, at now: Moment) {
        guard !record.isEnded else { return }
        record.mark()
        guard link.isReporting else { return }
        if !record.isListed {
            record.isListed = true
            reports.changed.append(record.index)
        }
        scheduleTick(at: now)
    }

    mutating func scheduleTick(at now: Moment) {
        guard link.isReporting, reports.tickDue == nil else { return }
        let soonest = now.later(by: min(Self.gathering, tick))
        reports.tickDue = reports.lastTick.map { max($0.later(by: tick), soonest) } ?? soonest
    }

    /// The next report, if one is due.
    mutating func nextReport(at now: Moment) -> WireReport? {
        guard link.isReporting else { return nil }
        if let blocked = reports.blockedUntil {
            guard now >= blocked else { return nil }
            reports.blockedUntil = nil
        }
        if let keyframe = nextKeyframeChunk(at: now) { return keyframe }
        guard let due = reports.tickDue, now >= due else { return nil }
        return continueTick(at: now)
    }

    private mutating func continueTick(at now: Moment) -> WireReport? {
        if reports.progress == nil { reports.lastTick = now }
        var progress = reports.progress ?? TickProgress()
        var frame = ReportBuilder(
            room: ReportingFrame.bytes,
            session: identity.session,
            wallOffset: wallOffset
        )
        frame.add(logs: reports.logs.take(bytes: ReportingFrame.bytes / 2))
        while progress.cursor < reports.changed.count, frame.hasRoom {
            let index = reports.changed[progress.cursor]
            progress.cursor += 1
            if examine(index, into: &frame, at: now) {
                reports.changed[progress.kept] = index
                progress.kept += 1
            }
        }
        reports.progress = progress
        let isDone = progress.cursor == reports.changed.count && reports.logs.isEmpty
        guard !frame.isEmpty else {
            // An empty frame always has room, so the loop has come to the end of the list.
            endTick(at: now)
            return nil
        }
        reports.endsTick = isDone
        var report = frame.report()
        return take(&report)
    }

    /// Puts what changed about a task into the frame; returns whether it stays in the list.
    ///
    /// A task that did not move leaves the list without its mark, so that its next step tells the
    /// machine.
    private mutating func examine(
        _ index: UInt64,
        into frame: inout ReportBuilder,
        at now: Moment
    ) -> Bool {
        guard let record = tasks[index] else { return false }
        record.take(record.reading, at: now)
        guard !record.isEnded else {
            record.isListed = false
            return false
        }
        if record.news.isEmpty {
            // The task may have moved before its mark was taken off.
            record.take(record.unmark(), at: now)
            guard !record.news.isEmpty else {
                record.isListed = false
                return false
            }
            record.mark()
        }
        frame.add(record, record.news, at: now)
        record.news = []
        record.wasStated = true
        return true
    }

    private mutating func endTick(at now: Moment) {
        dropUnmoved()
        reports.completed += 1
        let isOver = reports.changed.isEmpty && reports.logs.isEmpty && waiters.isEmpty
        reports.tickDue = isOver ? nil : now.later(by: tick)
    }

    /// Gives a report its credential and sequence, and keeps it in hand until `reportTaken`.
    mutating func take(_ report: inout WireReport) -> WireReport {
        report.credentialBytes = identity.credential
        report.sequence = nextSequence()
        reports.inHand = report
        return report
    }

    /// Whether libzmq has taken the report that `next` gave out.
    mutating func reportTaken(_ isTaken: Bool, at now: Moment) {
        guard let report = reports.inHand else { return }
        reports.inHand = nil
        if isTaken {
            reports.lastSent = report.sequence
            if report.keyframe != 0, report.keyframe == reports.keyframe?.number {
                keyframeChunkTaken(isLast: report.keyframeLast, at: now)
            } else if reports.endsTick {
                endTick(at: now)
            }
            reports.endsTick = false
            return
        }
        reports.endsTick = false
        reports.blockedUntil = now.later(by: tick)
        if report.keyframe != 0 {
            // The chunk is sent as it is at the next tick: what changes meanwhile is news again.
            if report.keyframe == reports.keyframe?.number { reports.keyframe?.unsent = report }
            return
        }
        putBack(report)
        abandonTick(at: now)
    }

    /// Makes the contents of a report that could not be sent news again.
    private mutating func putBack(_ report: WireReport) {
        for index in report.amountIndex { tasks[index]?.news.insert(.amounts) }
        for index in report.detailIndex { tasks[index]?.news.insert(.detail) }
        for description in report.descriptions {
            tasks[description.index]?.news.insert(.description)
        }
        for state in report.states { tasks[state.index]?.news.insert(.state) }
        let lines = report.logs.map {
            LogTail.Line(index: $0.task.index, text: $0.text, time: $0.time)
        }
        reports.logs.putBack(lines)
    }

    /// Takes the tasks that have not moved in this tick out of the list.
    private mutating func dropUnmoved() {
        guard let progress = reports.progress else { return }
        reports.changed.removeSubrange(progress.kept..<progress.cursor)
        reports.progress = nil
    }

    private mutating func abandonTick(at now: Moment) {
        dropUnmoved()
        // While nothing can be sent, the list would otherwise fill with forgotten tasks.
        reports.changed.removeAll { tasks[$0] == nil }
        reports.tickDue = now.later(by: tick)
    }
}
