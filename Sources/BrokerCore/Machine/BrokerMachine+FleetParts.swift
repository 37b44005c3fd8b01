import BusProtocol
import Checksum
import TaskTree

/// Tells other brokers of the tasks here that are parts of their jobs.
///
/// The broker speaks for the sessions of these parts, in the envelopes of
/// `BrokerMachine+FleetSessions`.
///
/// Every frame has the newest state, and is repeated until the owner has acknowledged it.
extension BrokerMachine {
    /// Seconds between two frames about a part that has changed; about one that has not, which show
    /// that its session is heard; and between two hellos, or two goodbyes.
    private static let (changedEvery, unchangedEvery, helloEvery) = (0.1, 0.9, 1.0)

    /// Tells owners what has changed, and once a second what has not.
    mutating func sayParts(now: Moment) {
        // Once all sessions have reported, a task that has succeeded may turn out to have running
        // children.
        guard !board.parts.conversations.isEmpty, !sessions.isSettling else { return }
        for (key, conversation) in board.parts.conversations where board.fleet.isHeard(key.broker) {
            guard let session = sessions[key.session] else { continue }
            for task in conversation.parts.values { changeReporter(of: task, key, now: now) }
            // Some parts may be another session's now.
            guard let conversation = board.parts[key] else { continue }
            for task in conversation.parts.values { sayBelow(task, key, now: now) }
            let isHeard = session.isPresent && !session.isSilent
            let left = conversation.parts.values.filter { board.parts[$0]?.isOver == false }
            if !isHeard, !left.contains(where: speaksByItself) {
                let isDecided = left.allSatisfy { tree.state(of: $0)?.isEnded == true }
                if !session.isPresent, isDecided, !left.isEmpty,
                    maySay(\.saidGoodbye, key, now: now)
                {
                    // Tells first what was lost below the parts.
                    for task in left where conversation.isWelcome { tellState(of: task, key) }
                    // The goodbye makes what the session has not ended lost.
                    tell(.goodbye(WireGoodbye()), key)
                }
                for task in conversation.parts.values { leaveJournal(task) }
            } else if conversation.isWelcome {
                for task in left.sorted() { say(task, key, isHeard: isHeard, now: now) }
            } else if maySay(\.saidHello, key, now: now) {
                var hello = session.hello
                // This broker converts the session's times to its own clock.
                hello.time = unix(now)
                tell(.hello(hello), key)
            }
        }
    }

    /// Whether the owner hears of a part though its session is not heard.
    ///
    /// That is so once the part has said how it ends, or if it was lost before the owner knew of
    /// it.
    func speaksByItself(_ task: TaskID) -> Bool {
        guard let part = board.parts[task] else { return false }
        if tree.state(of: task) == .lost { return !part.isKnown }
        return tree.hasStatedEnding(part.reporter) || tree.state(of: task)?.isFinal == true
    }

