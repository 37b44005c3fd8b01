import BusProtocol
package import TaskTree

/// How sessions come and go: hello, welcome, who, heartbeats, goodbye.
extension BrokerMachine {
    mutating func handle(
        _ frame: WireClientFrame,
        credential: SessionCredential,
        from route: Route,
        by way: Admissions.Way,
        now: Moment
    ) {
        // A kind of frame of a newer minor version is not known, and not an error.
        guard let body = frame.body else { return }
        switch body {
        case .hello(let hello):
            return welcome(hello, credential: credential, route: route, by: way, now: now)
        case .probe(let probe): return answer(probe, to: route, by: way)
        case .detached(let request):
            apply(request, from: route, by: way, now: now)
            return
        case .access(let request): return refuseAccess(request, from: route)
        default: break
        }
        guard let id = sessions.byCredential[credential], let standing = standing(of: id),
            standing.phase != .awaited, standing.phase != .ended
        else {
            send(.who(WireWho()), to: route)
            return
        }
        guard standing.member == way.member else {
            refuseStranger(to: id, route: route)
            return
        }
        recordActivity(id, from: route, now: now)
        if standing.isViewer, body.speaksOfTasks {
            refuse(
                .notPermitted,
                "Session \(id) said that it only looks; to report, begin one that is no viewer.",
                of: id
            )
            return
        }
        switch body {
        case .hello, .probe, .detached, .access, .heartbeat: break
        case .endings(let endings): apply(endings, of: id, route: route, now: now)
        case .sync(let sync): answer(sync, of: id, now: now)
        case .redeem(let redeem): apply(redeem, of: id, route: route, now: now)
        case .goodbye(let goodbye): begin(goodbye, of: id, now: now)
        case .snapshot(let request): answer(request, of: id, to: route, now: now)
        case .find(let find): answer(find, of: id, to: route, now: now)
        case .command(let command): apply(command, of: id, from: route, now: now)
        case .commandAnswer(let answer): apply(answer, of: id)
        case .fleetPages(let pages): apply(pages, of: id)
        case .fleetRows(let rows): apply(rows, of: id)
        case .fleetAnswer(let answer): apply(answer, of: id, now: now)
        case .fleetSession(let said): apply(said, of: id, now: now)
        }
    }

    private mutating func answer(_ probe: WireProbe, to route: Route, by way: Admissions.Way) {
        var answer = WireProbeAnswer()
        answer.request = probe.request
        if way.member == nil {
            let hosts = board.fleet.hosts
            answer.hosts = Array(hosts.prefix(ProtocolLimits.hosts))
            answer.otherHosts = UInt64(hosts.count - answer.hosts.count)
            answer.trouble = board.fleet.trouble
        }
        send(.probe(answer), to: route)
    }

    private mutating func welcome(
        _ hello: WireHello,
        credential: SessionCredential,
        route: Route,
        by way: Admissions.Way,
        now: Moment
    ) {
        let id = SessionID(rawValue: hello.session)
        if id == detached.session || sessions[id].map({ $0.credential != credential }) == true {
            refuseHello(
                .sessionTaken,
                "Another client owns session \(id); choose a new random session id.",
                route: route
            )
            return
        }
        if let other = sessions.byCredential[credential], other != id {
            refuseHello(
                .badCredential,
                "This credential belongs to session \(other); a new session needs a new one.",
                route: route
            )
            return
        }
        let known = sessions[id]
        // A session of the former broker goes to the first that comes with its credential.
        if let known, known.phase != .awaited, known.way.member != way.member {
            refuseStranger(to: id, route: route)
            return
        }
        if known != nil, route != .nobody, let sentence = whyNoFurtherHello(of: id, way.owner) {
            refuseHello(.busy, sentence, route: route)
            return
        }
        // A session that is present and has another connection takes no more room than before.
        let former = known.flatMap { $0.isPresent ? $0 : nil }
        if let former { sessions.admissions.leave(former) }
        if let sentence = whyNotAdmitted(known, way) {
            if let former { sessions.admissions.enter(former) }
            refuseHello(.busy, sentence, route: route)
            return
        }
        var session =
            known
            ?? Session(id: id, credential: credential, hello: hello, phase: .live, lastHeard: now)
        let isNew = known == nil
        let wasGone = !session.isPresent
        let isViewer = session.isViewer
        bridgeIsGone(id)
        session.hello = hello
        // A worker stays a worker: as a viewer it could leave its tasks behind for ever.
        session.hello.viewer = isViewer
        session.way = way
        // The next broker reads from this that the session is at another broker.
        session.hello.broker = way.broker ?? 0
        if !isViewer { tree.setOwner(way.owner, of: id) }
        sessions.admissions.enter(session)
        session.hello.process.clearExitStatus()
        session.hello.process.clearExitSignal()
        session.hasProcessEnded = false
        session.phase = .live
        session.isWelcomed = false
        sessions.put(session)
        recordActivity(id, from: route, now: now)
        watchProcess(of: id, peer: way.process)
        compareClocks(of: id, route: route, now: now)
        if wasGone {
            revive(id, now: now)
        } else if isNew {
            rememberSession(id)
            clock.timers.add(.session(id), at: now.advanced(bySeconds: configuration.silentAfter))
        }
        var message = welcomeMessage(now: now)
        if way.broker != nil {
            // The session's own broker may have begun anew, and not know the last sequence that it
            // sent.
            message.sequence = tree.reporters(of: id).map { tree.lastVersion(of: $0) }.max() ?? 0
        }
        sendJournalled(.welcome(message), to: route)
        log(
            .debug,
            "welcomed a session",
            ["session": id.description, "pid": String(hello.process.pid), "client": hello.client]
        )
        outbox.afterJournal.welcomes.append(id)
        if !isViewer {
            // Each frame of a session at another broker has all of a task, so no keyframe is
            // awaited.
            sessions[id]?.hasDeliveredKeyframe = way.broker != nil
            if way.broker == nil { awaitKeyframe(id, now: now) }
        }
        publication.totalsChanged = true
    }

