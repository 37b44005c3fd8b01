import BusProtocol
import TaskTree

/// The life of a job on the board: it gets its slot, ends, and leaves.
extension BrokerMachine {
    mutating func beginJob(_ view: TaskView, now: Moment) {
        guard var record = records[view.id], record.slot == nil else { return }
        board.jobs[view.id] = board.jobs[view.id] ?? JobRecord()
        // Another broker, the owner of the part, shows it.
        guard !board.parts.isTaken(view.id) else { return }
        let known = knownTasks.jobs.removeValue(forKey: view.id)
        if let earlier = known?.earlierRuns { board.jobs[view.id]?.earlierRuns = earlier }
        if let known, let slot = known.slot {
            record.key = known.key
            record.slot = slot
        } else {
            let wanted = wantedKey(of: view)
            replaceFormerRun(of: view, key: wanted, now: now)
            record.key = board.slots.uniqueKey(wanted)
            let (slot, changes) = board.slots.assign(key: record.key)
            record.slot = slot
            for change in changes {
                switch change {
                case .remembered(let key, let slot, let used):
                    outbox.entries.append(.slot(key: key, slot: slot, used: used))
                case .forgotten(let key):
                    outbox.entries.append(.slotForgotten(key: key))
                }
            }
            outbox.entries.append(
                .jobBegan(
                    job: view.id,
                    key: record.key,
                    title: view.description.title,
                    slot: slot,
                    begun: view.description.begun
                )
            )
        }
        if board.jobs[view.id]?.earlierRuns != nil { tree.setAfterFailure(view.id, true) }
        record.descriptionStep = publication.stepNumber
        if let slot = record.slot { board.jobInSlot[slot] = view.id }
        records[view.id] = record
        log(
            .info,
            "a job has begun",
            ["job": view.id.description, "key": record.key, "slot": "\(record.slot ?? 0)"]
        )
    }

    /// A job is gone from the board: its slot is free.
    mutating func release(_ slot: Int, of job: TaskID) {
        board.undismissed.remove(job)
        guard board.jobInSlot[slot] == job else { return }
        board.slots.release(slot: slot)
        board.jobInSlot[slot] = nil
    }

    mutating func endJob(_ view: TaskView, now: Moment) {
        log(
            .info,
            "a job has ended",
            ["job": view.id.description, "state": "\(view.state)", "reason": view.reason]
        )
        stay(view, now: now)
    }

    /// Keeps an ended job with trouble until a viewer dismisses it; any other leaves after
    /// `linger`.
    private mutating func stay(_ view: TaskView, now: Moment) {
        guard !board.parts.isTaken(view.id) else {
            // People read at the owner what has become of the part, and here what was below it.
            records[view.id]?.leaving = "ended"
            let stay = isTrouble(view) ? configuration.troubledPartKept : configuration.linger
            return clock.timers.add(.linger(view.id), at: now.advanced(bySeconds: stay))
        }
        guard isTrouble(view) else {
            board.undismissed.remove(view.id)
            records[view.id]?.leaving = view.state == .succeeded ? "succeeded" : "cancelled"
            clock.timers.add(.linger(view.id), at: now.advanced(bySeconds: configuration.linger))
            return
        }
        guard records[view.id]?.isDismissed != true else {
            records[view.id]?.leaving = "dismissed"
            leaveIfPossible(view.id, now: now)
            return
        }
        records[view.id]?.leaving = nil
        guard !board.undismissed.contains(view.id) else { return }
        let owner = sessions.owner(of: view.id.session)
        board.undismissed.put(view.id, of: owner)
        let limit = configuration.endedJobsKept
        if let oldest = board.undismissed.takeSurplus(above: limit, after: owner) {
            records[oldest]?.leaving = "evicted"
            leaveIfPossible(oldest, now: now)
        }
    }

    /// Whether a person should read why the job, or something below it, failed.
    private func isTrouble(_ view: TaskView) -> Bool {
        switch view.state {
        case .failed, .lost: true
        case .succeeded: view.needsAttention || view.attention > 0 || tellsOfFailures(view.id)
        case .cancelled: tellsOfFailures(view.id)
        case .waiting, .running, .paused, .cancelling: false
        }
    }

    /// Whether a job that succeeded has gained or lost trouble since `stay` decided about it.
    func staysOtherwise(_ view: TaskView, _ leaving: String?) -> Bool {
        view.parent == nil && view.state == .succeeded
            && (leaving == nil ? !isTrouble(view) : leaving == "succeeded" && isTrouble(view))
    }