    /// Another attempt has begun here: tells how the former one ended, then speaks for the new one.
    private mutating func changeReporter(of task: TaskID, _ key: FleetRoute, now: Moment) {
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

    /// Whether the hello or the goodbye of a session is due; if so, notes that it is said now.
    private mutating func maySay(
        _ last: WritableKeyPath<FleetParts.Conversation, Moment?>,
        _ key: FleetRoute,
        now: Moment
    ) -> Bool {
        if let said = board.parts[key]?[keyPath: last], now.seconds(since: said) < Self.helloEvery {
            return false
        }
        board.parts[key]?[keyPath: last] = now
        return true
    }

    private mutating func say(_ task: TaskID, _ key: FleetRoute, isHeard: Bool, now: Moment) {
        guard let part = board.parts[task],
            speaksByItself(task) || isHeard && tree.state(of: task) != .lost
        else { return }
        let rest = part.said.map { now.seconds(since: $0.at) } ?? .infinity
        guard rest >= (part.hasChanged ? Self.changedEvery : Self.unchangedEvery) else { return }
        board.parts[task]?.hasChanged = false
        guard part.isKnown || tickets.bindings[part.reporter] == nil else {
            board.parts.note(task, saidBy: key, at: now, isRedemption: true)
            var redeem = WireRedeem()
            redeem.index = part.reporter.index
            redeem.ticket = WireTaskRef(part.name)
            return tell(.redeem(redeem), key)
        }
        let isEnding = part.isTaken && speaksByItself(task)
        tellState(of: task, key)
        board.parts.note(task, saidBy: key, at: now, isEnding: isEnding)
    }

    /// Tells the owner what goes on below a part that has ended or was lost, and nothing of the
    /// part.
    ///
    /// A row of the part would bring its session back at the owner.
    private mutating func sayBelow(_ task: TaskID, _ key: FleetRoute, now: Moment) {
        guard let part = board.parts[task], part.isOver, part.isTaken else { return }
        let rest = part.said.map { now.seconds(since: $0.at) } ?? .infinity
        guard rest >= Self.unchangedEvery, board.parts.owesFold(task) else { return }
        board.parts[task]?.hasChanged = false
        guard let fold = takeFold(below: task, part) else { return }
        tell(rows: [], fold: fold, key)
        board.parts.note(task, saidBy: key, at: now, isEnding: true)
    }

    /// The fold of what is below a part, noted as told; `nil` where nothing is or was below it.
    private mutating func takeFold(below task: TaskID, _ part: FleetParts.Part) -> WireFold? {
        let children = part.isTaken ? tree.fold(below: task) : nil
        guard children != nil || part.toldBelow != .nothing else { return nil }
        let fold = children ?? FoldedChildren()
        board.parts[task]?.toldBelow = fold.below?.tasks.live ?? 0 > 0 ? .open : .ended
        return WireFold(parent: part.reporter, fold)
    }

    private mutating func tellState(of task: TaskID, _ key: FleetRoute) {
        guard let part = board.parts[task], let row = row(ofPart: task, part) else { return }
        tell(rows: [row], fold: takeFold(below: task, part), key)
    }

    private mutating func tell(rows: [WireEnding], fold: WireFold?, _ key: FleetRoute) {
        board.parts[key]?.sequence += 1
        var endings = WireEndings()
        endings.sequence = board.parts[key]?.sequence ?? 1
        endings.endings = rows
        if let fold { endings.folds = [fold] }
        tell(.endings(endings), key)
    }

    /// The whole row of a part.
    ///
    /// A part that the owner has not taken is told as running, as it may be in no tree here.
    private func row(ofPart task: TaskID, _ part: FleetParts.Part) -> WireEnding? {
        guard let view = tree.view(task), var row = lastRow(of: part.reporter, reason: "") else {
            return nil
        }
        let state: StatedState
        switch view.state {
        case _ where !part.isTaken: state = .running
        // The part may have stated success, and wait for what is below it; the owner sees that from
        // the fold.
        case .waiting, .running, .cancelling:
            state = tree.hasStatedEnding(part.reporter) ? .succeeded : .running
        case .paused: state = .paused
        case .succeeded: state = .succeeded
        case .failed: state = .failed(reason: view.reason)
        case .cancelled: state = .cancelled(reason: view.reason)
        // The owner learns that the session is gone, and takes the part for lost by itself.
        case .lost: state = .running
        }
        (row.state, row.reason) = state.wire
        // The owner has its own clock of the part: setting that again would count as an advance.
        if !state.isFinal, part.said?.sequence ?? 0 > 0 { row.clearClock() }
        return row
    }

    mutating func tell(_ body: WireClientFrame.OneOf_Body, _ key: FleetRoute) {
        guard let frame = frame(body, key), let action = envelope(Frame.encode(frame), key) else {
            return
        }
        outbox.actions.append(action)
    }

    /// A frame of a session for one owner, with a credential that no other owner knows.
    func frame(_ body: WireClientFrame.OneOf_Body, _ key: FleetRoute) -> WireClientFrame? {
        guard let session = sessions[key.session] else { return nil }
        let owner = withUnsafeBytes(of: key.broker.bigEndian) { Array($0) }
        var frame = WireClientFrame()
        frame.credentialBytes = Array(SHA256.hash(session.credential.bytes + owner).prefix(16))
        frame.body = body
        return frame
    }
}

extension TaskState {
    /// Whether it has succeeded, failed or was cancelled; a lost task may come back.
    fileprivate var isFinal: Bool { isEnded && self != .lost }
}
