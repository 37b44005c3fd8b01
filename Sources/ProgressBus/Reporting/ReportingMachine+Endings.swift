import BusProtocol
import TaskTree

/// Endings and tickets, which are kept until a broker has journalled them.
extension ReportingMachine {
    /// Ends a task; of several endings the first one counts.
    ///
    /// If it failed or was cancelled, the unfinished tasks below it end as cancelled. A child that
    /// `isWithdrawn` disappears as if it had never begun, unless it has children itself.
    @discardableResult
    mutating func end(
        _ index: UInt64,
        _ state: StatedState,
        isWithdrawn: Bool = false,
        at now: Moment
    ) -> RequestEffects {
        guard let record = tasks[index], !record.isEnded, !record.isTicket else {
            return RequestEffects()
        }
        var effects = RequestEffects()
        if state != .succeeded {
            // Children before their parents, which may then be folded with them.
            for below in tasks.unfinished(below: record).reversed() {
                below.insert(.cancel)
                if let body = below.handlers?.body { effects.cancelled.append(body) }
                if below.holders > 0 { effects.released.append(below.index) }
                finish(below, .cancelled(reason: "parent ended"), at: now)
            }
        }
        if record.holders > 0 { effects.released.append(index) }
        finish(record, state, isWithdrawn: isWithdrawn, at: now)
        return effects
    }

    private mutating func finish(
        _ record: ReportedTask,
        _ state: StatedState,
        isWithdrawn: Bool = false,
        at now: Moment
    ) {
        let index = record.index
        let wasPaused = record.state == .paused
        record.times.endPause(at: now)
        // Steps may have come since the last reading: the amount at the end counts.
        record.take(record.reading, at: now)
        record.retire()
        endings.kept += 1
        record.state = state
        let above = record.parent == 0 ? nil : tasks[record.parent]
        if let above {
            let family = above.ownFamily
            family.unfinished -= 1
            if wasPaused { family.paused -= 1 }
            if above.isHeldByChildren || family.paused > 0 {
                holdWithChildren(above.index, at: now)
            }
            if isWithdrawn, foldAway(record, into: above, isCounted: false, at: now) { return }
            if foldIfShort(record, into: above, at: now) { return }
        }
        endings.lastNumber += 1
        record.ending.at = now
        record.ending.wallTime = wallTime(at: now)
        record.handlers = nil
        record.ending.number = endings.lastNumber
        endings.unacknowledged.insert(index)
        queueRow(index, isEarly: above == nil || state != .succeeded, at: now)
        guard let above else {
            endings.jobs.append(index)
            return limitEndedJobs()
        }
        above.ownFamily.ended.append(index, hasFailed: state.hasFailed)
        limitEndedChildren(of: above, at: now)
    }

    /// Sends a ticket's row as an ending is sent, so that the broker acknowledges it.
    ///
    /// A redeemer may still work when this session and its broker are gone: then only the
    /// journalled row tells where that work belongs.
    mutating func promise(_ ticket: ReportedTask, at now: Moment) {
        endings.lastNumber += 1
        ticket.ending.number = endings.lastNumber
        endings.unacknowledged.insert(ticket.index)
        queueRow(ticket.index, isEarly: true, at: now)
    }

    /// Puts a task's row into the next frame of endings; an early row brings that frame forward.
    mutating func queueRow(_ index: UInt64, isEarly: Bool, at now: Moment) {
        // A frame under way holds an older row now: its acknowledgement no longer counts.
        guard let record = tasks[index] else { return }
        record.ending.sentIn = 0
        guard link.isWelcomed else { return }
        if !record.ending.isQueued {
            record.ending.isQueued = true
            endings.queue.append(index)
            if endings.queue.count > 2 * tasks.count + 1_000 {
                endings.queue.removeAll { tasks[$0] == nil }
            }
        }
        scheduleEndings(isEarly: isEarly, at: now)
    }

    mutating func scheduleEndings(isEarly: Bool, at now: Moment) {
        guard link.isWelcomed else { return }
        let gap = isEarly ? min(Self.earlyGap, tick) : tick
        var moment = endings.lastFrame.map { max($0.later(by: gap), now) } ?? now
        if !isEarly { moment = max(moment, now.later(by: min(Self.gathering, tick))) }
        endings.due = endings.due.map { min($0, moment) } ?? moment
    }

