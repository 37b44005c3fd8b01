import BusProtocol
import TaskTree
import TimeLeft

/// Sweeps: what happens to all tasks of a session is done to some of them at a time, so that other
/// sessions do not wait.
extension BrokerMachine {
    /// Begins a sweep of all tasks of a session, in the order in which the session began them.
    mutating func sweep(_ id: SessionID, _ step: SessionSweep.Step, now: Moment) {
        sweep(id, SessionSweep(step: step, remaining: tree.reporters(of: id)[...]), now: now)
    }

    /// Begins a sweep of some tasks of a session; ends the sweep under way that this one replaces.
    mutating func sweep(_ id: SessionID, _ sweep: SessionSweep, now: Moment) {
        sessions.begin(sweep, of: id)
        continueSweep(of: id, portion: max(sessions.sweepRoom, 0), now: now)
    }

    /// Goes on with all sweeps that are under way.
    mutating func continueSweeps(now: Moment) {
        sessions.sweepRoom = configuration.looksPerTick
        let portion = max(sessions.sweepRoom / max(sessions.sweeps.count, 1), 1)
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
        // Only now: a broker that begins before has to judge the rest again.
        if session.hasProcessEnded { rememberSession(id) }
        outbox.entries.append(.sessionLeft(credential: session.credential.bytes))
    }

    private mutating func carryOut(_ step: SessionSweep.Step, _ reporter: TaskID, now: Moment) {
        if !step.isWithdrawal { tree.setSilent(reporter: reporter, false) }
        switch step {
        case .withdrawn(let sequence): withdraw(reporter, said: sequence)
        case .silent:
            tree.setSilent(reporter: reporter, true)
        case .heard:
            endSilence(of: reporter, now: now)
        case .back:
            endSilence(of: reporter, now: now)
            guard !tree.hasStatedEnding(reporter) else { return }
            tree.infer(nil, about: reporter)
            _ = knownTasks.takeFact(\.end, of: reporter)
        case .left(let reason, let isJudgedLater, let isUnheard):
            if tree.isUnshown(reporter) {
                guard isUnheard, tree.hasFold(below: reporter) else {
                    return forgetUnshown(reporter)
                }
                // The broker has acknowledged endings below this task, and no process is left that
                // could describe it.
                let description = TaskDescription(parent: .none, title: Self.unknownTitle)
                tree.describe(reporter, description, version: 0)
            }
            guard !tree.hasStatedEnding(reporter) else { return }
            let isNeverBegun = tree.isTicket(reporter) && tree.state(of: reporter) == .cancelled
            rememberLastRow(of: reporter, reason: isNeverBegun ? Self.neverBegun : reason)
            if isJudgedLater || tree.isTicket(reporter) { return }
            tree.infer(Self.conclusion(from: reason), about: reporter)
            // Tickets may lie below a task that the session never described, whose end no step
            // shows.
            giveTicketsTime(below: reporter, now: now)
        }
    }

    /// The title of a task that was never written down, and of which only what was folded below it
    /// is known.
    private static var unknownTitle: String { "A task that was lost with its broker" }

    /// A keyframe does not have the task: it is forgotten, unless something was said of it since.
    private mutating func withdraw(_ reporter: TaskID, said sequence: UInt64) {
        guard !tree.hasStatedEnding(reporter),
            tree.statement(of: reporter)?.version ?? 0 <= sequence
        else { return }
        guard tellsOfFailures(reporter) else {
            tree.forget(reporter)
            return forgetWithRows([reporter])
        }
        let reason = "its process says no more of it"
        tree.infer(.cancelled(reason: reason), about: reporter)
        rememberLastRow(of: reporter, reason: reason)
    }

    /// A task is heard of again: silence was no stall, so its time until one begins anew.
    private mutating func endSilence(of reporter: TaskID, now: Moment) {
        guard let task = tree.taskID(of: reporter) else { return }
        records[task]?.observation.endSilence(at: now)
    }
}
