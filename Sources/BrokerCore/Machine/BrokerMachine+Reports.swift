import BusProtocol
import TaskTree

/// Reports: columns of newest values, and keyframes that replace everything of a session.
extension BrokerMachine {
    /// Keeps a report of a session whose hello travels on another socket and may be later.
    mutating func keepEarly(_ report: WireReport, credential: SessionCredential, now: Moment) {
        if earlyReports.count >= configuration.earlyReports {
            let dropped = earlyReports.removeFirst()
            droppedEarlyReports.insert(dropped.credential)
            refused += 1
        }
        if earlyReports.isEmpty {
            timers.add(.earlyReports, at: now.advanced(bySeconds: configuration.lostAfter))
        }
        earlyReports.append(EarlyReport(credential: credential, report: report, arrived: now))
    }

    /// Applies what came before the hello; asks for a keyframe if some of it had to be dropped.
    mutating func replayEarly(credential: SessionCredential, id: SessionID, now: Moment) {
        let mine = earlyReports.filter { $0.credential == credential }
        if !mine.isEmpty {
            earlyReports.removeAll { $0.credential == credential }
            for early in mine { apply(early.report, of: id, now: now) }
        }
        if droppedEarlyReports.remove(credential) != nil, let route = sessions[id]?.route {
            send(.keyframeWanted(WireKeyframeWanted()), to: route)
        }
    }

    mutating func dropStaleEarlyReports(now: Moment) {
        earlyReports.removeAll { now.seconds(since: $0.arrived) >= configuration.lostAfter }
        droppedEarlyReports = []
        if let first = earlyReports.first {
            timers.add(
                .earlyReports,
                at: first.arrived.advanced(bySeconds: configuration.lostAfter)
            )
        }
    }

