import BusProtocol
import Checksum
import TaskTree

/// Tasks of sessions here that are parts of other brokers' jobs: the owners are told of them as by the
/// sessions themselves, in the frames of `BrokerMachine+FleetSessions`.
///
/// All that is said is the newest state, and is said again until it is heard.
extension BrokerMachine {
    /// Seconds between two words of a part that has changed; of one that has not, by which its session is
    /// heard; and between two hellos.
    private static let (changedEvery, unchangedEvery, helloEvery) = (0.1, 0.9, 1.0)
    /// Seconds of refusals after which the owner does not know a part any more.
    private static let refusalsFor = 60.0

    /// Tells owners what has changed, and once a second what has not.
    mutating func sayParts(now: Moment) {
        // What has succeeded may be found to have children that run, once all have said what they have.
        guard !board.parts.voices.isEmpty, !sessions.isSettling else { return }
        for (key, voice) in board.parts.voices where board.fleet.isHeard(key.broker) {
            guard let session = sessions[key.session] else { continue }
            for task in voice.parts.values { changeReporter(of: task, key, now: now) }
            // Some may be another session's now.
            guard let voice = board.parts[key] else { continue }
            for task in voice.parts.values { sayBelow(task, key, now: now) }
            let isHeard = session.isPresent && !session.isSilent
            let left = voice.parts.values.filter { board.parts[$0]?.isOver == false }
            if !isHeard, !left.contains(where: speaksByItself) {
                let isDecided = left.allSatisfy { tree.state(of: $0)?.isEnded == true }
                if !session.isPresent, isDecided { sayGoodbye(key, voice, left, now: now) }
                for task in voice.parts.values { leaveJournal(task) }
            } else if voice.isWelcome {
                for task in left.sorted() { say(task, key, isHeard: isHeard, now: now) }
            } else {
                sayHello(of: session, key, voice, now: now)
            }
        }
    }

    /// Whether a part is told of though its session is not heard: it has said how it ends, or is lost before
    /// the owner knew of it.
    private func speaksByItself(_ task: TaskID) -> Bool {
        guard let part = board.parts[task] else { return false }
        if tree.state(of: task) == .lost { return !part.isKnown }
        return tree.hasStatedEnding(part.reporter) || tree.state(of: task)?.isFinal == true
    }

    /// Another attempt has begun here: how the former one ended is said first.
    private mutating func changeReporter(
        of task: TaskID,
        _ key: FleetParts.Voice.Key,
        now: Moment
    ) {
        guard let part = board.parts[task], let speaker = tree.reporter(of: task),
            speaker != part.reporter
        else { return }
        if part.isKnown, !part.isOver, tree.hasStatedEnding(part.reporter),
            let row = lastRow(of: part.reporter, reason: "")
        {
            tell(rows: [row], fold: nil, key)
        }
        board.parts.set(reporter: speaker, of: task)
    }

    private mutating func sayHello(
        of session: Session,
        _ key: FleetParts.Voice.Key,
        _ voice: FleetParts.Voice,
        now: Moment
    ) {
        guard voice.saidHello.map({ now.seconds(since: $0) >= Self.helloEvery }) ?? true else {
            return
        }
        board.parts[key]?.saidHello = now
        var hello = session.hello
        // Times that the session says are those of the clock here.
        hello.time = unix(now)
        tell(.hello(hello), key)
    }

    /// The session is gone, and all that it has ended is told: what it has not is lost.
    private mutating func sayGoodbye(
        _ key: FleetParts.Voice.Key,
        _ voice: FleetParts.Voice,
        _ left: [TaskID],
        now: Moment
    ) {
        guard !left.isEmpty,
            voice.saidGoodbye.map({ now.seconds(since: $0) >= Self.helloEvery }) ?? true
        else { return }
        board.parts[key]?.saidGoodbye = now
        // What was lost below them.
        for task in left where voice.isWelcome { tellState(of: task, key) }
        tell(.goodbye(WireGoodbye()), key)
    }

