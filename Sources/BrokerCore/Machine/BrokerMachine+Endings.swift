import BusProtocol
import TaskTree
import TimeLeft

/// Endings: last words, on disk before they are acknowledged.
extension BrokerMachine {
    mutating func apply(_ frame: WireEndings, of id: SessionID, route: Route, now: Moment) {
        publication.isChanged = true
        var isUrgent = false
        let kept = outbox.entries.count
        let ahead = sessions[id]?.clockAhead ?? 0
        for ending in frame.endings {
            let ending = ending.setBack(by: ahead)
            isUrgent = apply(ending, of: id, version: frame.sequence, now: now) || isUrgent
        }
        var room = Self.unnamedRemovals
        // Another broker repeats its folds: those are kept that come with a final state, or come
        // without any row and count nothing unfinished.
        let isKept =
            sessions[id]?.way.broker == nil || frame.endings.contains { $0.statedState.isFinal }
        for fold in frame.folds where apply(fold, of: id, version: frame.sequence, &room) {
            if isKept || frame.endings.isEmpty && fold.below.live == 0 {
                remember(ofOwn(fold, id), of: id, version: frame.sequence)
            }
        }
        if sessions[id]?.way.broker != nil,
            !frame.endings.allSatisfy({
                tree.knows(TaskID(index: $0.description_p.index, session: id))
                    || sessions[id]?.removed.contains($0.description_p.index) == true
            })
        {
            // A task was refused: its broker repeats the frame, and shows the task meanwhile.
            return
        }
        if outbox.isJournalFull {
            let new = outbox.entries[kept...].filter { !$0.isRepeated }
            outbox.entries.replaceSubrange(kept..., with: new)
        } else {
            var journalled = WireEndingsJournalled()
            journalled.sequence = frame.sequence
            sendJournalled(.endingsJournalled(journalled), to: route)
        }
        // Failures, cancellations, pauses and ends of jobs are published before the next tick.
        if isUrgent { stepEarly(now: now) }
    }

    /// Applies one final row and says whether viewers should see it before the next tick.
    private mutating func apply(
        _ ending: WireEnding,
        of id: SessionID,
        version: UInt64,
        now: Moment
    ) -> Bool {
        let index = ending.description_p.index
        let reporter = TaskID(index: index, session: id)
        // The task has left with its job: the ending is acknowledged again, and nothing else.
        if sessions[id]?.removed.contains(index) == true { return false }
        describe(ending.description_p, of: id, version: version)
        guard tree.knows(reporter) else { return false }
        if ending.description_p.hasTicket, tickets.bindings[reporter] == nil,
            let ticket = ending.description_p.ticket.taskID(sender: id)
        {
            redeem(ticket, by: reporter, known: nil, now: now)
            guard tree.knows(reporter) else { return false }
        }
        let isRepeated = tree.hasStatedEnding(reporter)
        // The first ending counts: another one is acknowledged, and nothing else.
        if isRepeated, ending.statedState != tree.statement(of: reporter)?.state { return false }
        let former = tree.statement(of: reporter)?.state
        applyFinalRow(ending, to: reporter, version: version)
        var told = now
        var ending = ending
        if ending.statedState.isFinal {
            if ending.time <= 0 {
                ending.time = (isRepeated ? statedEnd(of: reporter) : nil) ?? unix(now)
            }
            note(end: ending.time, of: reporter)
            // The task's clock stands still from the end on, however late the broker hears of that.
            told = moment(unix: ending.time)
            if !ending.hasClock, let task = tree.taskID(of: reporter),
                let observation = records[task]?.observation
            {
                ending.clock = clock(of: observation, at: observation.ended ?? now)
            }
        }
        if ending.hasClock { take(ending.clock, of: reporter, now: told) }
        if ending.statedState.isFinal { giveTicketsTime(below: reporter, now: now) }
        switch ending.state {
        case .succeeded:
            remember(ending, of: reporter, version: version)
            return !ending.description_p.hasParent
        case .failed, .cancelled:
            remember(ending, of: reporter, version: version)
            return true
        case .running where ending.description_p.isTicket:
            // A ticket is acknowledged like an ending. The row of one that was cancelled unbegun
            // stays as it is.
            if tickets.holdings[reporter] != nil || tree.state(of: reporter) != .cancelled {
                remember(ending, of: reporter, version: version)
            }
            return false
        case .running, .paused, .UNRECOGNIZED:
            return ending.statedState != former
        }
    }

    /// Notes when a task ended: by its owner's word, or by the row that the broker writes in its
    /// place.
    mutating func note(end time: Double, of reporter: TaskID) {
        guard let task = tree.taskID(of: reporter), records[task] != nil else {
            knownTasks.facts[reporter, default: StatedFacts()].end = time
            return
        }
        // The end of a former attempt is not that of the task.
        if tree.reporter(of: task) == reporter { records[task]?.statedEnd = time }
    }

    /// When a task ended, as `note(end:of:)` was told last.
    func statedEnd(of reporter: TaskID) -> Double? {
        if let time = knownTasks.facts[reporter]?.end { return time }
        guard let task = tree.taskID(of: reporter), tree.reporter(of: task) == reporter else {
            return nil
        }
        return records[task]?.statedEnd
    }

    /// Applies the numbers, the detail and the state of a row that holds everything of a task.
    mutating func applyFinalRow(_ ending: WireEnding, to reporter: TaskID, version: UInt64) {
        tree.measure(reporter, ending.amounts, version: version)
        tree.detail(reporter, ending.detail, version: version)
        tree.state(reporter, ending.statedState, version: version)
    }
}
