import BusProtocol
import TaskTree
import TimeLeft

/// Writes what must be remembered into the journal, and restores it in a new broker.
///
/// A row's payload is an `Endings` message with one ending (or fold): it has the sequence and all
/// fields. A row without a final state is that of a ticket, of a task that goes on, or of a lost
/// one, whose reason says why.
extension BrokerMachine {
    mutating func remember(_ ending: WireEnding, of reporter: TaskID, version: UInt64) {
        var row = WireEndings()
        row.sequence = version
        row.endings = [ending]
        write(row, of: reporter, job: knownJob(of: reporter))
    }

    /// Writes a row once more whose job or place was not known when it was written.
    ///
    /// The row then leaves the journal with its job, and the next broker shows the task in its
    /// place.
    mutating func rehomeRow(of reporter: TaskID, job: TaskID) {
        guard let payload = knownTasks.rowsWithoutPlace[reporter],
            let row = Payload.decode(WireEndings.self, from: payload)
        else { return }
        write(row, of: reporter, job: job)
    }

    private mutating func write(_ row: WireEndings, of reporter: TaskID, job: TaskID?) {
        var row = row
        let task = tree.taskID(of: reporter)
        let record = task.flatMap { records[$0] }
        record?.place.map { row.endings[0].description_p.place = UInt32(clamping: $0) }
        record?.cell.map { row.endings[0].description_p.cell = UInt32(clamping: $0) }
        let bytes = Payload.encode(row)
        outbox.entries.append(.row(reporter: reporter, job: job, payload: bytes))
        // An older row that still waits must never be written over this one.
        let isPlaced = job != nil && (job == task || record?.place != nil)
        knownTasks.rowsWithoutPlace[reporter] = isPlaced ? nil : bytes
    }

    mutating func remember(_ fold: WireFold, of id: SessionID, version: UInt64) {
        guard let parent = fold.parent.taskID(sender: id) else { return }
        var payload = WireEndings()
        payload.sequence = version
        payload.folds = [fold]
        outbox.entries.append(
            .fold(
                session: id,
                parent: parent,
                job: knownJob(of: parent),
                payload: Payload.encode(payload)
            )
        )
    }

    mutating func remember(_ binding: Binding, of reporter: TaskID, ticket: TaskID) {
        // An inert redeemer is in no job itself, and its binding leaves with the ticket's job.
        let job = knownJob(of: reporter) ?? knownJob(of: ticket)
        if job == nil { knownTasks.bindingsWithoutJob.insert(reporter) }
        let task =
            switch binding {
            case .holder(let task, _), .child(let task): task
            case .inert: reporter
            }
        let wire = WireBinding(index: reporter.index, binding, task: task)
        outbox.entries.append(.bound(reporter: reporter, job: job, payload: Payload.encode(wire)))
    }

    /// Writes the last row of a task.
    ///
    /// `reason` says why a task is lost that has not ended when its session is gone.
    mutating func rememberLastRow(of reporter: TaskID, reason: String) {
        guard let row = lastRow(of: reporter, reason: reason) else { return }
        if tellsEnd(row) { note(end: row.time, of: reporter) }
        remember(row, of: reporter, version: tree.statement(of: reporter)?.version ?? 0)
    }

    /// All that a task's owner has stated; `reason` where that is no final state.
    func lastRow(of reporter: TaskID, reason: String) -> WireEnding? {
        guard let statement = tree.statement(of: reporter) else { return nil }
        var row = WireEnding()
        row.description_p = WireDescription(index: reporter.index, statement.description)
        (row.state, row.reason) = statement.state.wire
        if !row.statedState.isFinal { row.reason = reason }
        row.completed = statement.amounts.completed
        row.total = statement.amounts.total ?? -1
        row.detail = statement.detail
        let record = tree.taskID(of: reporter).flatMap { records[$0] }
        if let observation = record?.observation {
            let end = row.statedState.isFinal ? observation.ended : nil
            row.clock = clock(of: observation, at: end ?? clock.lastTick)
        }
        row.time = statedEnd(of: reporter) ?? unix(clock.lastTick)
        return row
    }

