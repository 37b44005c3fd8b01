import TaskTree
import TimeLeft

/// Steps: the tree is settled, what changed is looked at, and what is subscribed is published.
extension BrokerMachine {
    /// How many times one step settles the tree at most, to follow consequences of consequences.
    ///
    /// An advance ends a stall, which ends its parent's stall. What is left is done in the next
    /// step.
    private static var passes: Int { 4 }
    /// How many of the tasks that a statement above them concerns are taken in at a time.
    private static var marksPerPass: Int { 512 }
    /// So many changed tasks begin a step before the tick: the broker answers no client during a
    /// step, which therefore has to be short.
    static var changesPerStep: Int { 512 }

    mutating func step(now: Moment) {
        publication.stepNumber += 1
        publication.lastStep = now
        publication.awaitsEarlyStep = false
        publication.isChanged = false
        var changes = takeUnpublished()
        // Of very many tasks that advance, viewers look at few: the others are not even noted.
        let followed = FollowedTasks(publication.topics.keys)
        for _ in 0..<Self.passes {
            guard tree.hasPending else { break }
            absorb(
                tree.settle(marks: Self.marksPerPass),
                seenBy: followed,
                into: &changes,
                now: now
            )
        }
        var cursors = Cursors()
        for id in knownTasks.observable where observe(id, near: &cursors, now: now) != nil {
            changes.progressed.append(id)
        }
        knownTasks.observable = []
        changes.merge(takeUnpublished())
        tellPlaces()
        publish(changes, seenBy: followed, now: now)
    }

    /// Publishes what is urgent at once, or when the last step is long enough ago.
    mutating func stepEarly(now: Moment) {
        if now.seconds(since: publication.lastStep) >= configuration.earlyStepEvery {
            step(now: now)
        } else {
            publication.awaitsEarlyStep = true
        }
    }

    /// What was settled or decided between steps, stamped with the step that publishes it.
    private mutating func takeUnpublished() -> StepChanges {
        defer { publication.unpublished = StepChanges() }
        for id in publication.unpublished.displaced.map(\.id) {
            publication.unpublished.described.append(id)
        }
        for id in publication.unpublished.described {
            records[id]?.descriptionStep = publication.stepNumber
        }
        for id in publication.unpublished.progressed {
            records[id]?.progressStep = publication.stepNumber
        }
        return publication.unpublished
    }

    /// Settles the tree without publishing, so that a decision sees the newest states.
    mutating func settleForDecision(now: Moment) {
        guard tree.hasPending else { return }
        var changes = StepChanges()
        absorb(tree.settle(marks: Self.marksPerPass), seenBy: nil, into: &changes, now: now)
        publication.unpublished.merge(changes)
    }

    /// `followed` says which tasks viewers look at; `nil` where that has not been found out yet.
    private mutating func absorb(
        _ tree: TreeChanges,
        seenBy followed: FollowedTasks?,
        into changes: inout StepChanges,
        now: Moment
    ) {
        // First of all, so that tasks that begin may take the places of tasks that have ended.
        for id in tree.reopened + tree.ended {
            if let view = self.tree.view(id) { usePlace(view) }
        }
        thinOutPlaces()
        // In the order in which their session began them: so they get their places and slots.
        for id in tree.begun.sorted() { begin(id, now: now) }
        var cursors = Cursors()
        for id in tree.described {
            // A redeemer that was bound before it was described begins with its description.
            if records.number(of: id, near: &cursors.records) == nil { begin(id, now: now) }
            records[id]?.descriptionStep = publication.stepNumber
            rehome(id, changes: &changes, now: now)
            changes.described.append(id)
        }
        for id in tree.reopened { reopen(id) }
        for id in tree.progressed {
            guard let number = observe(id, near: &cursors, now: now) else {
                begin(id, now: now)
                changes.described.append(id)
                continue
            }
            if followed?.mayShow(number, of: records) ?? true { changes.progressed.append(id) }
        }
        if !board.parts.parts.isEmpty {
            for id in tree.progressed + tree.begun { board.parts[id]?.hasChanged = true }
        }
        for id in tree.ended { end(id, now: now) }
        for id in tree.detached {
            // Without this a new broker would show a job that its session no longer states.
            if records[id]?.slot != nil, !self.tree.knows(id) {
                outbox.entries.append(.jobLeft(job: id))
            }
            detach(id, reason: "forgotten", changes: &changes)
        }
        thinOutPlaces()
        changes.progressed += tree.begun
        changes.described += tree.begun
        if !tree.progressed.isEmpty || !tree.begun.isEmpty || !tree.detached.isEmpty {
            publication.totalsChanged = true
        }
    }

