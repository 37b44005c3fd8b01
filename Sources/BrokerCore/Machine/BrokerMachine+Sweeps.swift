import BusProtocol
import TaskTree
import TimeLeft

/// What happens to all tasks of a session at once: very many of them are looked at some at a time, so
/// that other sessions do not wait for all of them.
extension BrokerMachine {
    /// Tasks that are looked at in one tick.
    private static let sweepPortion = 4_096

    /// Begins with the tasks of a session, in the order in which it began them; ends what was under
    /// way for it before.
    mutating func sweep(_ id: SessionID, _ step: SessionSweep.Step, now: Moment) {
        sessions.sweeps[id] = SessionSweep(step: step, remaining: tree.reporters(of: id)[...])
        continueSweep(of: id, portion: Self.sweepPortion, now: now)
    }

    /// Goes on with each session of which not all tasks were looked at.
    mutating func continueSweeps(now: Moment) {
        let portion = max(Self.sweepPortion / max(sessions.sweeps.count, 1), 1)
        for id in sessions.sweeps.keys.sorted() {
            continueSweep(of: id, portion: portion, now: now)
            if sessions.sweeps[id] == nil { dropIfUnused(id) }
        }
    }

    private mutating func continueSweep(of id: SessionID, portion: Int, now: Moment) {
        guard let (step, reporters) = sessions.takePortion(portion, of: id) else { return }
        publication.isChanged = true
        for reporter in reporters { carryOut(step, reporter, now: now) }
        guard sessions.sweeps[id] == nil, case .left = step, let session = sessions[id] else {
            return
        }
        // Not before: a broker that begins meanwhile has to judge the rest again.
        if session.hasProcessEnded { rememberSession(id) }
        outbox.entries.append(.sessionLeft(credential: session.credential.bytes))
    }

    private mutating func carryOut(
        _ step: SessionSweep.Step,
        _ reporter: TaskID,
        now: Moment
    ) {
        tree.setSilent(reporter: reporter, false)
        switch step {
        case .silent:
            tree.setSilent(reporter: reporter, true)
        case .heard:
            endSilence(of: reporter, now: now)
        case .back:
            endSilence(of: reporter, now: now)
            guard !tree.hasStatedEnding(reporter) else { return }
            tree.infer(nil, about: reporter)
            _ = knownTasks.takeFact(\.end, of: reporter)
        case .left(let reason, let isJudgedLater):
            guard !tree.hasStatedEnding(reporter) else { return }
            let isNeverBegun = tree.isTicket(reporter) && tree.state(of: reporter) == .cancelled
            rememberLastRow(of: reporter, reason: isNeverBegun ? Self.neverBegun : reason)
            if isJudgedLater || tree.isTicket(reporter) { return }
            tree.infer(Self.conclusion(from: reason), about: reporter)
            // Tickets may lie below what it never described, whose end no step shows.
            giveTicketsTime(below: reporter, now: now)
        }
    }

    /// Silence was no stall: a task that is heard of again has its time anew.
    private mutating func endSilence(of reporter: TaskID, now: Moment) {
        guard let task = tree.taskID(of: reporter) else { return }
        records[task]?.observation.endSilence(at: now)
    }
}