    mutating func apply(_ report: WireReport, of id: SessionID, now: Moment) {
        guard let standing = standing(of: id), standing.phase != .ended, !standing.isViewer
        else {
            refused += 1
            return
        }
        if standing.phase != .awaited { hear(id, from: nil, now: now) }
        isChanged = true
        sessions.inPlace(id) { $0.arrived(report.sequence) }
        if report.keyframe != 0 { follow(report, of: id) }

        for description in report.descriptions {
            describe(description, of: id, version: report.sequence, now: now)
        }
        measure(report, of: id, removed: standing.removed)
        for (row, index) in report.detailIndex.enumerated() {
            state(index, of: id) { tree, reporter in
                tree.detail(reporter, report.detail[row].oneLine, version: report.sequence)
            }
        }
        for change in report.states {
            state(change.index, of: id) { tree, reporter in
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
        for fold in report.folds {
            apply(fold, of: id, version: report.sequence)
        }
        for line in report.logs { log(line, of: id, now: now) }
        if report.probe != 0 { answerProbe(report.probe, now: now) }
        if report.keyframe != 0, report.keyframeLast { complete(report, of: id, now: now) }
        answerSyncs(of: id, now: now)
        if case .closing(let sequence) = self.standing(of: id)?.phase, report.sequence >= sequence {
            close(id, now: now)
        }
    }

    /// Takes in the numbers, of which most reports consist.
    private mutating func measure(
        _ report: WireReport,
        of id: SessionID,
        removed: IndexRanges
    ) {
        let (indices, completed, totals) = (report.amountIndex, report.completed, report.total)
        let isAnyRemoved = !removed.isEmpty
        var cursor = TaskTable.Cursor()
        for row in indices.indices {
            let index = indices[row]
            guard !isAnyRemoved || !removed.contains(index) else { continue }
            tree.measure(
                TaskID(index: index, session: id),
                TaskAmounts(completed: completed[row], total: totals[row] < 0 ? nil : totals[row]),
                version: report.sequence,
                near: &cursor
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
    mutating func describe(
        _ wire: WireDescription,
        of id: SessionID,
        version: UInt64,
        now: Moment
    ) {
        guard let session = sessions[id], !session.removed.contains(wire.index) else { return }
        let reporter = TaskID(index: wire.index, session: id)
        let size = wire.title.utf8.count + wire.consequence.utf8.count + wire.key.utf8.count
        let isWithinText =
            sessions[id]?.text.spend(size, limit: configuration.textPerSecond, at: now) ?? false
        let isNew = !tree.knows(reporter)
        if isNew {
            guard session.taskCount < configuration.tasksPerSession else {
                refuse(
                    .quotaTasks,
                    """
                    Session \(id) already has \(configuration.tasksPerSession) tasks; \
                    end some or fold them.
                    """,
                    of: id,
                    index: wire.index
                )
                return
            }
            guard isWithinText else {
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
            sessions[id]?.taskCount += 1
        }
        tree.describe(reporter, wire.taskDescription(sender: id), version: version)
        // Who takes it may live longer than its issuer and this broker; nobody else could say then
        // where it belongs.
        if isNew, wire.isTicket, !isJournalFull { rememberLastRow(of: reporter, reason: "") }
        refuseIfTooDeep(wire, of: id)
        if wire.hasPlace || wire.hasCell, records[reporter]?.place == nil {
            claims[reporter] = PlaceClaim(
                place: wire.hasPlace ? Int(wire.place) : nil,
                cell: wire.hasCell ? Int(wire.cell) : nil
            )
        }
    }

    /// Says so of a task that is in no job, as its parent is as deep as a task may be.
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

    private mutating func take(_ clock: WireClock, of reporter: TaskID, now: Moment) {
        if let id = tree.taskID(of: reporter), records[id] != nil {
            restoreClock(clock, of: id, now: now)
        } else if tree.knows(reporter) {
            clocks[reporter] = clock
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

    mutating func apply(_ fold: WireFold, of id: SessionID, version: UInt64) {
        guard fold.hasParent, let parent = fold.parent.taskID(sender: id) else { return }
        if parent.session == id, sessions[id]?.removed.contains(parent.index) == true { return }
        for index in fold.removed where tree.knows(TaskID(index: index, session: id)) {
            sessions[id]?.taskCount -= 1
            forgetRow(of: TaskID(index: index, session: id))
        }
        tree.fold(id, under: parent, fold.folded(), version: version)
    }

    // MARK: Keyframes

    /// Notes which tasks a chunk mentions, as long as the chunks come in order.
    private mutating func follow(_ report: WireReport, of id: SessionID) {
        if report.keyframeChunk == 0 {
            sessions[id]?.keyframe = KeyframeProgress(number: report.keyframe)
        }
        guard var keyframe = sessions[id]?.keyframe, keyframe.number == report.keyframe,
            keyframe.nextChunk == report.keyframeChunk
        else {
            sessions[id]?.keyframe = nil
            if let route = sessions[id]?.route {
                send(.keyframeWanted(WireKeyframeWanted()), to: route)
            }
            return
        }
        keyframe.nextChunk += 1
        keyframe.mentioned.formUnion(report.descriptions.map(\.index))
        keyframe.mentioned.formUnion(report.amountIndex)
        sessions[id]?.keyframe = keyframe
    }

    /// The last chunk is in: what the session no longer states and has not ended is forgotten.
    private mutating func complete(_ report: WireReport, of id: SessionID, now: Moment) {
        guard let keyframe = sessions[id]?.keyframe, keyframe.number == report.keyframe else {
            return
        }
        sessions[id]?.keyframe = nil
        sessions[id]?.hasDeliveredKeyframe = true
        restored.remove(id)
        observable.formUnion(unobserved)
        for reporter in tree.reporters(of: id)
        where !keyframe.mentioned.contains(reporter.index) && !tree.hasStatedEnding(reporter) {
            // Else it would be waiting again after a restart.
            if tree.isTicket(reporter) { forgetRow(of: reporter) }
            tree.forget(reporter)
            sessions[id]?.taskCount -= 1
        }
        if isSettling { endSettlingIfComplete(now: now) }
    }
}
