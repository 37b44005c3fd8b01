import BusProtocol
import TaskTree
import TimeLeft

/// Reports: columns of newest values, and keyframes that replace everything of a session.
extension BrokerMachine {
    mutating func apply(_ report: WireReport, of id: SessionID, now: Moment) {
        guard let standing = standing(of: id), standing.phase != .ended, !standing.isViewer else {
            sessions.refused += 1
            return
        }
        // A report that comes before the session's hello was meant for the former broker.
        guard standing.phase != .awaited else { return }
        recordActivity(id, from: nil, now: now)
        publication.isChanged = true
        sessions.known.inPlace(id) { $0.reported = max($0.reported, report.sequence) }
        if report.keyframe != 0, sessions.known.inPlace(id, { $0.isMissingChunk(report) }) == true {
            askAnew(id)
        }

        let ahead = standing.clockAhead
        for description in report.descriptions {
            let description = ahead == 0 ? description : description.setBack(by: ahead)
            describe(description, of: id, version: report.sequence)
        }
        measure(report, of: id, removed: standing.removed)
        for (row, index) in report.detailIndex.enumerated() {
            state(index, of: id) { tree, reporter in
                tree.detail(reporter, report.detail[row], version: report.sequence)
            }
        }
        for change in report.states {
            state(change.index, of: id) { tree, reporter in
                // The first ending said is final.
                guard !tree.hasStatedEnding(reporter) else { return }
                tree.state(
                    reporter,
                    change.state == .paused ? .paused : .running,
                    version: report.sequence
                )
            }
        }
        for (row, index) in report.clockIndex.enumerated() {
            var clock = WireClock()
            clock.elapsed = report.elapsed[row]
            clock.active = report.active[row]
            clock.sinceAdvance = report.sinceAdvance[row]
            take(clock, of: TaskID(index: index, session: id), now: now)
        }
        var room = Self.unnamedRemovals
        for fold in report.folds { apply(fold, of: id, version: report.sequence, &room) }
        for line in report.logs { log(line.setBack(by: ahead), of: id, now: now) }
        if report.probe != 0 { answerProbe(report.probe, now: now) }
        if report.keyframe != 0 { noteMentioned(report, of: id) }
        if report.keyframe != 0, report.keyframeLast { complete(report, of: id, now: now) }
        answerSyncs(of: id, now: now)
        if case .closing(let sequence) = self.standing(of: id)?.phase, report.sequence >= sequence {
            close(id, now: now)
        }
    }

    /// Takes in the numbers, of which most reports consist.
    private mutating func measure(_ report: WireReport, of id: SessionID, removed: IndexRanges) {
        let (indices, completed, totals) = (report.amountIndex, report.completed, report.total)
        let isAnyRemoved = !removed.isEmpty
        for row in indices.indices {
            let index = indices[row]
            guard !isAnyRemoved || !removed.contains(index) else { continue }
            tree.measure(
                TaskID(index: index, session: id),
                TaskAmounts(completed: completed[row], total: totals[row] < 0 ? nil : totals[row]),
                version: report.sequence
            )
        }
    }

    /// Applies one statement unless the task has already left the tree.
    private mutating func state(
        _ index: UInt64,
        of id: SessionID,
        _ body: (inout ProgressTree, TaskID) -> Void
    ) {
        guard standing(of: id)?.removed.contains(index) == false else { return }
        body(&tree, TaskID(index: index, session: id))
    }

    /// Takes in a description, or refuses it if it begins a task beyond the session's quota.
    mutating func describe(_ wire: WireDescription, of id: SessionID, version: UInt64) {
        guard standing(of: id)?.removed.contains(wire.index) == false else { return }
        let reporter = TaskID(index: wire.index, session: id)
        guard !(wire.hasParent || wire.hasTicket) || mayHangElsewhere(reporter) else { return }
        let text = commands.allowance.count(.text(id), wire.textBytes)
        guard tree.hasRoom(for: reporter, isDescribed: true) else {
            refuseMoreTasks(of: id, index: wire.index)
            return
        }
        let isNew = !tree.knows(reporter)
        guard !isNew || text <= configuration.textPerSecond else {
            refuse(
                .quotaText,
                """
                Session \(id) states more than \(configuration.textPerSecond) bytes of text \
                a second; begin tasks more slowly.
                """,
                of: id,
                index: wire.index
            )
            return
        }
        tree.describe(reporter, wire.taskDescription(sender: id), version: version)
        guard tree.knows(reporter) else { return }
        if tickets.holdings[reporter] != nil, !tree.isTicket(reporter) {
            releaseHolders(ofNoTicket: reporter)
        }
        // The redeemer of a ticket may outlive the issuer and this broker; then only the journal
        // can say where the ticket belongs.
        if isNew, wire.isTicket, !outbox.isJournalFull { rememberLastRow(of: reporter, reason: "") }
        refuseIfTooDeep(wire, of: id)
        if records[reporter]?.place == nil { claimPlace(wire, of: reporter) }
    }

    /// Says that a session has as many tasks as it may, or as there is room for.
    mutating func refuseMoreTasks(of id: SessionID, index: UInt64) {
        let count = tree.count(of: id)
        let owner = sessions.owner(of: id)
        let name = TaskID(index: index, session: id)
        let sentence =
            if count >= configuration.tasksPerSession {
                "Session \(id) already has \(count) tasks, the most that one may have; end some or "
                    + "fold them."
            } else if tree.hasRoom(for: name, isDescribed: true) {
                "Session \(id) has said something of \(configuration.undescribedPerSession) tasks "
                    + "that it has not described; describe tasks before anything else is said of them."
            } else {
                "Session \(id) already has \(count) tasks, \(owner) \(tree.countTogether(of: id)) of "
                    + "\(tree.recordCount), and gets no more of \(configuration.tasks) than it "
                    + "leaves; end some or fold them."
            }
        refuse(.quotaTasks, sentence, of: id, index: index)
    }