    /// A task is in a tree for the first time.
    mutating func begin(_ id: TaskID, now: Moment) {
        guard let view = tree.view(id), board.leaving[id] == nil else { return }
        // Its owner reports it here, so it is no job of another broker, whatever a bridge has said.
        board.fleet.remove(id)
        // What is known of a task that ended before this broker began dates from its end.
        let statedEnd = knownTasks.takeFact(\.end, of: view.reporter)
        let seen = statedEnd.map(moment(unix:)) ?? now
        if records[id] == nil {
            records[id] = TaskRecord(at: seen, step: publication.stepNumber)
        }
        records[id]?.attempt = view.attempt
        if let clock = knownTasks.takeFact(\.clock, of: view.reporter) {
            restoreClock(clock, of: id, now: seen)
        }
        if knownTasks.dismissed.remove(id) != nil {
            records[id]?.isDismissed = true
            tree.setDismissed(id)
        }
        records[id]?.statedEnd = statedEnd
        records[id]?.parent = view.parent
        records[id]?.job = view.job
        if view.parent == nil {
            rehomeRow(of: view.reporter, job: id)
            beginJob(view, now: now)
        } else {
            place(view)
            if view.state.isUnderWay {
                stopIfAnythingAboveStops(id, reporter: view.reporter)
            }
        }
        var cursors = Cursors()
        observe(id, near: &cursors, now: now)
    }

    /// Takes the task's numbers, state and needs as the tree has them now.
    ///
    /// Returns the number of its record, if it has one.
    @discardableResult
    private mutating func observe(
        _ id: TaskID,
        near cursors: inout Cursors,
        now: Moment
    ) -> PoolNumber? {
        guard let number = records.number(of: id, near: &cursors.records) else { return nil }
        guard let task = tree.view(id, near: &cursors.tree) else { return number }
        usePlace(of: id, number, task.state)
        records[number].progressStep = publication.stepNumber
        var seen = now
        if task.state.isEnded,
            let end = records[number].statedEnd ?? knownTasks.facts[task.reporter]?.end
        {
            // However late the broker hears of the end.
            seen = moment(unix: end)
        }
        if task.attempt != records[number].attempt {
            records[number].attempt = task.attempt
            records[number].observation.beginAttempt(at: seen)
            records[number].descriptionStep = publication.stepNumber
            if let clock = knownTasks.takeFact(\.clock, of: task.reporter) {
                restoreClock(clock, of: id, now: seen)
            }
        }
        let advanced = records[number].takeAdvance(task)
        guard !isIncomplete(task) else {
            records[number].observation.wait(completed: task.amounts.completed)
            knownTasks.unobserved.insert(id)
            return number
        }
        if !knownTasks.unobserved.isEmpty { knownTasks.unobserved.remove(id) }
        if task.state == .waiting, let above = tree.attempt(above: task.id), hasEnded(above) {
            giveTicketsTime(below: above, now: now)
        }
        let knewGap = records[number].observation.hasUsualGap
        let telling = records[number].observation.observe(
            completed: task.amounts.completed,
            total: task.amounts.total,
            fraction: task.fraction,
            load: task.load,
            state: task.state,
            advanced: advanced,
            at: seen
        )
        if records[number].needsAttention != task.needsAttention {
            records[number].needsAttention = task.needsAttention
            publication.attentionChanged = true
            if task.needsAttention {
                publication.attention.insert(id)
            } else {
                publication.attention.remove(id)
            }
        }
        if task.state.isEnded, staysOtherwise(task, records[number].leaving) {
            clock.timers.add(.linger(id), at: now)
        }
        if task.state.isEnded, records[number].isStalled {
            // A task that comes back must not be stalled at once.
            records[number].isStalled = false
            tree.setStalled(id, false)
        }
        if case .seconds(let left) = telling, task.description.effectiveShare > 0,
            let parent = task.parent,
            let above = records.number(of: parent, near: &cursors.parents)
        {
            // Deeper tasks are observed first: the parent's own turn comes in the same step.
            records[above].observation.noteChild(id, secondsLeft: left, at: now)
        }
        // How long the next advance may take is known now, so the look at a stall is set anew.
        if !knewGap, records[number].observation.hasUsualGap { records[number].isWatched = false }
        // A task that has just advanced is not stalled; a timer will look at it again.
        let isLooked = advanced && records[number].isWatched && !records[number].isStalled
        if !task.state.isEnded, !isLooked {
            watch(task, number, now: now)
        }
        return number
    }

