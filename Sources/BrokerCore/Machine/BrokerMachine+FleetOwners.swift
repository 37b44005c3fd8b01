import BusProtocol
import TaskTree
import TimeLeft

/// Whose jobs tasks here are parts of: what hangs under a task of which nothing is known here, or has
/// redeemed it, may be another broker's.
extension BrokerMachine {
    /// Seconds between two looks for parts; between two looks at jobs, which may be very many.
    private static let (looksEvery, looksAtJobsEvery) = (0.25, 3.0)
    /// Seconds until all brokers are asked again for one task, and how often that is doubled: who asked in
    /// vain while hosts were busy is not to wait for a minute.
    private static let askAgainAfter = 3.0
    private static let mostDoublings = 2
    /// Seconds in which the owner's answer counts: where hosts are busy it is late, and no less true.
    private static let ownerIsAwaited = 6.0
    /// How often the broker of the session is asked for before the one that shows how a task ended is.
    private static let asksForOwner = 4
    /// How many tasks all brokers are asked for in one look.
    private static let asksPerLook = 8
    /// Above so many it is no matter of parts: they will be jobs here.
    private static let mostUnattached = 10_000

    /// Finds tasks that hang under what is not known here, and asks who knows it.
    mutating func findOwners(now: Moment) {
        guard isInFleet || !board.parts.parts.isEmpty, !sessions.isSettling,
            now.seconds(since: board.partsSought) >= Self.looksEvery
        else { return }
        board.partsSought = now
        findParts(now: now)
        for (id, part) in board.parts.parts {
            guard isForeign(part.name, of: id), tree.view(id) != nil else {
                // A session here reports its parent after all, or its own does not report it any more.
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

    /// Whether the newest attempt here has ended, its owner has a newer one, and a redeemer here, which is below
    /// that one, is shown below the old one.
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
            // A ticket may be a job here because no broker had answered when it was written to the journal.
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

    /// What hangs here under tasks of sessions of other brokers.
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

    /// Whether what a task hangs under may be another broker's.
    private func isForeign(_ name: TaskID, of id: TaskID) -> Bool {
        // Where two tasks each name the other as parent, neither is a part of the other.
        guard !detached.owns(name), tree.job(of: name) != id || name == id else { return false }
        guard let session = sessions[name.session] else {
            return !tree.knows(name) || isTicketElsewhere(name)
        }
        guard session.way.broker != nil else {
            // It has left this broker as a part, perhaps, which its owner shows still.
            return !tree.knows(name) && session.removed.contains(name.index)
        }
        // What another broker does is below its own part of the job, unless another attempt has replaced it.
        let isReporter = tree.taskID(of: name).map { tree.reporter(of: $0) == name }
        return isReporter ?? true || isTicketElsewhere(name)
    }

    /// Whether a ticket is held here whose issuer is another broker's.
    private func isTicketElsewhere(_ ticket: TaskID) -> Bool {
        tickets.holdings[ticket]?.holder != nil && !isDescribed(ticket)
    }

    /// Whether a session has described a task: the journal describes a ticket with version 0.
    func isDescribed(_ task: TaskID) -> Bool { tree.statement(of: task)?.version ?? 0 > 0 }

    /// What a task is a part of, where nothing is known of that here.
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
        // Below a part that is here it is in the sums of that.
        guard isForeign(name, of: id), id == name || tickets.holdings[name]?.holder == nil else {
            return nil
        }
        return FleetParts.Part(reporter: reporter, name: name)
    }

    /// The owner shows a task as a part of its job: it is no job here any more.
    mutating func handOver(_ task: TaskID, now: Moment) {
        guard let former = board.parts[task]?.answer else { return }
        // Of each attempt.
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

    /// Writes down what a part hangs under: after a restart without its process, what has ended below it would
    /// hang under nothing, and be jobs.
    private mutating func rememberTaken(_ task: TaskID) {
        guard let reporter = board.parts[task]?.reporter, !tree.hasStatedEnding(reporter),
            var row = lastRow(of: reporter, reason: Self.sessionIsOver)
        else { return }
        // It has not ended.
        row.time = 0
        row.clearClock()
        remember(row, of: reporter, version: tree.statement(of: reporter)?.version ?? 0)
    }

    /// The owner has gone, or does not know the job any more: who looks here is to see the task again.
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

    /// Whether a part hangs below another one that has not ended: it adds nothing to that one's sums.
    private func hasPart(below task: TaskID) -> Bool {
        (tree.children(of: task) + tree.formerAttemptChildren(of: task))
            .contains { board.parts[$0]?.isOver == false }
    }

    /// Whether the owner does not know yet how a part and what is below it ended.
    private func isOwed(_ task: TaskID, _ part: FleetParts.Part) -> Bool {
        !part.isOver || board.parts.owesFold(task) || hasPart(below: task)
    }

    /// Whether the owner has written down how a part and all below it ended, so that nothing is left to do here.
    func isTold(_ task: TaskID) -> Bool {
        guard let part = board.parts[task] else { return false }
        return !isOwed(task, part) && tree.hasStatedEnding(part.reporter)
            && !tree.hasLiveDescendants(task)
    }

    /// Whether an ended task is to stay, as its owner may not know yet how it and what is below it ended.
    func isAwaited(_ task: TaskID, now: Moment) -> Bool {
        guard let part = board.parts[task] else { return false }
        let ended = records[task]?.observation.ended ?? now
        return (part.owner == nil ? mayBeOwned(part) : isOwed(task, part))
            && now.seconds(since: ended) < configuration.untoldPartKept
    }

    /// Whether a broker may say yet that a task is a part of its job: not all have been heard, or asked.
    private func mayBeOwned(_ part: FleetParts.Part) -> Bool {
        part.asked.times <= Self.asksForOwner || !board.fleet.areAllHeard
    }
}