    /// Whether the time of a row that was written down is that of an end: tickets are written down
    /// when they are made, all others when they have ended or are lost.
    private func tellsEnd(_ row: WireEnding) -> Bool {
        row.statedState.isFinal || !row.description_p.isTicket || row.reason == Self.neverBegun
    }

    /// The clock of a task as this broker has observed it.
    func clock(of observation: TaskObservation, at now: Moment) -> WireClock {
        var clock = WireClock()
        clock.elapsed = milliseconds(now.seconds(since: observation.begun))
        clock.active = milliseconds(observation.active(at: now))
        clock.sinceAdvance = milliseconds(now.seconds(since: observation.lastAdvance))
        return clock
    }

    private func milliseconds(_ seconds: Double) -> UInt64 {
        UInt64(min(max(0, seconds * 1_000), Double(ProtocolLimits.maxMilliseconds)))
    }

    private func knownJob(of reporter: TaskID) -> TaskID? {
        tree.taskID(of: reporter).flatMap { tree.job(of: $0) }
    }

    // MARK: After a restart

    mutating func restore(_ journal: [JournalEntry], now: Moment) {
        guard !journal.isEmpty else { return }
        for entry in journal { restoreBook(entry, now: now) }
        for entry in journal { restoreBinding(entry) }
        for entry in journal { restoreTask(entry, now: now) }
        for ticket in tickets.holdings.keys where tree.knows(ticket) && !tree.isTicket(ticket) {
            releaseHolders(ofNoTicket: ticket)
        }
        for (id, session) in sessions.known where !session.isPresent {
            for reporter in tree.reporters(of: id) where tree.isUnshown(reporter) {
                forgetUnshown(reporter)
            }
            dropIfUnused(id)
        }
        let awaited = sessions.restored.count
        if awaited == 0 {
            knownTasks.facts = knownTasks.facts.filter { tree.hasRecord(of: $0.key) }
        } else {
            beginSettling(now: now)
        }
        publication.isChanged = true
        let count = String(journal.count)
        log(.info, "read the journal", ["entries": count, "awaited": String(awaited)])
    }

    /// Restores what rows refer to: sessions, jobs and slots.
    private mutating func restoreBook(_ entry: JournalEntry, now: Moment) {
        switch entry {
        case .sessionWelcomed(let bytes, let id, let hello, let isPresent):
            guard let credential = SessionCredential(bytes),
                let hello = Payload.decode(WireHello.self, from: hello)
            else { return }
            // Only a journal edited by hand has two entries of one session: the first one is taken
            // back.
            set(id, .ended)
            var session = Session(
                id: id,
                credential: credential,
                hello: hello,
                phase: isPresent ? .awaited : .ended,
                lastHeard: now
            )
            session.way.broker = hello.broker == 0 ? nil : hello.broker
            sessions.put(session)
            guard isPresent else { return }
            sessions.admissions.enter(session)
            sessions.restored.insert(id)
            watchRestoredProcess(of: id)
            clock.timers.add(.session(id), at: now.advanced(bySeconds: configuration.lostAfter))
        case .slot(let key, let slot, let used):
            board.slots.remember(key: key, slot: slot, used: used)
        case .boardPages(let payload):
            let said = Payload.decode(WireFleetPages.self, from: payload)
            board.pages.claimed = said?.pages.map { Int($0) } ?? []
        case .jobBegan(let job, let key, _, let slot, _):
            knownTasks.jobs[job] = KnownJob(key: key, slot: slot)
        case .detachedRequest(let bytes, let number, let time, let task):
            guard let id = DetachedRequestID(bytes) else { return }
            detached.requests.restore(id, number: number, time: time, task: task)
        case .sessionLeft, .sessionForgotten, .jobLeft, .bound, .row, .fold, .dismissed,
            .earlierRuns, .slotForgotten, .detachedSession, .detachedRequestsForgotten:
            break
        }
    }

    /// Why a task is lost whose session the journal knows as gone.
    static let sessionIsOver = "its session is over"

