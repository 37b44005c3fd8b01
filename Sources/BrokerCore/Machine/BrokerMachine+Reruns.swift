import BusProtocol
import TaskTree

/// A job that runs again takes the key and the slot of its former run, once that has ended.
extension BrokerMachine {
    /// Lets the former run of a job leave; its key and its slot are free then.
    mutating func replaceFormerRun(of job: TaskView, key: String, now: Moment) {
        guard let former = formerRun(of: job, key: key) else { return }
        let earlier = EarlierRuns(
            after: former,
            with: board.jobs[former.id]?.earlierRuns,
            isDismissed: records[former.id]?.isDismissed == true
        )
        if records[former.id]?.leaving == nil { records[former.id]?.leaving = "run again" }
        leaveIfPossible(former.id, now: now)
        if let earlier {
            board.jobs[job.id]?.earlierRuns = earlier
            outbox.entries.append(.earlierRuns(job: job.id, earlier))
        }
    }

    /// An ended job that can leave and has the same key, or the key with one of the first numbers
    /// behind it.
    private func formerRun(of job: TaskView, key: String) -> TaskView? {
        guard !sessions.isSettling, job.description.parent == .none,
            board.jobs[job.id]?.earlierRuns == nil
        else { return nil }
        for slot in board.slots.slots(ofKey: key, numberedUpTo: Self.numbersLookedAt) {
            guard let id = board.jobInSlot[slot], id != job.id, let former = tree.view(id),
                former.state.isEnded, former.description.parent == .none,
                wantedKey(of: former) == key, !tree.hasLiveDescendants(id),
                !job.state.isEnded || hasBegun(job, after: former)
            else { continue }
            return former
        }
        return nil
    }

    /// Whether a job began after a former one had ended, by what their owners say.
    ///
    /// The broker may hear of both only when both have ended, as from the spool.
    private func hasBegun(_ job: TaskView, after former: TaskView) -> Bool {
        let end = records[former.id]?.statedEnd ?? knownTasks.facts[former.reporter]?.end
        return end.map { job.description.begun >= $0 } ?? false
    }

    /// The key of a job, without a number that tells it from others that run.
    func wantedKey(of job: TaskView) -> String {
        let key = job.description.key.isEmpty ? job.description.title : job.description.key
        return key.limited(toUTF8: ProtocolLimits.keyBytes)
    }

    /// Whether a job's row tells of earlier failures, which nothing else does.
    ///
    /// Its owner can neither withdraw such a job nor make it a part of another; only a person
    /// dismisses it.
    func tellsOfFailures(_ job: TaskID) -> Bool { board.jobs[job]?.earlierRuns != nil }

    /// Whether a task may become a part of another; refuses it if not.
    mutating func mayHangElsewhere(_ reporter: TaskID) -> Bool {
        guard tellsOfFailures(reporter) else { return true }
        refuse(
            .notPermitted,
            "Job \(reporter) has taken the place of one that failed, and stays a job until somebody "
                + "dismisses that; begin another task.",
            of: reporter.session,
            index: reporter.index
        )
        return false
    }

    /// Dismisses the failures of earlier runs in a job's row; returns whether there were any.
    mutating func dismissEarlierRuns(of job: TaskID) -> Bool {
        guard board.jobs[job]?.earlierRuns != nil else { return false }
        board.jobs[job]?.earlierRuns = nil
        outbox.entries.append(.earlierRuns(job: job, nil))
        tree.setAfterFailure(job, false)
        publication.unpublished.described.append(job)
        publication.isChanged = true
        return true
    }

    /// Where more jobs than this run under one key at once, further ones replace none.
    private static var numbersLookedAt: Int { 8 }
}