    /// Why a known session may not say hello again now; `nil` if it may.
    ///
    /// To welcome it costs as many looks as it has tasks.
    private mutating func whyNoFurtherHello(of id: SessionID, _ owner: ShareOwner) -> String? {
        let limit = configuration.hellosPerSecond
        guard commands.allowance.spend(.hello(id), limit: limit) else {
            return "A session may say hello \(limit) times in a second; wait a moment."
        }
        return takeLooks(at: tree.count(of: id), of: owner)
    }

    /// Why a hello is not answered by a welcome; `nil` if it may be.
    private func whyNotAdmitted(_ known: Session?, _ way: Admissions.Way) -> String? {
        if known == nil, !sessions.room.mayTake(way.owner, of: configuration.knownSessions) {
            return "The broker knows \(sessions.room.total) sessions, \(sessions.room[way.owner]) "
                + "of \(way.owner), which gets no more of \(configuration.knownSessions) than it "
                + "leaves; try again when their jobs have left, or dismiss what has ended."
        }
        // A session of the broker before comes back in any case.
        if known?.phase == .awaited { return nil }
        return sessions.admissions.refusal(of: way, by: configuration)
    }

    /// Notes a session for the next broker; viewers come back by themselves.
    mutating func rememberSession(_ id: SessionID) {
        guard let session = sessions[id], !session.isViewer else { return }
        outbox.entries.append(
            .sessionWelcomed(
                credential: session.credential.bytes,
                session: id,
                hello: Payload.encode(session.hello)
            )
        )
    }

    /// Asks a worker anew that was welcomed a while ago and whose keyframe has not arrived.
    mutating func checkKeyframe(_ id: SessionID, now: Moment) {
        guard let session = sessions[id], session.phase == .live, !session.hasDeliveredKeyframe
        else { return }
        sessions[id]?.keyframesMissed = min(session.keyframesMissed + 1, 5)
        askAnew(id)
        awaitKeyframe(id, now: now)
    }

    /// Gives a worker time for its keyframe, which may wait behind what others report.
    private mutating func awaitKeyframe(_ id: SessionID, now: Moment) {
        let patience =
            configuration.keyframeAfter * Double(1 << (sessions[id]?.keyframesMissed ?? 0))
        clock.timers.add(.keyframe(id), at: now.advanced(bySeconds: patience))
    }

    /// Asks a session to say hello again and, after the welcome, to report everything.
    mutating func askAnew(_ id: SessionID) {
        guard let route = sessions[id]?.route else { return }
        send(.who(WireWho()), to: route)
        // Until its next welcome the client ignores commands.
        sessions[id]?.isWelcomed = false
    }

    private func welcomeMessage(now: Moment) -> WireWelcome {
        var welcome = WireWelcome()
        welcome.version = configuration.version
        welcome.heartbeat = UInt32(configuration.heartbeat)
        welcome.tick = UInt32(configuration.tick)
        welcome.settling = sessions.isSettling
        welcome.uptime = now.seconds(since: clock.began)
        welcome.minor = UInt32(ProtocolVersion.minor)
        return welcome
    }

    /// What is looked up for nearly every frame of a session; nil where it is not known.
    mutating func standing(of id: SessionID) -> Session.Standing? {
        sessions.known.inPlace(id) { $0.standing }
    }

