import BusProtocol
import TaskTree

/// Commands: from a viewer to every session that owns a descendant, and the answers back.
extension BrokerMachine {
    mutating func apply(
        _ command: WireCommandRequest,
        of id: SessionID,
        from route: Route,
        now: Moment
    ) {
        if let sentence = whyNoMoreCommands(of: id) {
            return send(refusal(.busy, sentence, request: command.request), to: route)
        }
        // The target may have been reported a moment ago, and not be in the tree's results yet.
        settleForDecision(now: now)
        let named = command.target.taskID(sender: id)
        if passOn(.command(command), about: named, of: id, to: route, now: now) { return }
        guard let target = named, let view = tree.view(target) else {
            let sentence = "There is no such task on this bus; look at its id again."
            return send(refusal(.unknownTask, sentence, request: command.request), to: route)
        }
        if let sentence = whyNoMoreLooks(of: sessions.owner(of: id), at: view.counts.sum) {
            return send(refusal(.busy, sentence, request: command.request), to: route)
        }
        switch command.verb {
        case .dismiss:
            let (outcome, text) = dismiss(target, now: now)
            result(outcome, text, request: command.request, to: route)
        case .cancel, .pause, .resume:
            deliver(command, of: id, to: target, route: route, now: now)
        case .unknown, .UNRECOGNIZED:
            let text = "This broker does not know that command."
            result(.unsupported, text, request: command.request, to: route)
        }
    }

    /// Why a session may not ask for another command now; `nil` if it may.
    private mutating func whyNoMoreCommands(of id: SessionID) -> String? {
        let perSecond = configuration.commandsPerSecond
        guard commands.allowance.spend(.command(id), limit: perSecond) else {
            return "A session may ask for \(perSecond) commands in a second; ask more slowly."
        }
        let asker = sessions.owner(of: id)
        guard commands.room.mayTake(asker, of: configuration.commands) else {
            return """
                \(commands.count) commands wait for answers, \(commands.room[asker]) of \(asker), \
                which gets no more of \(configuration.commands) than it leaves; try again later.
                """
        }
        return nil
    }

    /// Why the broker may not look at so many tasks for an owner's sessions now; `nil` if it may.
    ///
    /// A small number is always allowed: all sessions of unknown processes share one owner, and one
    /// of them could otherwise lock out the others.
    func whyNoMoreLooks(of owner: ShareOwner, at tasks: Int) -> String? {
        let limit = configuration.looksPerSecond
        guard tasks > configuration.fewTasks,
            !commands.allowance.isLeft(.looks(owner), limit: limit)
        else { return nil }
        return """
            For \(owner) the broker has looked at more than \(limit) tasks in this second; ask for \
            less, or more slowly.
            """
    }

    /// Counts a look at each of so many tasks for an owner's sessions, or counts nothing and
    /// returns why they may not be looked at now.
    mutating func takeLooks(at tasks: Int, of owner: ShareOwner) -> String? {
        if let sentence = whyNoMoreLooks(of: owner, at: tasks) { return sentence }
        commands.allowance.count(.looks(owner), tasks)
        return nil
    }

    mutating func deliver(
        _ command: WireCommandRequest,
        of asker: SessionID,
        to target: TaskID,
        route: Route,
        now: Moment
    ) {
        // A part that another broker shows is left out where a session of that broker is asked for
        // the task above: that broker passes the command on to its parts.
        var (owners, looked) = tree.topmostUnfinished(at: target) { task, above in
            guard let part = board.parts[task], part.isTaken, let owner = part.owner,
                let session = above.flatMap({ sessions[$0] })
            else { return false }
            return session.way.broker == owner && session.isPresent && board.fleet.isHeard(owner)
        }
        commands.allowance.count(.looks(sessions.owner(of: asker)), looked)
        let own = owners.removeValue(forKey: detached.session)
        guard !owners.isEmpty else {
            let (outcome, text) =
                if let own {
                    carryOut(command.verb, on: own, of: asker)
                } else {
                    carryOut(command.verb, onUnowned: target)
                }
            return result(outcome, text, request: command.request, to: route)
        }
        let waiting = Array(owners.keys) + (own == nil ? [] : [detached.session])
        let number = commands.begin(
            PendingCommand(
                request: command.request,
                asker: sessions.owner(of: asker),
                route: route,
                verb: command.verb,
                target: target,
                waiting: Dictionary(uniqueKeysWithValues: waiting.map { ($0, 0..<0) }),
                asked: UInt32(clamping: waiting.count)
            )
        )
        let timeout = command.timeout == 0 ? configuration.commandTimeout : Int(command.timeout)
        clock.timers.add(
            .command(number),
            at: now.advanced(bySeconds: Double(min(timeout, 3_600_000)) / 1_000)
        )
        if command.verb == .cancel { tree.setCancelling(target, true) }
        publication.isChanged = true
        if let own {
            let (outcome, text) = carryOut(command.verb, on: own, of: asker)
            answer(number, session: detached.session, outcome, text)
        }
        for (session, indices) in owners.sorted(by: { $0.key < $1.key })
        where !ask(session, command.verb, indices, command: number) {
            answer(number, session: session, .gone, goneWords(of: session))
        }
        log(
            .info,
            "passing on a command",
            [
                "verb": "\(command.verb)", "task": target.description,
                "sessions": String(owners.count),
            ]
        )
    }