    private mutating func say(
        _ task: TaskID,
        _ key: FleetParts.Voice.Key,
        isHeard: Bool,
        now: Moment
    ) {
        guard let part = board.parts[task],
            speaksByItself(task) || isHeard && tree.state(of: task) != .lost
        else { return }
        let rest = part.said.map { now.seconds(since: $0.at) } ?? .infinity
        guard rest >= (part.hasChanged ? Self.changedEvery : Self.unchangedEvery) else { return }
        board.parts[task]?.hasChanged = false
        guard part.isKnown || tickets.bindings[part.reporter] == nil else {
            board.parts.note(task, said: 0, by: key, at: now, isEnding: false)
            var redeem = WireRedeem()
            redeem.index = part.reporter.index
            redeem.ticket = WireTaskRef(part.name)
            return tell(.redeem(redeem), key)
        }
        let isEnding = part.isTaken && speaksByItself(task)
        tellState(of: task, key)
        let sequence = board.parts[key]?.sequence ?? 0
        board.parts.note(task, said: sequence, by: key, at: now, isEnding: isEnding)
    }

    /// What is below a part that has ended or was lost goes on: the owner is told of that alone, as what it is
    /// told of the part itself would bring its session back.
    private mutating func sayBelow(
        _ task: TaskID,
        _ key: FleetParts.Voice.Key,
        now: Moment
    ) {
        guard let part = board.parts[task], part.isOver, part.isTaken else { return }
        let rest = part.said.map { now.seconds(since: $0.at) } ?? .infinity
        guard rest >= Self.unchangedEvery, board.parts.owesFold(task) else { return }
        board.parts[task]?.hasChanged = false
        guard let fold = takeFold(below: task, part) else { return }
        tell(rows: [], fold: fold, key)
        let sequence = board.parts[key]?.sequence ?? 0
        board.parts.note(task, said: sequence, by: key, at: now, isEnding: true)
    }

    /// What is below a part, to be told; `nil` where nothing is and nothing was.
    private mutating func takeFold(below task: TaskID, _ part: FleetParts.Part) -> WireFold? {
        let children = part.isTaken ? tree.fold(below: task) : nil
        guard children != nil || part.toldBelow != .nothing else { return nil }
        let fold = children ?? FoldedChildren()
        board.parts[task]?.toldBelow = fold.below?.live ?? 0 > 0 ? .open : .ended
        return WireFold(parent: part.reporter, fold)
    }

    private mutating func tellState(of task: TaskID, _ key: FleetParts.Voice.Key) {
        guard let part = board.parts[task], let row = row(ofPart: task, part) else { return }
        tell(rows: [row], fold: takeFold(below: task, part), key)
    }

    private mutating func tell(
        rows: [WireEnding],
        fold: WireFold?,
        _ key: FleetParts.Voice.Key
    ) {
        board.parts[key]?.sequence += 1
        var endings = WireEndings()
        endings.sequence = board.parts[key]?.sequence ?? 1
        endings.endings = rows
        if let fold { endings.folds = [fold] }
        tell(.endings(endings), key)
    }

    /// The whole row of a part; one that is lost has said no other than that it runs, and the owner hears of
    /// its session that it is gone.
    ///
    /// One that the owner has not taken may be in no tree here, so that its state is not known.
    private func row(ofPart task: TaskID, _ part: FleetParts.Part) -> WireEnding? {
        guard let view = tree.view(task), var row = lastRow(of: part.reporter, reason: "") else {
            return nil
        }
        let state: StatedState
        switch view.state {
        case _ where !part.isTaken: state = .running
        // It may have succeeded, and wait for what is below it, which the owner sees from the fold.
        case .waiting, .running, .cancelling:
            state = tree.hasStatedEnding(part.reporter) ? .succeeded : .running
        case .paused: state = .paused
        case .succeeded: state = .succeeded
        case .failed: state = .failed(reason: view.reason)
        case .cancelled: state = .cancelled(reason: view.reason)
        case .lost: state = .running
        }
        (row.state, row.reason) = state.wire
        // The owner has a clock of its own: each time that it is set it counts as an advance.
        if !state.isFinal, part.said?.sequence ?? 0 > 0 { row.clearClock() }
        return row
    }

    private mutating func tell(_ body: WireClientFrame.OneOf_Body, _ key: FleetParts.Voice.Key) {
        guard let frame = frame(body, key), let action = envelope(Frame.encode(frame), key) else {
            return
        }
        outbox.actions.append(action)
    }

