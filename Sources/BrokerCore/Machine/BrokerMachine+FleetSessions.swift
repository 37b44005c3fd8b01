import BusProtocol
import TaskTree

/// Sessions of other brokers that have parts of jobs here.
///
/// Their frames and the answers to them come in envelopes, which the bridges carry. The rest of the
/// broker treats such a session like any other: it has a route, is silent, lost and back.
extension BrokerMachine {
    /// Takes in an envelope: a frame of a session at another broker, or that broker's answer to a
    /// session here.
    mutating func apply(_ said: WireFleetSession, of id: SessionID, now: Moment) {
        guard board.fleet.bridge == id else {
            return refuse(.notPermitted, "The bridge alone brings what other brokers say.", of: id)
        }
        // The bridge may know a broker before its board; whatever must be kept is repeated by its
        // sender.
        guard board.fleet.has(broker: said.broker) else { return }
        let (session, bytes) = (SessionID(rawValue: said.session), said.frameBytes)
        do throws(ProtocolViolation) {
            if FrameHeader.kind(of: bytes) == .broker {
                let key = FleetRoute(session: session, broker: said.broker)
                hear(try Frame.decodeBroker(bytes), for: key, now: now)
            } else {
                take(try Frame.decodeClient(bytes), of: session, at: said.broker, now: now)
            }
        } catch {
            refuse(error.code, "In an envelope of another broker: \(error.sentence)", of: id)
        }
    }

    private mutating func take(
        _ frame: WireClientFrame,
        of session: SessionID,
        at broker: UInt64,
        now: Moment
    ) {
        let route = Route.elsewhere(session, of: broker)
        guard let credential = SessionCredential(frame.credentialBytes),
            sessions.byCredential[credential] ?? session == session,
            let body = frame.body, body.isOfPart
        else { return }
        // A session that only the journal knows has no way yet, or only its broker.
        if let known = sessions[session], known.way != Admissions.Way(), known.way.broker != broker
        {
            let sentence = "Session \(session) speaks with this broker in another way."
            return send(refusal(.sessionTaken, sentence), to: route)
        }
        // Folds alone are about parts that have ended, or whose session is gone: the session stays
        // so.
        if case .endings(let said) = body, said.endings.isEmpty,
            let known = sessions[session], known.credential == credential
        {
            let unknown = said.folds.map(\.parent.index).first {
                !tree.knows(TaskID(index: $0, session: session)) && !known.removed.contains($0)
            }
            guard let unknown else { return apply(said, of: session, route: route, now: now) }
            guard !sessions.isSettling else { return }
            let sentence = "Nothing is known here of task \(unknown) of session \(session)."
            return send(refusal(.unknownTask, sentence, index: unknown), to: route)
        }
        if let unknown = taskNotHere(in: body, of: session) {
            // While the broker settles, a session may still report what the task is a part of.
            guard !sessions.isSettling else { return }
            let sentence = "Nothing is known here of what task \(unknown) is a part of."
            return send(refusal(.unknownTask, sentence, index: unknown), to: route)
        }
        let way = Admissions.Way(route: route, broker: broker)
        handle(frame, credential: credential, from: route, by: way, now: now)
        if case .endings = body { observeRestored(session) }
    }

    /// The index of the first task in a frame whose parent or ticket is unknown here, or is not the
    /// one that the task had before.
    private func taskNotHere(in body: WireClientFrame.OneOf_Body, of id: SessionID) -> UInt64? {
        switch body {
        case .redeem(let redeem):
            return isHere(redeem.index, ParentLink.ticket, redeem.ticket, of: id)
                ? nil : redeem.index
        case .endings(let endings):
            let rows = endings.endings.map(\.description_p)
            let unknown = rows.first {
                $0.hasTicket
                    ? !isHere($0.index, ParentLink.ticket, $0.ticket, of: id)
                    : !isHere($0.index, ParentLink.task, $0.parent, of: id)
            }
            if let unknown { return unknown.index }
            let told = Set(rows.map(\.index))
            return endings.folds.map(\.parent.index).first { !told.contains($0) }
        default: return nil
        }
    }

    private func isHere(
        _ index: UInt64,
        _ link: (TaskID) -> ParentLink,
        _ name: WireTaskRef,
        of id: SessionID
    ) -> Bool {
        let reporter = TaskID(index: index, session: id)
        guard let name = name.taskID(sender: id), name.session != id || tree.knows(name) else {
            return false
        }
        if let stated = tree.statement(of: reporter)?.description.parent {
            return stated == link(name)
        }
        return tree.knows(name) || sessions[id]?.removed.contains(index) == true
    }

    /// Puts frames for sessions of other brokers into envelopes for the bridge.
    mutating func inEnvelopes(_ actions: [BrokerAction]) -> [BrokerAction] {
        guard actions.contains(where: \.isForElsewhere) else { return actions }
        return actions.compactMap { action in
            guard case .send(let route, let frame) = action, let key = route.elsewhere else {
                return action
            }
            if case .commandResult(let result)? = frame.body {
                guard let answer = answer(result, for: key) else { return nil }
                return envelope(Frame.encode(answer), key)
            }
            return envelope(Frame.encode(frame), key)
        }
    }

    /// A frame in an envelope, to be sent to the bridge; `nil` where there is none.
    func envelope(_ frame: [UInt8], _ key: FleetRoute) -> BrokerAction? {
        guard let bridge = bridgeRoute else { return nil }
        var envelope = WireFleetSession()
        envelope.broker = key.broker
        envelope.session = key.session.rawValue
        envelope.frameBytes = frame
        return outbox.action(.fleetSession(envelope), to: bridge)
    }
}

extension BrokerAction {
    fileprivate var isForElsewhere: Bool {
        if case .send(let route, _) = self { route.elsewhere != nil } else { false }
    }
}

extension WireClientFrame.OneOf_Body {
    /// Whether a session at another broker may send this frame about its part of a job here.
    fileprivate var isOfPart: Bool {
        switch self {
        case .hello(let hello): !hello.viewer
        case .endings, .redeem, .goodbye, .commandAnswer: true
        case .heartbeat, .sync, .snapshot, .find, .command, .probe, .detached, .access,
            .fleetPages, .fleetRows, .fleetAnswer, .fleetSession:
            false
        }
    }
}
