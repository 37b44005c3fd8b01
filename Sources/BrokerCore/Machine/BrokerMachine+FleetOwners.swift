import BusProtocol
import TaskTree
import TimeLeft

/// Finds the brokers whose jobs have parts among the tasks here.
///
/// A task that hangs under a task unknown here, or has redeemed a ticket unknown here, may be such
/// a part.
extension BrokerMachine {
    /// Seconds between two looks for parts; between two looks at jobs, which may be very many.
    private static let (looksEvery, looksAtJobsEvery) = (0.25, 3.0)
    /// Seconds until all brokers are asked again for one task, and the number of the last question
    /// after which that time is doubled.
    ///
    /// The time stays short: a broker that asked in vain while hosts were busy soon asks again.
    private static let askAgainAfter = 3.0
    private static let mostDoublings = 2
    /// Seconds in which the owner's answer counts: a busy host answers late, but no less truly.
    private static let ownerIsAwaited = 6.0
    /// How many searches for a task ask for the broker of its session; later ones ask in turn for
    /// the one that shows how the task ended, and for that of the session.
    private static let asksForOwner = 4
    /// How many tasks all brokers are asked for in one look.
    private static let asksPerLook = 8
    /// With more unattached tasks than this, they are no matter of parts: they will be jobs here.
    private static let mostUnattached = 10_000

    /// Finds tasks that hang under names unknown here, and asks other brokers for those.
    mutating func findOwners(now: Moment) {
        guard isInFleet || !board.parts.parts.isEmpty, !sessions.isSettling,
            now.seconds(since: board.partsSought) >= Self.looksEvery
        else { return }
        board.partsSought = now
        findParts(now: now)
        for (id, part) in board.parts.parts {
            guard isForeign(part.name, of: id), tree.view(id) != nil else {
                // A session here reports the parent after all, or the task's own session reports
                // the task no more.
                giveBack(id, now: now)
                board.parts.remove(id)
                continue
            }
            if hidesNewerAttempt(id, part) {
                makeInert(tree.attempts(of: part.name), of: part.name)
                tickets.holdings[part.name] = nil
                giveBack(id, now: now)
                board.parts.remove(id)
                continue
            }
            if let owner = part.owner, part.isTaken, !board.fleet.has(broker: owner) {
                giveBack(id, now: now)
            }
        }
        askForOwners(now: now)
    }

    /// Whether the newest attempt here has ended and hides a newer one that the owner has.
    ///
    /// That is so where a redeemer that belongs below the newer attempt is shown below the old one.
    private func hidesNewerAttempt(_ id: TaskID, _ part: FleetParts.Part) -> Bool {
        part.isSuperseded && part.isOver && tree.reporter(of: id) == part.reporter
            && tree.hasStatedEnding(part.reporter)
            && tree.children(of: id).contains {
                tree.reporter(of: $0).map { tickets.bindings[$0] } == .child(of: part.name)
            }
    }

    /// Whether this broker has joined a fleet, whether or not anybody else of that is heard.
    var isInFleet: Bool { board.fleet.brokerCount > 0 || !board.pages.claimed.isEmpty }

    private mutating func findParts(now: Moment) {
        var found = tree.unattachedCount <= Self.mostUnattached ? tree.unattached : []
        if now.seconds(since: board.jobsSought) >= Self.looksAtJobsEvery {
            board.jobsSought = now
            // A ticket may be a job here because no broker had answered when it was written to the
            // journal.
            found += board.jobs.keys.filter { tree.isOrphan($0) || tickets.holdings[$0] != nil }
            found += belowParts
        }
        for id in found
        where board.parts[id] == nil && board.parts.parts.count < configuration.fleetParts {
            guard let part = foreignPart(id) else { continue }
            board.parts[id] = part
            if let owner = sessions[part.name.session]?.way.broker {
                board.parts.set(owner: owner, ofName: part.name)
            }
        }
    }

    /// The tasks here that hang under tasks of other brokers' sessions.
    private var belowParts: [TaskID] {
        sessions.known.filter { $0.value.way.broker != nil }.keys
            .flatMap { tree.reporters(of: $0) }
            .flatMap { tree.children(ofAttempt: $0) }
    }