    /// Does with the broker's own tasks what a viewer asks of them, and says what came of it.
    private mutating func carryOut(
        _ verb: WireVerb,
        on indices: [UInt64],
        of asker: SessionID
    ) -> (WireOutcome, String) {
        guard verb == .cancel else {
            return (
                .unsupported,
                "A detached task has no process that could be asked; its script decides."
            )
        }
        let who = sessions[asker]?.way.member ?? "a viewer"
        cancelDetached(indices, reason: "cancelled by \(who)")
        return (.accepted, "The broker has cancelled it; its script learns so by its next call.")
    }

    /// Sends a command to one session; false if that is gone.
    ///
    /// A session that is not welcomed yet gets the command after its welcome, as clients ignore
    /// commands before it. Without a `command` no viewer waits for the answer, and only a welcomed
    /// session is asked.
    mutating func ask(
        _ session: SessionID,
        _ verb: WireVerb,
        _ indices: [UInt64],
        command: UInt64?
    ) -> Bool {
        guard let owner = sessions[session], owner.isPresent else { return false }
        guard let route = owner.route, owner.isWelcomed else {
            guard let command else { return false }
            _ = commands.deliver(command, to: session, isHeld: true)
            return true
        }
        let portions =
            route.elsewhere == nil
            ? indices.portions(of: configuration.frameBytes)
            : Swift.stride(from: 0, to: indices.count, by: FleetParts.mostAsked).map {
                indices[$0..<min($0 + FleetParts.mostAsked, indices.count)]
            }
        let numbers =
            command.map { commands.deliver($0, to: session, parts: portions.count) }
            ?? commands.nextNumbers(portions.count)
        for (number, portion) in zip(numbers, portions) {
            var delivery = WireCommandDelivery()
            delivery.delivery = number
            delivery.verb = verb
            delivery.index = Array(portion)
            send(.command(delivery), to: route)
        }
        if verb == .cancel { noteAskedToStop(session, indices) }
        return true
    }

    /// Sends a session that has been welcomed the commands that were held back until then.
    mutating func sendHeld(to session: SessionID) {
        guard sessions[session]?.route != nil else { return }
        // Many commands may be for one task, which is looked at once.
        var found: [TaskID: [UInt64]] = [:]
        for (number, command) in commands.takeHeld(for: session) {
            let target = command.target
            let indices = found[target] ?? tree.topmostUnfinished(at: target).tasks[session] ?? []
            found[target] = indices
            guard !indices.isEmpty else {
                answer(number, session: session, .gone, "It has ended meanwhile.")
                continue
            }
            if !ask(session, command.verb, indices, command: number) {
                answer(number, session: session, .gone, goneWords(of: session))
            }
        }
    }

    /// Answers a command for a task in which no session has anything unfinished: a ticket without
    /// a redeemer, or an ended task.
    private mutating func carryOut(
        _ verb: WireVerb,
        onUnowned target: TaskID
    ) -> (WireOutcome, String) {
        guard verb == .cancel, tree.state(of: target) == .waiting else {
            return (.gone, "No process works on it any more.")
        }
        tree.infer(.cancelled(reason: "cancelled before it began"), about: target)
        records[target]?.isCancelledUnbegun = true
        publication.isChanged = true
        return (.accepted, "It had not begun.")
    }