    /// Tells a session that a task is in no job because its parent is as deep as a task may be.
    private mutating func refuseIfTooDeep(_ wire: WireDescription, of id: SessionID) {
        guard wire.hasParent, let parent = wire.parent.taskID(sender: id),
            let depth = tree.depth(of: parent), depth >= ProtocolLimits.depth
        else { return }
        refuse(
            .tooDeep,
            """
            Task \(TaskID(index: wire.index, session: id)) would lie more than \
            \(ProtocolLimits.depth) levels below its job; hang it higher. It counts nowhere \
            and is soon shown as a job of its own.
            """,
            of: id,
            index: wire.index
        )
    }

    mutating func take(_ clock: WireClock, of reporter: TaskID, now: Moment) {
        guard let id = tree.taskID(of: reporter), let attempt = records[id]?.attempt else {
            if tree.knows(reporter) {
                knownTasks.facts[reporter, default: StatedFacts()].clock = clock
            }
            return
        }
        // The clock of a former attempt's holder says nothing of this one.
        guard tree.reporter(of: id) == reporter else { return }
        if let holding = tickets.holdings[id], holding.attempt != attempt {
            // The next step sees the new attempt.
            knownTasks.facts[reporter, default: StatedFacts()].clock = clock
        } else {
            restoreClock(clock, of: id, now: now)
        }
    }

    mutating func restoreClock(_ clock: WireClock, of id: TaskID, now: Moment) {
        records[id]?.observation.restore(
            elapsed: Double(clock.elapsed) / 1_000,
            active: Double(clock.active) / 1_000,
            sinceAdvance: Double(clock.sinceAdvance) / 1_000,
            at: now
        )
    }

    /// The most tasks that the folds of a frame take out without naming them.
    static let unnamedRemovals = 4_096

    /// Takes in a fold; false if it is refused.
    @discardableResult
    mutating func apply(
        _ fold: WireFold,
        of id: SessionID,
        version: UInt64,
        _ room: inout Int
    ) -> Bool {
        guard fold.hasParent, let parent = fold.parent.taskID(sender: id) else { return false }
        // The holder of a ticket folds below its own index: below the ticket's index the fold would
        // outlive the attempt.
        guard parent.session == id else {
            refuse(
                .notPermitted,
                "Task \(parent) belongs to another session; fold only children of your own tasks.",
                of: id
            )
            return false
        }
        if sessions[id]?.removed.contains(parent.index) == true { return true }
        guard tree.hasRoom(for: parent) else {
            refuseMoreTasks(of: id, index: parent.index)
            return false
        }
        let folded = ofOwn(fold, id).folded()
        let removed = tree.fold(id, under: parent, folded, version: version, unnamed: room) ?? []
        room -= max(removed.count - fold.removed.count, 0)
        forgetWithRows(removed)
        return true
    }

    /// A fold without what its session may not state.
    ///
    /// Only the fold of a session at another broker counts unfinished tasks: it is of all below a
    /// part.
    func ofOwn(_ fold: WireFold, _ id: SessionID) -> WireFold {
        guard sessions[id]?.way.broker == nil else { return fold }
        var fold = fold
        fold.clearBelow()
        return fold
    }

    /// Whether a session speaks for a task: it has begun it, or holds the ticket that it is.
    func speaks(_ id: SessionID, for task: TaskID) -> Bool {
        task.session == id || tickets.holdings[task]?.holder?.session == id
    }

    // MARK: Keyframes

    /// Notes which tasks a chunk of the keyframe mentions, as far as they have been taken in.
    private mutating func noteMentioned(_ report: WireReport, of id: SessionID) {
        guard sessions[id]?.keyframe?.isWhole(report.keyframe) == true else { return }
        for index in report.descriptions.lazy.map(\.index) + report.amountIndex
        where tree.hasRecord(of: TaskID(index: index, session: id)) {
            sessions.known.inPlace(id) { _ = $0.keyframe?.mentioned.insert(index) }
        }
    }

    /// The last chunk is in: what the session no longer states and has not ended is forgotten.
    private mutating func complete(_ report: WireReport, of id: SessionID, now: Moment) {
        guard let keyframe = sessions[id]?.keyframe, keyframe.isWhole(report.keyframe) else {
            return
        }
        sessions[id]?.keyframe = nil
        // The hello counted the looks for the first keyframe behind it. The broker asks for no
        // others.
        if sessions[id]?.hasDeliveredKeyframe == true {
            let looks = tree.count(of: id)
            guard takeLooks(at: looks, of: sessions.owner(of: id)) == nil else { return }
        }
        sessions[id]?.hasDeliveredKeyframe = true
        sessions[id]?.keyframesMissed = 0
        observeRestored(id)
        // Done before the sweep takes the bindings away: a keyframe does not state what has ended
        // below an inert redeemer either.
        forgetInert(of: id, except: keyframe.mentioned)
        // Tasks begun last are withdrawn first, so that none is left without its parent meanwhile.
        let withdrawn = tree.reporters(of: id).reversed().filter {
            !keyframe.mentioned.contains($0.index)
        }
        let step = SessionSweep.Step.withdrawn(sequence: report.sequence)
        sweep(id, SessionSweep(step: step, remaining: withdrawn[...]), now: now)
        if sessions.isSettling { endSettlingIfComplete(now: now) }
    }
}