    /// Whether a new broker still waits for reports of the task, or of tasks below it.
    ///
    /// A fraction seen now would be too high and stay: what is displayed never runs backwards.
    private func isIncomplete(_ task: TaskView) -> Bool {
        guard sessions.isSettling || !sessions.restored.isEmpty, !task.state.isEnded else {
            return false
        }
        return sessions.isSettling || sessions.restored.contains(task.reporter.session)
    }

    mutating func end(_ id: TaskID, now: Moment) {
        guard let view = tree.view(id) else { return }
        if let stated = knownTasks.takeFact(\.end, of: view.reporter) {
            records[id]?.statedEnd = stated
        }
        stopDescendants(of: view)
        // A lost task states no ending that would give its tickets time.
        giveTicketsTime(below: view.reporter, now: now)
        if view.parent == nil {
            endJob(view, now: now)
        } else {
            if let job = view.job { lookAgain(atJob: job, now: now) }
        }
    }

    private mutating func reopen(_ id: TaskID) {
        // Another child may have taken its place.
        if let view = tree.view(id), view.parent != nil { place(view) }
        records[id]?.isDismissed = false
        records[id]?.leaving = nil
        records[id]?.statedEnd = nil
        records[id]?.descriptionStep = publication.stepNumber
        board.undismissed.remove(id)
    }

    /// A task is in no tree any more.
    mutating func detach(_ id: TaskID, reason: String, changes: inout StepChanges) {
        // Also for a task that was never described, and so has no record.
        board.places[id] = nil
        guard let record = records[id] else { return }
        changes.removed.append(RemovedTask(id: id, record: record, reason: reason))
        knownTasks.unobserved.remove(id)
        if record.needsAttention {
            publication.attention.remove(id)
            publication.attentionChanged = true
        }
        unplace(id, record: record)
        records.remove(id)
        if let slot = record.slot { release(slot, of: id) }
        forgetJob(id)
    }

    /// Forgets what is kept of a task for being a job.
    mutating func forgetJob(_ id: TaskID) {
        board.jobs[id] = nil
        board.logs.forget(id)
    }
}

/// Where the last task was found: those that change together are neighbours.
private struct Cursors {
    var tree = TaskTable.Cursor()
    var records = TaskRecords.Cursor()
    var parents = TaskRecords.Cursor()
}

extension TaskRecord {
    /// Takes over the detail of a task; returns whether the task has advanced.
    fileprivate mutating func takeAdvance(_ task: TaskView) -> Bool {
        let advanced =
            task.amounts.completed != observation.completed
            || task.detail != lastDetail
            || (task.childCount + task.foldedChildren > 0
                && task.fraction != observation.reported)
        lastDetail = task.detail
        return advanced
    }
}