    /// A frame of a session for one owner, with a credential that no other owner knows.
    private func frame(
        _ body: WireClientFrame.OneOf_Body,
        _ key: FleetParts.Voice.Key
    ) -> WireClientFrame? {
        guard let session = sessions[key.session] else { return nil }
        let owner = withUnsafeBytes(of: key.broker.bigEndian) { Array($0) }
        var frame = WireClientFrame()
        frame.credentialBytes = Array(SHA256.hash(session.credential.bytes + owner).prefix(16))
        frame.body = body
        return frame
    }

    // MARK: Hearing

    /// An owner answers a session here.
    mutating func hear(_ frame: WireBrokerFrame, for key: FleetParts.Voice.Key, now: Moment) {
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
            board.parts[task]?.isOver = isEnding
            handOver(task, now: now)
            leaveJournal(task)
        case .goodbyeAccepted: setGone(key)
        case .binding(let binding): adopt(binding, key, now: now)
        case .command(let delivery): carryOut(delivery, for: key, now: now)
        case .refusal(let refusal): hear(refusal, key, now: now)
        default: break
        }
    }

    /// The owner knows that a session is gone, unless something has ended that it was not told.
    private mutating func setGone(_ key: FleetParts.Voice.Key) {
        guard sessions[key.session]?.isPresent != true else { return }
        let isToTell = (board.parts[key]?.parts ?? [:]).values.contains {
            board.parts[$0]?.isOver == false
                && (speaksByItself($0) || tree.state(of: $0)?.isEnded != true)
        }
        if isToTell { board.parts.setWelcome(false, key) } else { board.parts.setGone(key) }
    }

    /// Has the journal forget what the owner has written down: a broker that begins anew would show it as a job
    /// once the owner's job has left.
    ///
    /// A process that is there says after that again what it has, and would not know how tickets of it ended.
    private mutating func leaveJournal(_ task: TaskID) {
        guard let part = board.parts[task], part.isInJournal, part.isOver,
            sessions[part.reporter.session]?.isPresent != true, isTold(task)
        else { return }
        board.parts[task]?.isInJournal = false
        outbox.entries.append(.jobLeft(job: task))
    }

    private mutating func hear(_ said: WireRefusal, _ key: FleetParts.Voice.Key, now: Moment) {
        guard let task = board.parts[key]?.parts[said.index], let part = board.parts[task] else {
            return
        }
        switch RefusalCode(rawValue: said.code) {
        case .superseded:
            guard let route = sessions[key.session]?.route else { return }
            send(refusal(.superseded, said.sentence, index: said.index), to: route)
        case .unknownTask:
            // It may have been another's, or the owner has just begun and not heard all.
            let since = part.refusedSince ?? now
            board.parts[task]?.refusedSince = since
            guard !part.isTaken || now.seconds(since: since) >= Self.refusalsFor else { return }
            giveBack(task, now: now)
            board.parts.clearOwner(of: task)
        default: break
        }
    }

    /// The owner has decided what the redeemer of a ticket is: that replaces what was decided here.
    private mutating func adopt(_ said: WireBinding, _ key: FleetParts.Voice.Key, now: Moment) {
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
            // Who holds it is decided there.
            tickets.holdings[part.name] = nil
        }
        if decided != own, case .holder = own {
            // Former attempts here would speak for it again.
            for former in tree.attempts(of: part.name) where former != part.reporter {
                tickets.bind(former, to: .inert)
                tree.bind(former, to: .inert)
                remember(.inert, of: former, ticket: part.name)
            }
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

    /// Carries out a command that a viewer of the owner has given to parts here.
    private mutating func carryOut(
        _ delivery: WireCommandDelivery,
        for key: FleetParts.Voice.Key,
        now: Moment
    ) {
        guard let voice = board.parts[key], voice.deliveries[delivery.delivery] == nil,
            let bridge = board.fleet.bridge
        else { return }
        let tasks = Set(delivery.index).compactMap { voice.parts[$0] }
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
        _ key: FleetParts.Voice.Key
    ) {
        var answer = WireCommandAnswer()
        answer.delivery = delivery.delivery
        answer.outcome = outcome
        tell(.commandAnswer(answer), key)
    }

    /// The answer to a delivery, once all that were asked have answered: the worst.
    mutating func answer(
        _ result: WireCommandResult,
        for key: FleetParts.Voice.Key
    ) -> WireClientFrame? {
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

extension TaskState {
    /// Whether it has succeeded, failed or was cancelled; a lost task may come back.
    fileprivate var isFinal: Bool { isEnded && self != .lost }
}