    /// The next frame of endings, if one is due.
    mutating func nextEndings(at now: Moment) -> WireEndings? {
        if let due = endings.repeatDue, now >= due {
            for sequence in endings.outstanding.keys.sorted() {
                endingsNotTaken(sequence, at: now)
            }
        }
        guard let due = endings.due, now >= due, endings.hasSomething,
            endings.outstanding.count < Self.endingsWindow
        else { return nil }
        var frame = WireEndings()
        var contents = Endings.Frame(indices: [], folds: [], sent: now)
        var room = ReportingFrame.bytes
        var names = ProtocolLimits.removedIndices
        frame.sequence = nextSequence()
        var taken = 0
        while taken < endings.foldQueue.count, room > 0 {
            let parent = endings.foldQueue[taken]
            guard let book = tasks[parent]?.fold, book.isQueued else {
                taken += 1
                continue
            }
            guard book.removed.count <= names else { break }
            taken += 1
            names -= book.removed.count
            book.isQueued = false
            room -= book.estimatedBytes
            frame.folds.append(book.wire(below: parent, of: identity.session))
            contents.folds.append((parent, book.version, book.removedEnd))
        }
        endings.foldQueue.removeFirst(taken)
        taken = 0
        while taken < endings.queue.count, room > 0 {
            let index = endings.queue[taken]
            taken += 1
            guard let record = tasks[index], record.ending.isQueued else { continue }
            record.ending.isQueued = false
            record.ending.sentIn = frame.sequence
            record.wasStated = true
            room -= record.estimatedBytes + 40
            frame.endings.append(wireEnding(of: record, at: now))
            contents.indices.append(index)
        }
        endings.queue.removeFirst(taken)
        endings.due = endings.hasSomething ? now.later(by: min(Self.earlyGap, tick)) : nil
        guard !contents.indices.isEmpty || !contents.folds.isEmpty else { return nil }
        endings.lastFrame = now
        endings.outstanding[frame.sequence] = contents
        return frame
    }

    /// A frame of endings could not be sent, or was not answered: its rows wait again.
    mutating func endingsNotTaken(_ sequence: UInt64, at now: Moment) {
        guard let frame = endings.outstanding.removeValue(forKey: sequence) else { return }
        for index in frame.indices {
            guard let record = tasks[index], !record.ending.isQueued,
                record.ending.sentIn == sequence
            else {
                continue
            }
            record.ending.sentIn = 0
            record.ending.isQueued = true
            endings.queue.append(index)
        }
        for (parent, _, _) in frame.folds { queueFold(tasks[parent], at: now) }
        endings.due = now
    }

    mutating func queueFold(_ parent: ReportedTask?, at now: Moment) {
        guard link.isWelcomed, let parent, let fold = parent.fold, !fold.isQueued else { return }
        fold.isQueued = true
        endings.foldQueue.append(parent.index)
        scheduleEndings(isEarly: false, at: now)
    }

    /// The broker has a frame of endings in its journal.
    mutating func journalled(_ sequence: UInt64, at now: Moment) {
        guard let frame = endings.outstanding.removeValue(forKey: sequence) else { return }
        extendWaiters(at: now)
        for fold in frame.folds {
            guard let parent = tasks[fold.parent], let book = parent.fold else { continue }
            let hadNoRoom = 2 * book.removed.count > FoldBook.removedLimit
            book.acknowledge(version: fold.version, removedEnd: fold.removedEnd)
            // Children for which the fold had no room may be folded now.
            if hadNoRoom {
                limitEndedChildren(of: parent, atMost: FoldBook.removedLimit, at: now)
            }
            if book.isAcknowledged {
                endings.unacknowledgedFolds.remove(fold.parent)
                settle(fold.parent)
            }
        }
        for index in frame.indices {
            guard let record = tasks[index], record.isEnded || record.isTicket,
                record.ending.sentIn == sequence
            else { continue }
            endings.unacknowledged.remove(index)
            settle(index)
        }
    }

    /// Queues all kept endings anew after a welcome, acknowledged ones too, in case the broker has
    /// lost its journal.
    mutating func repeatEndings(at now: Moment) {
        endings.outstanding = [:]
        for index in endings.queue { tasks[index]?.ending.isQueued = false }
        for parent in endings.foldQueue { tasks[parent]?.fold?.isQueued = false }
        endings.queue = []
        endings.foldQueue = []
        let rows = endings.unacknowledged.union(tasks.values.lazy.filter(\.isEnded).map(\.index))
        for index in rows.sorted() { queueRow(index, isEarly: true, at: now) }
        for parent in endings.unacknowledgedFolds.sorted() { queueFold(tasks[parent], at: now) }
        if endings.hasSomething { endings.due = now }
    }

    /// Whether every ending and fold up to a number was acknowledged.
    func isAcknowledged(upTo number: UInt64) -> Bool {
        let isRowMissing = endings.unacknowledged.contains {
            (tasks[$0]?.ending.number ?? .max) <= number
        }
        let isFoldMissing = endings.unacknowledgedFolds.contains {
            (tasks[$0]?.fold?.number ?? .max) <= number
        }
        return !isRowMissing && !isFoldMissing
    }
}

extension StatedState {
    var hasFailed: Bool {
        if case .failed = self { true } else { false }
    }
}
