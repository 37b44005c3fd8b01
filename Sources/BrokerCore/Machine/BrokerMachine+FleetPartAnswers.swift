import BusProtocol
import TaskTree

/// Takes in what the owners of jobs answer about parts here, and the commands that they give to
/// these parts.
extension BrokerMachine {
    /// Seconds for which an owner refuses a part before the part is a job here again.
    private static let refusalsFor = 60.0

    /// An owner answers a session here.
    mutating func hear(_ frame: WireBrokerFrame, for key: FleetRoute, now: Moment) {
        guard board.parts[key] != nil else { return }
        switch frame.body {
        case .who:
            if sessions[key.session]?.isPresent == true {
                board.parts.setWelcome(false, key)
            } else {
                setGone(key)
            }
        case .welcome(let welcome):
            board.parts.setWelcome(true, key)
            board.parts[key]?.goOn(from: welcome.sequence)
        case .endingsJournalled(let journalled):
            guard let (task, isEnding) = board.parts.heard(journalled.sequence, of: key) else {
                return
            }
            if isEnding { board.parts.setWritten(task) } else { board.parts[task]?.ending = .owed }
            handOver(task, now: now)
            leaveJournal(task)
        case .goodbyeAccepted: setGone(key)
        case .binding(let binding): adopt(binding, key, now: now)
        case .command(let delivery): carryOut(delivery, for: key, now: now)
        case .refusal(let refusal): hear(refusal, key, now: now)
        default: break
        }
    }

    /// The owner says that a session is gone; it hears of the session again if it does not know all
    /// endings.
    private mutating func setGone(_ key: FleetRoute) {
        guard sessions[key.session]?.isPresent != true else { return }
        let isToTell = (board.parts[key]?.parts ?? [:]).values.contains {
            board.parts[$0]?.isOver == false
                && (speaksByItself($0) || tree.state(of: $0)?.isEnded != true)
        }
        if isToTell { board.parts.setWelcome(false, key) } else { board.parts.setGone(key) }
    }

    /// Has the journal forget a part whose end the owner has written down.
    ///
    /// A restarted broker would otherwise show the part as a job once the owner's job has left.
    ///
    /// The part of a session that is present stays in the journal: after a restart the session
    /// states its tasks again, but the broker would not know how its tickets ended.
    mutating func leaveJournal(_ task: TaskID) {
        guard let part = board.parts[task], part.ending == .written,
            sessions[part.reporter.session]?.isPresent != true, isTold(task)
        else { return }
        board.parts[task]?.ending = .forgotten
        outbox.entries.append(.jobLeft(job: task))
    }

    private mutating func hear(_ said: WireRefusal, _ key: FleetRoute, now: Moment) {
        guard let task = board.parts[key]?.parts[said.index], let part = board.parts[task] else {
            return
        }
        switch RefusalCode(rawValue: said.code) {
        case .superseded:
            board.parts[task]?.isSuperseded = true
            guard !tree.hasStatedEnding(part.reporter), let route = sessions[key.session]?.route
            else { return }
            send(refusal(.superseded, said.sentence, index: said.index), to: route)
        case .unknownTask:
            // The part may have been another broker's, or the owner has just begun and not heard
            // everything.
            let since = part.refusedSince ?? now
            board.parts[task]?.refusedSince = since
            guard !part.isTaken || now.seconds(since: since) >= Self.refusalsFor else { return }
            giveBack(task, now: now)
            board.parts.clearOwner(of: task)
        default: break
        }
    }

