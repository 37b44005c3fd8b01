import BusProtocol
import TaskTree

/// Carries out requests about detached tasks: they begin, change, end or cancel them.
extension BrokerMachine {
    mutating func begin(
        _ begin: WireDetachedBegin,
        _ request: DetachedRequestID,
        by way: Admissions.Way,
        now: Moment
    ) -> DetachedOutcome {
        // A client that knows the id of a task may describe children below it. With keys, an index
        // therefore grows by 32 random bits of the request, so that no member guesses another's id
        // from its own.
        let step = way.member == nil ? 1 : 1 + request.low32
        guard detached.room.mayTake(way.owner, of: configuration.detachedTasks),
            detached.lastIndex <= .max - step
        else {
            return .refused(
                .quotaTasks,
                """
                There are \(detached.room.total) detached tasks already, those counted that have \
                ended and are still shown, \(detached.room[way.owner]) of \(way.owner), which gets \
                no more of \(configuration.detachedTasks) than it leaves; end some, cancel them, or \
                dismiss what has failed.
                """
            )
        }
        var parent: TaskID?
        if !begin.parent.isEmpty {
            switch self.parent(begin.parent, of: way.member, now: now) {
            case .done(let task): parent = task
            case let outcome: return outcome
            }
        }
        detached.lastIndex += step
        let id = TaskID(index: detached.lastIndex, session: detached.session)
        var description = TaskDescription(
            parent: parent.map { .task($0) } ?? .none,
            title: begin.title
        )
        description.begun = unix(now)
        description.options.isCancellable = true
        description.unit = begin.unit
        description.key = begin.key
        description.share = begin.hasShare ? begin.share : nil
        description.options.expectedGap = begin.hasExpectEvery ? .seconds(begin.expectEvery) : nil
        let total = begin.hasTotal && begin.total >= 0 ? begin.total : nil
        tree.describe(id, description, version: 1)
        tree.measure(id, TaskAmounts(total: total), version: 1)
        tree.detail(id, begin.detail, version: 1)
        detached.add(id, DetachedTask(lastHeard: now, owner: way.member, share: way.owner))
        outbox.entries.append(.detachedSession(detached.session, lastIndex: detached.lastIndex))
        publication.isChanged = true
        // So that its slot, place and job are in the same batch.
        settleForDecision(now: now)
        if let parent { hearDetached(parent, now: now) }
        rememberDetached(id, now: now)
        watchSilence(of: id)
        return .done(id)
    }

    /// Finds the task below which another is to begin; `member` is nil on a bus without keys.
    ///
    /// A member may begin tasks below another member's task only if it names that by the whole id
    /// of a session's task, which it must have been given. Slots, keys and ids of detached tasks
    /// are easily guessed.
    private mutating func parent(
        _ text: String,
        of member: String?,
        now: Moment
    ) -> DetachedOutcome {
        let found = find(text)
        guard let parent = found.first else {
            // The parent's session may be on the way back to a broker that has just begun.
            if sessions.isSettling || now.seconds(since: clock.began) < configuration.settleFor {
                return .undecided
            }
            return .refused(
                .unknownTask,
                "There is no task \(text) to begin one below; `progressbus status` shows "
                    + "what there is."
            )
        }
        guard found.count == 1 else {
            let ids = found.prefix(5).map(\.description).joined(separator: ", ")
            return .refused(
                .unknownTask,
                "The parent \(text) may be any of \(found.count) tasks (\(ids)); give the "
                    + "whole id."
            )
        }
        if let host = hostElsewhere(of: parent) {
            let sentence = "Task \(parent) is on \(host); begin tasks below it there."
            return .refused(.unsupported, sentence)
        }
        let id = text.hasPrefix("id:") ? String(text.dropFirst(3)) : text
        if let member, let owner = owner(of: parent), owner != member,
            detached.owns(parent) || TaskID(id) != parent
        {
            return .refused(
                .notPermitted,
                "Task \(id) is another member's; begin below one of your own."
            )
        }
        if let words = endWords(of: parent) {
            return .refused(
                .taskEnded,
                "Task \(parent) \(words), so nothing can be begun below it; begin a job of its own."
            )
        }
        if let depth = tree.depth(of: parent), depth >= ProtocolLimits.depth {
            return .refused(
                .tooDeep,
                "Task \(parent) is \(ProtocolLimits.depth) levels below its job, the most there may "
                    + "be; hang the new one higher."
            )
        }
        return .done(parent)
    }

    /// The member that owns a task; `nil` where none is known.
    private func owner(of task: TaskID) -> String? {
        if let own = detached.tasks[task] { return own.owner }
        let session = tree.view(task)?.reporter.session ?? task.session
        return sessions[session]?.way.member
    }