    /// The `linger` timer of an ended job is due: the job leaves, unless `stay` decides otherwise
    /// now.
    mutating func endLinger(of job: TaskID, now: Moment) {
        guard let record = records[job], let view = tree.view(job), view.state.isEnded else {
            return
        }
        if staysOtherwise(view, record.leaving) {
            stay(view, now: now)
        } else if isAwaited(job, now: now) {
            clock.timers.add(.linger(job), at: now.advanced(bySeconds: 1))
        } else if board.leavingRoom > 0 {
            leaveIfPossible(job, now: now)
        } else {
            // Very many jobs leave at once: the next tick goes on with them.
            clock.timers.add(.linger(job), at: now.advanced(bySeconds: 0.001))
        }
    }

    /// A descendant has ended: its job may have been waiting for that.
    mutating func lookAgain(atJob job: TaskID, now: Moment) {
        guard records[job]?.leaving != nil, tree.state(of: job)?.isEnded == true else { return }
        if board.parts.isTaken(job) {
            if let view = tree.view(job) { stay(view, now: now) }
            return
        }
        clock.timers.add(.linger(job), at: now.advanced(bySeconds: configuration.linger))
    }

    /// Takes a job off the board if it is to leave and nothing below it is live.
    mutating func leaveIfPossible(_ job: TaskID, now: Moment) {
        guard let record = records[job], let reason = record.leaving, let view = tree.view(job),
            view.state.isEnded,
            ["dismissed", "evicted"].contains(reason) || !isAwaited(job, now: now)
        else { return }
        // Orphans of earlier attempts keep the job alive too.
        guard !tree.hasLiveDescendants(job) else { return }
        var changes = StepChanges()
        detach(job, reason: reason, changes: &changes)
        publication.unpublished.merge(changes)
        outbox.entries.append(.jobLeft(job: job))
        log(.info, "a job has left", ["job": job.description, "why": reason])
        board.leaving[job] = reason
        takeOut(job)
    }

    /// Goes on to remove what is below the jobs that have left the board.
    mutating func continueLeaving(now: Moment) {
        board.leavingRoom = configuration.looksPerTick
        guard !board.leaving.isEmpty else { return }
        settleForDecision(now: now)
        let jobs = board.leaving.keys.prefix(board.leavingRoom).sorted()
        for job in jobs where board.leavingRoom > 0 {
            if tree.hasLiveDescendants(job) {
                // A session has begun a task below the job meanwhile.
                board.leaving[job] = nil
                begin(job, now: now)
                end(job, now: now)
            } else {
                takeOut(job)
            }
        }
    }

    /// Takes a job that has left the board, and what is below it, out of the tree, deepest tasks
    /// first.
    ///
    /// Once the room until the next tick is used up, the rest waits for that.
    private mutating func takeOut(_ job: TaskID) {
        guard let reason = board.leaving[job] else { return }
        var gone = tree.removeLeaves(below: job, limit: max(board.leavingRoom, 0))
        // One more for the job.
        board.leavingRoom -= gone.count + 1
        if board.leavingRoom >= 0 {
            gone += tree.removeJob(job)
            board.leaving[job] = nil
        }
        var changes = StepChanges()
        for id in gone { detach(id, reason: reason, changes: &changes) }
        forgetReporters(of: gone)
        // Once more: tasks below the job may have been written down since it left the board.
        if board.leaving[job] == nil { outbox.entries.append(.jobLeft(job: job)) }
        publication.unpublished.merge(changes)
        publication.isChanged = true
        publication.totalsChanged = true
    }

    /// Forgets tasks that have left, and the names of their redeemers; later statements change
    /// nothing.
    private mutating func forgetReporters(of gone: [TaskID]) {
        var owners: Set<SessionID> = []
        for id in gone {
            // The journal removes with the job only what was written when the job was known.
            if knownTasks.bindingsWithoutJob.contains(id) {
                outbox.entries.append(.bound(reporter: id, job: nil, payload: []))
            }
            if knownTasks.rowsWithoutPlace[id] != nil {
                outbox.entries.append(.row(reporter: id, job: nil, payload: []))
            }
            forget(id)
            sessions[id.session]?.removed.insert(id.index)
            owners.insert(id.session)
        }
        for owner in owners { dropIfUnused(owner) }
    }
}
