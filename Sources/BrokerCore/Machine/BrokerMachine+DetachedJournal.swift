import BusProtocol
import TaskTree
import TimeLeft

/// Detached tasks on disk: a row for each, as of sessions that are gone, but always whole and new.
extension BrokerMachine {
    /// Writes down all that is known of the task, so that nobody else need repeat it.
    mutating func rememberDetached(_ id: TaskID, now: Moment) {
        guard let statement = tree.statement(of: id), var row = lastRow(of: id, reason: "") else {
            return
        }
        if let record = records[id] {
            row.clock = clock(of: record.observation, at: now)
            if record.observation.completed != statement.amounts.completed
                || record.lastDetail != statement.detail
            {
                row.clock.sinceAdvance = 0
            }
        }
        row.time = unix(now)
        row.owner = detached.tasks[id]?.owner ?? ""
        if statement.state.isFinal { note(end: row.time, of: id) }
        remember(row, of: id, version: statement.version)
    }

    /// What runs goes on, its clock as if this broker had been there all the time.
    mutating func restoreDetached(_ row: WireEnding, of id: TaskID, now: Moment) {
        detached.lastIndex = max(detached.lastIndex, id.index)
        let written = min(now, moment(unix: row.time))
        let way = Admissions.Way(member: row.owner.isEmpty ? nil : row.owner)
        detached.add(id, DetachedTask(lastHeard: written, owner: way.member, share: way.owner))
        if row.statedState.isFinal {
            knownTasks.facts[id, default: StatedFacts()].end = row.time
            knownTasks.facts[id, default: StatedFacts()].clock = row.clock
        } else {
            let since = UInt64(max(0, now.seconds(since: written)) * 1_000)
            knownTasks.facts[id, default: StatedFacts()].clock = row.clock.later(by: since)
            watchSilence(of: id)
        }
    }
}

extension WireClock {
    /// What it says so many milliseconds later, of a task that was never paused.
    fileprivate func later(by milliseconds: UInt64) -> WireClock {
        var clock = self
        clock.elapsed = min(elapsed, ProtocolLimits.maxMilliseconds) + milliseconds
        clock.active = min(active, ProtocolLimits.maxMilliseconds) + milliseconds
        clock.sinceAdvance = min(sinceAdvance, ProtocolLimits.maxMilliseconds) + milliseconds
        return clock
    }
}