    mutating func apply(_ answer: WireCommandAnswer, of id: SessionID) {
        guard let command = commands.command(ofDelivery: answer.delivery, to: id) else { return }
        if answer.outcome != .accepted, commands.awaitsMore(than: answer.delivery, from: id) {
            return
        }
        self.answer(command, session: id, answer.outcome, answer.text)
    }

    /// Passes one session's answer on to whoever asked.
    private mutating func answer(
        _ number: UInt64,
        session: SessionID,
        _ outcome: WireOutcome,
        _ text: String
    ) {
        let isAccepted = outcome == .accepted
        guard let command = commands.answered(number, by: session, isAccepted: isAccepted) else {
            return
        }
        if command.waiting.isEmpty { clock.timers.remove(.command(number)) }
        var answer = WireCommandResult()
        answer.request = command.request
        // The broker's own tasks have no session that anybody could know.
        if session != detached.session { answer.session = session.rawValue }
        if let process = sessions[session]?.hello.process { answer.process = process }
        answer.outcome = outcome
        answer.text = text
        answer.asked = command.asked
        answer.last = command.waiting.isEmpty
        send(.commandResult(answer), to: command.route)
        if command.waiting.isEmpty, command.verb == .cancel, !command.wasAccepted {
            tree.setCancelling(command.target, false)
            publication.isChanged = true
        }
    }

    /// The time for answers is over: names each session that has not answered.
    mutating func timeOut(_ number: UInt64) {
        for session in commands.sessionsAwaited(by: number) {
            answer(number, session: session, .noAnswer, "It did not answer in time.")
        }
    }

    /// A session is gone: answers the commands that wait for it, as gone or as carried out.
    ///
    /// A session that cancels at once may leave before it answers.
    mutating func answerForGone(_ id: SessionID) {
        let numbers = commands.commands(waitingFor: id)
        let isAskedToCancel = numbers.contains { commands.verb(of: $0) == .cancel }
        // Looked up once for all commands: the session may have very many tasks.
        let hasCancelled = isAskedToCancel && hasCancelled(id)
        for number in numbers {
            let isDone = hasCancelled && commands.verb(of: number) == .cancel
            let text = isDone ? "" : goneWords(of: id)
            answer(number, session: id, isDone ? .accepted : .gone, text)
        }
    }

    /// Whether a session has stated of any of its tasks that it was cancelled.
    private func hasCancelled(_ id: SessionID) -> Bool {
        tree.reporters(of: id).contains { reporter in
            if case .cancelled? = tree.statement(of: reporter)?.state { true } else { false }
        }
    }

    mutating func result(_ outcome: WireOutcome, _ text: String, request: UInt64, to route: Route) {
        var answer = WireCommandResult()
        answer.request = request
        answer.outcome = outcome
        answer.text = text
        answer.last = true
        send(.commandResult(answer), to: route)
    }

    /// Of a process on another machine it is not known whether it has ended.
    private func goneWords(of id: SessionID) -> String {
        sessions[id].map { !$0.hasProcessEnded && $0.phase == .lost } ?? false
            ? "Nothing comes from its process any more." : "Its process is gone."
    }

    private mutating func dismiss(_ id: TaskID, now: Moment) -> (WireOutcome, String) {
        guard let state = tree.state(of: id), state.isEnded else {
            return dismissEarlierRuns(of: id)
                ? (.accepted, "Dismissed what failed before; this run goes on.")
                : (.refused, "It has not ended; cancel it first, or wait.")
        }
        let job = tree.job(of: id)
        let isFirst = records[id]?.isDismissed != true
        tree.setDismissed(id)
        records[id]?.isDismissed = true
        outbox.entries.append(.dismissed(task: id, job: job))
        publication.isChanged = true
        if job == id {
            records[id]?.leaving = "dismissed"
            if isFirst { giveUpTickets(below: id, now: now) }
            leaveIfPossible(id, now: now)
        } else {
            freePlace(of: id)
        }
        let live = tree.liveDescendants(of: id)
        guard job == id, live > 0 else { return (.accepted, "Dismissed.") }
        let words = "Dismissed; it leaves when what still runs below it has ended (\(live))."
        return (.accepted, words)
    }
}
