import BusProtocol
import TaskTree
import TimeLeft

/// What happens to all tasks of a session at once: very many of them are looked at some at a time, so
/// that other sessions do not wait for all of them.
extension BrokerMachine {
    /// Begins with the tasks of a session, about in the order in which it began them; ends what of this
    /// kind was under way for it before.
    mutating func sweep(_ id: SessionID, _ step: SessionSweep.Step, now: Moment) {
        let key = SessionSweep.Key(session: id, kind: step.kind)
        endSweep(key)
        // What hangs below others goes first where all may go.
        let walk = tree.beginWalk(of: id, isBackwards: step.kind == .statement)
        sessions.sweeps[key] = SessionSweep(step: step, walk: walk)
        continueSweep(key, looks: sessions.roomToSweep, now: now)
    }

    /// Goes on with each session of which not all tasks were looked at.
    mutating func continueSweeps(now: Moment) {
        sessions.roomToSweep = configuration.tasksPerTick
        let looks = max(configuration.tasksPerTick / max(sessions.sweeps.count, 1), 1)
        for key in sessions.sweeps.keys.sorted() {
            continueSweep(key, looks: looks, now: now)
            if sessions.sweeps[key] == nil { dropIfUnused(key.session) }
        }
    }

    /// Ends what is being done to the tasks of a session that is forgotten.
    mutating func endSweeps(of id: SessionID) {
        for kind in [SessionSweep.Kind.silence, .presence, .statement] {
            endSweep(SessionSweep.Key(session: id, kind: kind))
        }
    }

    private mutating func endSweep(_ key: SessionSweep.Key) {
        guard let former = sessions.sweeps.removeValue(forKey: key) else { return }
        tree.endWalk(former.walk)
    }

    private mutating func continueSweep(_ key: SessionSweep.Key, looks: Int, now: Moment) {
        let id = key.session
        guard let (step, walk) = sessions.sweeps[key].map({ ($0.step, $0.walk) }) else { return }
        var left = looks
        publication.isChanged = true
        while left > 0 {
            guard let reporters = tree.next(of: walk, looks: &left) else {
                sessions.sweeps[key] = nil
                break
            }
            for reporter in reporters { carryOut(step, reporter, now: now) }
        }
        sessions.roomToSweep -= looks - left
        guard sessions.sweeps[key] == nil, case .left = step, let session = sessions[id] else {
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
        switch step {
        case .silent:
            tree.setSilent(reporter: reporter, false)
            tree.setSilent(reporter: reporter, true)
        case .heard:
            tree.setSilent(reporter: reporter, false)
            endSilence(of: reporter, now: now)
        case .back:
            tree.setSilent(reporter: reporter, false)
            endSilence(of: reporter, now: now)
            tellIfSuperseded(reporter)
            guard !tree.hasStatedEnding(reporter) else { return }
            tree.infer(nil, about: reporter)
            _ = knownTasks.takeFact(\.end, of: reporter)
        case .left(let reason, let isJudgedLater):
            tree.setSilent(reporter: reporter, false)
            if tree.isUnshown(reporter) {
                forgetUnshown([reporter])
                return
            }
            guard !tree.hasStatedEnding(reporter) else { return }
            let isNeverBegun = tree.isTicket(reporter) && tree.state(of: reporter) == .cancelled
            rememberLastRow(of: reporter, reason: isNeverBegun ? Self.neverBegun : reason)
            if isJudgedLater || tree.isTicket(reporter) { return }
            tree.infer(Self.conclusion(from: reason), about: reporter)
            // Tickets may lie below what it never described, whose end no step shows.
            giveTicketsTime(below: reporter, now: now)
        case .stated(let mentioned, let version):
            guard tree.isStated(reporter), !mentioned.contains(reporter.index),
                !tree.hasStatedEnding(reporter), tree.version(of: reporter) <= version
            else { return }
            if tellsOfFailures(reporter) {
                let reason = "its process says no more of it"
                tree.infer(.cancelled(reason: reason), about: reporter)
                rememberLastRow(of: reporter, reason: reason)
                return
            }
            tree.forget(reporter)
            forgetWithRows([reporter])
        }
    }

    /// Silence was no stall: a task that is heard of again has its time anew.
    private mutating func endSilence(of reporter: TaskID, now: Moment) {
        guard let task = tree.taskID(of: reporter) else { return }
        records[task]?.observation.endSilence(at: now)
    }
}