    /// Any frame of a session shows that it lives, and says where answers go.
    mutating func recordActivity(_ id: SessionID, from route: Route?, now: Moment) {
        guard let former = sessions.known.inPlace(id, { $0.recordActivity(at: now) })
        else { return }
        if let route { sessions.move(id, to: route) }
        if former.isSilent {
            tree.setSilent(id, false)
            sweep(id, .heard, now: now)
            log(.info, "a silent session is back", ["session": id.description])
        }
        if former.isLost, let session = sessions[id] {
            sessions.admissions.enter(session)
            revive(id, now: now)
            askAnew(id)
        }
    }

    /// Changes where a session is in its life, and with it whether it counts among those present.
    mutating func set(_ id: SessionID, _ phase: Session.Phase) {
        guard var session = sessions[id] else { return }
        if session.isPresent { sessions.admissions.leave(session) }
        session.phase = phase
        if session.isPresent { sessions.admissions.enter(session) }
        sessions[id]?.phase = phase
    }

    private mutating func answer(_ sync: WireSync, of id: SessionID, now: Moment) {
        let waiting = (sessions[id]?.waitingSyncs ?? []) + [(sync.request, sync.sequence)]
        sessions[id]?.waitingSyncs = waiting.suffix(64)
        answerSyncs(of: id, now: now)
    }

    /// Answers the syncs whose reports are in.
    ///
    /// A client may have a few open; the oldest leave.
    mutating func answerSyncs(of id: SessionID, now: Moment) {
        guard standing(of: id)?.isSyncReached == true, let session = sessions[id],
            let route = session.route
        else { return }
        // Jobs that have begun must be on disk before the client is told that they are here.
        settleForDecision(now: now)
        for sync in session.waitingSyncs where sync.sequence <= session.reported {
            var reached = WireSyncReached()
            reached.request = sync.request
            sendJournalled(.syncReached(reached), to: route)
        }
        sessions[id]?.waitingSyncs.removeAll { $0.sequence <= session.reported }
    }

    private mutating func begin(_ goodbye: WireGoodbye, of id: SessionID, now: Moment) {
        guard let session = sessions[id] else { return }
        set(id, .closing(sequence: goodbye.sequence))
        if session.isViewer || session.reported >= goodbye.sequence {
            close(id, now: now)
        } else {
            clock.timers.add(.closing(id), at: now.advanced(bySeconds: configuration.goodbyeWaits))
        }
    }

    /// Ends a session that said goodbye, whose reports are in or have been waited for.
    mutating func close(_ id: SessionID, now: Moment) {
        guard let session = sessions[id], case .closing = session.phase else { return }
        set(id, .ended)
        if !session.isViewer {
            if session.process != nil, hasUnfinished(id) {
                // A program that says goodbye is about to end, and how it ends says what has become
                // of the rest: until then viewers see nothing lost.
                let due = now.advanced(bySeconds: configuration.remainderJudgedAfter)
                clock.timers.add(.remainder(id), at: due)
                leave(id, reason: closedReason(of: id), isJudgedLater: true, now: now)
            } else {
                unwatchProcess(of: id)
                judgeRemainder(of: id, now: now)
            }
        }
        if let route = session.route {
            let accepted = WireBrokerFrame.OneOf_Body.goodbyeAccepted(WireGoodbyeAccepted())
            // A viewer has nothing that the disk could lose.
            if session.isViewer {
                send(accepted, to: route)
            } else {
                sendJournalled(accepted, to: route)
            }
        }
        answerForGone(id)
        dropIfUnused(id)
        publication.totalsChanged = true
    }

    /// Decides what has become of the unfinished tasks of a session that said goodbye.
    ///
    /// Done once more when the session's process ends later.
    mutating func judgeRemainder(of id: SessionID, now: Moment) {
        guard let session = sessions[id], session.phase == .ended else { return }
        leave(id, reason: closedReason(of: id), now: now)
        dropIfUnused(id)
    }

    /// The connection is gone; the session may come back on another one.
    package mutating func unreachable(_ route: Route, now: Moment) -> [BrokerAction] {
        for id in sessions.sessions(at: route) { sessions.move(id, to: nil) }
        return finish(now: now)
    }
}

extension WireClientFrame.OneOf_Body {
    /// Whether only the owner of tasks has reason to say this.
    fileprivate var speaksOfTasks: Bool {
        switch self {
        case .endings, .redeem, .commandAnswer: true
        case .hello, .heartbeat, .sync, .goodbye, .snapshot, .find, .command, .probe, .detached,
            .access, .fleetPages, .fleetRows, .fleetAnswer, .fleetSession:
            false
        }
    }
}