    mutating func apply(_ update: WireDetachedUpdate, now: Moment) -> DetachedOutcome {
        change(update.task, now: now) { tree, id, statement, version in
            if update.hasTitle, update.title != statement.description.title {
                var description = statement.description
                description.title = update.title
                tree.describe(id, description, version: version)
            }
            var amounts = statement.amounts
            if update.hasCompleted { amounts.completed = update.completed }
            if update.hasTotal { amounts.total = update.total < 0 ? nil : update.total }
            // Stated in any case: the version must rise even with a mere sign of life.
            tree.measure(id, amounts, version: version)
            if update.hasDetail { tree.detail(id, update.detail, version: version) }
            return nil
        }
    }

    mutating func apply(_ advance: WireDetachedAdvance, now: Moment) -> DetachedOutcome {
        change(advance.task, now: now) { tree, id, statement, version in
            var amounts = statement.amounts
            let (sum, isTooMuch) = amounts.completed.addingReportingOverflow(advance.by)
            guard !isTooMuch else {
                return .refused(
                    .outOfRange,
                    "by is \(advance.by), and \(amounts.completed) are completed: together that is "
                        + "more than \(Int64.max); advance by less."
                )
            }
            amounts.completed = sum
            tree.measure(id, amounts, version: version)
            return nil
        }
    }

    mutating func apply(_ end: WireDetachedEnd, now: Moment) -> DetachedOutcome {
        let state = end.state.statedState(reason: end.reason)
        // A script repeats an end whose answer it did not get, as from a broker whose disk was
        // full.
        if let id = end.task.taskID(), detached.tasks[id] != nil,
            tree.statement(of: id)?.state == state
        {
            return .done(id)
        }
        let outcome = change(end.task, now: now) { tree, id, _, version in
            tree.state(id, state, version: version)
            return nil
        }
        if case .done(let id) = outcome { giveTicketsTime(below: id, now: now) }
        return outcome
    }

    /// Makes a statement about a task that runs, one version higher than all before.
    private mutating func change(
        _ reference: WireTaskRef,
        now: Moment,
        _ body: (inout ProgressTree, TaskID, TaskStatement, UInt64) -> DetachedOutcome?
    ) -> DetachedOutcome {
        guard let id = reference.taskID(), detached.tasks[id] != nil,
            let statement = tree.statement(of: id)
        else { return refuseUnknown(reference) }
        if let words = endWords(of: id) {
            return .refused(.taskEnded, "Task \(id) \(words); begin another one for more work.")
        }
        if let refusal = body(&tree, id, statement, statement.version &+ 1) { return refusal }
        publication.isChanged = true
        hearDetached(id, now: now)
        rememberDetached(id, now: now)
        return .done(id)
    }

    private func refuseUnknown(_ reference: WireTaskRef) -> DetachedOutcome {
        guard let id = reference.taskID() else {
            return .refused(.unknownTask, "The request names no task.")
        }
        // While the journal cannot be read, the broker does not know which tasks it has.
        if outbox.isJournalFailing { return .undecided }
        if let host = hostElsewhere(of: id) {
            return .refused(.unsupported, "Task \(id) is on \(host); say there how far it is.")
        }
        if id.session != detached.session, tree.view(id) != nil {
            return .refused(
                .notPermitted,
                "Task \(id) belongs to the process that began it; only that says how far it is."
            )
        }
        return .refused(
            .unknownTask,
            "There is no detached task \(id): it never was on this bus, or has ended and left the "
                + "board."
        )
    }

    /// How a task has ended, in words that follow its name; `nil` while more can be said of it.
    ///
    /// Of a detached task its own statement counts before its state in the tree: a task that has
    /// stated success may still wait for children.
    private func endWords(of id: TaskID) -> String? {
        func because(_ words: String, _ reason: String) -> String {
            reason.isEmpty ? words : "\(words) (\(reason))"
        }
        if detached.owns(id) {
            switch tree.statement(of: id)?.state {
            case .succeeded: return "has ended: it has succeeded"
            case .failed(let reason): return because("has ended: it has failed", reason)
            case .cancelled(let reason): return because("has been cancelled", reason)
            case .running, .paused, nil: break
            }
        }
        guard let view = tree.view(id) else { return nil }
        switch view.state {
        case .succeeded: return "has ended: it has succeeded"
        case .failed: return because("has ended: it has failed", view.reason)
        case .cancelled: return because("has been cancelled", view.reason)
        // A detached task that is lost comes back with the next request.
        case .lost where !detached.owns(id): return because("is lost", view.reason)
        case .lost, .waiting, .running, .paused, .cancelling: return nil
        }
    }

    /// Cancels detached tasks at once: the broker owns them, and there is no session to ask.
    ///
    /// The script that works on a task learns of it from the answer to its next request.
    mutating func cancelDetached(_ indices: [UInt64], reason: String) {
        for index in indices {
            let id = TaskID(index: index, session: detached.session)
            guard let statement = tree.statement(of: id), !statement.state.isFinal else { continue }
            tree.state(id, .cancelled(reason: reason), version: statement.version &+ 1)
            tree.setSilent(reporter: id, false)
            detached.tasks[id]?.isSilent = false
            giveTicketsTime(below: id, now: clock.lastTick)
            publication.isChanged = true
            rememberDetached(id, now: clock.lastTick)
        }
    }
}