    private mutating func askForOwners(now: Moment) {
        guard board.fleet.isAnyHeard else { return }
        var wanted: [TaskID: Moment] = [:]
        for part in board.parts.parts.values where part.owner == nil {
            // The first time at once.
            let wait =
                Self.askAgainAfter * Double((1 << min(part.asked.times, Self.mostDoublings)) / 2)
            guard now.seconds(since: part.asked.at) >= wait else { continue }
            wanted[part.name] = part.asked.at
        }
        for (name, _) in wanted.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) })
            .prefix(Self.asksPerLook)
        {
            let parts = board.parts.parts.filter { $0.value.name == name }
            let times = parts.values.map(\.asked.times).max() ?? 0
            let isFirst = times < Self.asksForOwner || !times.isMultiple(of: 2)
            let prefix = isFirst ? Self.ownerPrefix : Self.endedPrefix
            let question = FleetQuestions.Question(
                message: WireFleetQuestion(toAll: prefix + "\(name)"),
                request: 0,
                route: .nobody,
                asker: .others,
                content: .owner(of: name)
            )
            // Those that have no room now are asked with the next look.
            guard ask(question, patience: Self.ownerIsAwaited, now: now) else { return }
            for (id, part) in parts { board.parts[id]?.asked = (now, part.asked.times + 1) }
        }
    }

    /// Whether a name that a task hangs under may be another broker's.
    private func isForeign(_ name: TaskID, of id: TaskID) -> Bool {
        // Where two tasks each name the other as parent, neither is a part of the other.
        guard !detached.owns(name), tree.job(of: name) != id || name == id else { return false }
        guard let session = sessions[name.session] else {
            return !tree.knows(name) || isTicketElsewhere(name)
        }
        guard session.way.broker != nil else {
            // The name may be of a part that has left this broker while its owner still shows it.
            return !tree.knows(name) && session.removed.contains(name.index)
        }
        // What hangs under a task of another broker's session belongs below the part there, unless
        // another attempt has replaced that session's.
        let isReporter = tree.taskID(of: name).map { tree.reporter(of: $0) == name }
        return isReporter ?? true || isTicketElsewhere(name)
    }

    /// Whether a ticket is held here whose issuer is another broker's.
    private func isTicketElsewhere(_ ticket: TaskID) -> Bool {
        tickets.holdings[ticket]?.holder != nil && !isDescribed(ticket)
    }

    /// Whether a session has described a task: the journal describes a ticket with version 0.
    func isDescribed(_ task: TaskID) -> Bool { tree.statement(of: task)?.version ?? 0 > 0 }

    /// The part that a task is, if nothing is known here of what it hangs under; `nil` otherwise.
    private func foreignPart(_ id: TaskID) -> FleetParts.Part? {
        guard let reporter = tree.reporter(of: id), reporter.session != detached.session,
            let session = sessions[reporter.session], session.way.broker == nil
        else { return nil }
        let name: TaskID
        switch tickets.bindings[reporter] {
        case .holder(let ticket, _), .child(let ticket): name = ticket
        case .inert: return nil
        case nil:
            guard case .task(let parent)? = tree.statement(of: reporter)?.description.parent else {
                return nil
            }
            name = parent
        }
        // A task below a part that is here counts in the sums of that part.
        guard isForeign(name, of: id), id == name || tickets.holdings[name]?.holder == nil else {
            return nil
        }
        return FleetParts.Part(reporter: reporter, name: name)
    }

    /// The owner shows a task as a part of its job: it is no job here any more.
    mutating func handOver(_ task: TaskID, now: Moment) {
        guard let former = board.parts[task]?.answer else { return }
        // Once for each attempt.
        if former != .shown { rememberTaken(task) }
        board.parts[task]?.answer = .shown
        board.parts[task]?.refusedSince = nil
        guard former == .unknown else { return }
        publication.isChanged = true
        tree.setPart(task, true)
        tree.adoptOrphan(task)
        guard let record = records[task], let slot = record.slot else { return }
        // The journal keeps it as a job, with all that is below it, until it leaves.
        publication.unpublished.removed.append(
            RemovedTask(id: task, record: record, reason: "moved")
        )
        release(slot, of: task)
        records[task]?.slot = nil
        if let view = tree.view(task), view.state.isEnded { endJob(view, now: now) }
    }

    /// Journals what a part hangs under.
    ///
    /// Without that, after a restart without the part's process, ended tasks below the part would
    /// hang under nothing and be jobs.
    private mutating func rememberTaken(_ task: TaskID) {
        guard let reporter = board.parts[task]?.reporter, !tree.hasStatedEnding(reporter),
            var row = lastRow(of: reporter, reason: Self.sessionIsOver)
        else { return }
        // The part has not ended, so the row gets no end and no clock.
        row.time = 0
        row.clearClock()
        remember(row, of: reporter, version: tree.statement(of: reporter)?.version ?? 0)
    }

    /// Shows a part as a job here again, as its owner has gone or does not know the owning job any
    /// more.
    mutating func giveBack(_ task: TaskID, now: Moment) {
        guard board.parts.isTaken(task), !isTold(task) else { return }
        board.parts[task]?.answer = .unknown
        tree.setPart(task, false)
        guard let view = tree.view(task), view.parent == nil, records[task] != nil else { return }
        beginJob(view, now: now)
        if view.state.isEnded { endJob(view, now: now) }
        publication.unpublished.described.append(task)
        publication.isChanged = true
    }

    /// Whether a part whose end its owner does not know hangs below a task, to whose sums it adds
    /// nothing.
    private func hasPart(below task: TaskID) -> Bool {
        (tree.children(of: task) + tree.formerAttemptChildren(of: task))
            .contains { board.parts[$0]?.isOver == false }
    }

    /// Whether the owner does not know yet how a part and what is below it ended.
    private func isOwed(_ task: TaskID, _ part: FleetParts.Part) -> Bool {
        !part.isOver || board.parts.owesFold(task) || hasPart(below: task)
    }

    /// Whether the owner has written down how a part and all below it ended, so that nothing is
    /// left to do here.
    func isTold(_ task: TaskID) -> Bool {
        guard let part = board.parts[task] else { return false }
        return !isOwed(task, part) && tree.hasStatedEnding(part.reporter)
            && !tree.hasLiveDescendants(task)
    }

    /// Whether an ended task is to stay, as its owner may not know yet how it and what is below it
    /// ended.
    func isAwaited(_ task: TaskID, now: Moment) -> Bool {
        guard let part = board.parts[task] else { return false }
        let ended = records[task]?.observation.ended ?? now
        return (part.owner == nil ? mayBeOwned(part) : isOwed(task, part))
            && now.seconds(since: ended) < configuration.untoldPartKept
    }

    /// Whether a broker may say yet that a task is a part of its job: not all have been heard, or
    /// asked.
    private func mayBeOwned(_ part: FleetParts.Part) -> Bool {
        part.asked.times <= Self.asksForOwner || !board.fleet.areAllHeard
    }
}