    /// Restores the holders of tickets, before statements of holders or tickets.
    private mutating func restoreBinding(_ entry: JournalEntry) {
        guard case .bound(let reporter, let job, let payload) = entry,
            let wire = Payload.decode(WireBinding.self, from: payload),
            let binding = wire.binding(), tree.bind(reporter, to: binding)
        else { return }
        tickets.bind(reporter, to: binding)
        if job == nil { knownTasks.bindingsWithoutJob.insert(reporter) }
        // The session may have died before it said more than this; anything that it says is newer.
        if !sessions.restored.contains(reporter.session) {
            tree.infer(.lost(reason: Self.sessionIsOver), about: reporter)
        }
        if case .holder(let ticket, let attempt) = binding, tree.isHolder(reporter),
            attempt > tickets.holdings[ticket]?.attempt ?? 0
        {
            tickets.holdings[ticket] = TicketHolding(
                attempt: min(attempt, ProtocolLimits.maxAttempt),
                holder: reporter
            )
        }
    }

    private mutating func restoreTask(_ entry: JournalEntry, now: Moment) {
        switch entry {
        case .jobBegan(let job, let key, let title, let slot, let begun):
            // A job whose parent was forgotten has no slot, and the journal still has it with the
            // one that somebody else was given since.
            if !board.slots.claim(slot: slot, key: key) {
                knownTasks.jobs[job]?.slot = nil
            }
            // The job is shown even if its owner never comes back; anything that the owner says is
            // newer.
            var description = TaskDescription(parent: .none, title: title)
            description.key = key
            description.begun = begun
            // Where no broker has heard the issuer, a ticket that was redeemed is shown as a job.
            description.isTicket = tickets.holdings[job] != nil
            tree.describe(job, description, version: 0)
        case .row(let reporter, let job, let payload):
            guard let kept = Payload.decode(WireEndings.self, from: payload),
                let row = kept.endings.first
            else { return }
            if job == nil { knownTasks.rowsWithoutPlace[reporter] = payload }
            restore(row, of: reporter, version: kept.sequence)
            if detached.owns(reporter) {
                restoreDetached(row, of: reporter, now: now)
            } else {
                conclude(from: row, of: reporter)
            }
        case .fold(let session, let parent, _, let payload):
            guard let kept = Payload.decode(WireEndings.self, from: payload),
                let fold = kept.folds.first
            else { return }
            tree.fold(session, under: parent, fold.folded(), version: kept.sequence)
        case .dismissed(let task, _):
            knownTasks.dismissed.insert(task)
        case .earlierRuns(let job, let runs): knownTasks.jobs[job]?.earlierRuns = runs
        case .sessionWelcomed, .sessionLeft, .sessionForgotten, .jobLeft, .bound, .slot,
            .slotForgotten, .detachedSession, .detachedRequest, .detachedRequestsForgotten,
            .boardPages:
            break
        }
    }

    private mutating func restore(_ row: WireEnding, of reporter: TaskID, version: UInt64) {
        let description = row.description_p.taskDescription(sender: reporter.session)
        tree.describe(reporter, description, version: version)
        applyFinalRow(row, to: reporter, version: version)
        claimPlace(row.description_p, of: tree.taskID(of: reporter) ?? reporter)
    }

    private mutating func conclude(from row: WireEnding, of reporter: TaskID) {
        if row.time > 0, tellsEnd(row) {
            knownTasks.facts[reporter, default: StatedFacts()].end = row.time
        }
        if row.hasClock { knownTasks.facts[reporter, default: StatedFacts()].clock = row.clock }
        if row.description_p.isTicket {
            guard row.reason == Self.neverBegun else { return }
            tree.infer(.cancelled(reason: row.reason), about: reporter)
        } else if !row.statedState.isFinal, !sessions.restored.contains(reporter.session) {
            tree.infer(Self.conclusion(from: row.reason), about: reporter)
        }
    }

    /// Notes where a task was shown before this broker began.
    mutating func claimPlace(_ description: WireDescription, of task: TaskID) {
        guard description.hasPlace || description.hasCell else { return }
        knownTasks.facts[task, default: StatedFacts()].claim = PlaceClaim(
            place: description.hasPlace ? Int(description.place) : nil,
            cell: description.hasCell ? Int(description.cell) : nil
        )
    }
}