    /// The owner has decided what the redeemer of a ticket is: that replaces what was decided here.
    private mutating func adopt(_ said: WireBinding, _ key: FleetRoute, now: Moment) {
        guard let task = board.parts[key]?.parts[said.index], let part = board.parts[task],
            let own = tickets.bindings[part.reporter]
        else { return }
        let decided: Binding
        switch (said.kind, own) {
        case (.holder, .holder), (.child, .child): return handOver(task, now: now)
        case (.holder, _): decided = .holder(of: part.name, attempt: max(said.attempt, 1))
        case (.child, _): decided = .child(of: part.name)
        case (.inert, _): decided = .inert
        case (.unknown, _), (.UNRECOGNIZED, _): return
        }
        giveBack(task, now: now)
        board.parts.remove(task)
        if tickets.holdings[part.name]?.holder == part.reporter {
            // The owner decides who holds the ticket.
            tickets.holdings[part.name] = nil
        }
        if case .holder = own {
            // Otherwise former attempts here would speak for the ticket again.
            makeInert(tree.attempts(of: part.name).filter { $0 != part.reporter }, of: part.name)
        }
        tickets.bind(part.reporter, to: decided)
        tree.bind(part.reporter, to: decided)
        if case .holder(let ticket, let attempt) = decided {
            tickets.holdings[ticket] = TicketHolding(attempt: attempt, holder: part.reporter)
        }
        remember(decided, of: part.reporter, ticket: part.name)
        publication.isChanged = true
        guard let route = sessions[key.session]?.route else { return }
        tell(decided, to: part.reporter, redeeming: part.name, route: route)
    }

    /// Shows these attempts at a ticket nowhere: its owner has a newer one.
    mutating func makeInert(_ attempts: [TaskID], of ticket: TaskID) {
        publication.isChanged = true
        for attempt in attempts {
            tickets.bind(attempt, to: .inert)
            tree.bind(attempt, to: .inert)
            remember(.inert, of: attempt, ticket: ticket)
        }
    }

    /// Carries out a command that a viewer of the owner has given to parts here.
    private mutating func carryOut(
        _ delivery: WireCommandDelivery,
        for key: FleetRoute,
        now: Moment
    ) {
        guard let conversation = board.parts[key],
            conversation.deliveries[delivery.delivery] == nil,
            let bridge = board.fleet.bridge
        else { return }
        let tasks = Set(delivery.index).compactMap { conversation.parts[$0] }
        guard !tasks.isEmpty else { return answer(delivery, .gone, key) }
        guard [.cancel, .pause, .resume].contains(delivery.verb) else {
            return answer(delivery, .unsupported, key)
        }
        guard tasks.count <= FleetParts.mostAsked,
            commands.room.mayTake(
                sessions.owner(of: bridge),
                of: configuration.commands - tasks.count
            )
        else { return answer(delivery, .noAnswer, key) }
        board.parts[key]?.deliveries[delivery.delivery] = (tasks.count, .gone)
        var command = WireCommandRequest()
        command.request = delivery.delivery
        command.verb = delivery.verb
        for task in tasks {
            let route = Route.elsewhere(key.session, of: key.broker)
            deliver(command, of: bridge, to: task, route: route, now: now)
        }
    }

    private mutating func answer(
        _ delivery: WireCommandDelivery,
        _ outcome: WireOutcome,
        _ key: FleetRoute
    ) {
        var answer = WireCommandAnswer()
        answer.delivery = delivery.delivery
        answer.outcome = outcome
        tell(.commandAnswer(answer), key)
    }

    /// The answer to a delivery, the worst of all, once all parts that were asked have answered.
    mutating func answer(_ result: WireCommandResult, for key: FleetRoute) -> WireClientFrame? {
        guard var delivery = board.parts[key]?.deliveries[result.request] else { return nil }
        if result.outcome.trouble > delivery.worst.trouble { delivery.worst = result.outcome }
        if result.last { delivery.awaited -= 1 }
        board.parts[key]?.deliveries[result.request] = delivery.awaited > 0 ? delivery : nil
        guard delivery.awaited <= 0 else { return nil }
        var answer = WireCommandAnswer()
        answer.delivery = result.request
        answer.outcome = delivery.worst
        if result.outcome == delivery.worst { answer.text = result.text }
        return frame(.commandAnswer(answer), key)
    }
}

extension WireOutcome {
    /// How bad an answer is: of several, the asker is told the one with the highest number.
    fileprivate var trouble: Int {
        switch self {
        // A session that is gone has nothing left to stop.
        case .gone: 0
        case .accepted: 1
        case .unknown, .UNRECOGNIZED, .unsupported: 2
        case .refused: 3
        case .noAnswer: 4
        }
    }
}
