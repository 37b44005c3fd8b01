package import BusProtocol
package import TaskTree

/// The spool: files in which sessions that ended have left what no broker could acknowledge.
extension BrokerMachine {
    /// Takes in a file of the spool as if its session said all of it now, and said goodbye.
    ///
    /// Taking in the same file twice changes nothing: each statement in it keeps its version.
    /// The action `spooled` says what is to become of the file. A session's file is `taken` only
    /// once all of it is in the journal.
    package mutating func collect(
        _ file: SpoolFile,
        number: UInt64,
        now: Moment
    ) -> [BrokerAction] {
        if case .detached(let request)? = file.frames.first?.body {
            return collect(request, number: number, now: now)
        }
        guard let first = file.frames.first, case .hello(let hello)? = first.body,
            let credential = SessionCredential(first.credentialBytes)
        else { return decide(.damaged("it does not begin with a hello"), file: number, now: now) }
        let id = SessionID(rawValue: hello.session)
        if id == detached.session || sessions[id].map({ $0.credential != credential }) == true {
            return decide(.damaged("another client owns session \(id)"), file: number, now: now)
        }
        if let other = sessions.byCredential[credential], other != id {
            return decide(.damaged("its credential is that of \(other)"), file: number, now: now)
        }
        guard
            sessions[id] != nil
                || sessions.room.mayTake(.others, of: configuration.knownSessions)
        else { return decide(.later, file: number, now: now) }
        let route = sessions[id]?.route
        for frame in file.frames {
            handle(frame, credential: credential, from: .nobody, by: Admissions.Way(), now: now)
            if case .hello? = frame.body, let gone = sessions.departures[credential] {
                sessions[id]?.removed.insert(contentsOf: gone)
            }
        }
        endSpooledSession(id, now: now)
        // Its process may wait for an answer on the connection that it still has.
        if let route { sessions.move(id, to: route) }
        log(
            .info,
            "took last words from the spool",
            ["session": id.description, "statements": String(file.statements)]
        )
        outbox.afterJournal.actions.append(.spooled(file: number, .taken))
        return finish(now: now)
    }

    /// Takes in the end of a detached task that was asked for while nobody answered.
    private mutating func collect(
        _ request: WireDetachedRequest,
        number: UInt64,
        now: Moment
    ) -> [BrokerAction] {
        switch apply(request, from: .nobody, file: number, now: now) {
        case .done: outbox.afterJournal.actions.append(.spooled(file: number, .taken))
        // It has ended in another way, or has left.
        case .refused: outbox.actions.append(.spooled(file: number, .taken))
        case .undecided: outbox.actions.append(.spooled(file: number, .later))
        // The answer of the other broker says what is to become of it.
        case .elsewhere: break
        }
        return finish(now: now)
    }

    /// A session that has left its words in the spool is over, whether it says so or not.
    private mutating func endSpooledSession(_ id: SessionID, now: Moment) {
        guard let phase = sessions[id]?.phase, phase != .ended else { return }
        set(id, .closing(sequence: 0))
        close(id, now: now)
    }

    private mutating func decide(
        _ decision: SpoolDecision,
        file: UInt64,
        now: Moment
    ) -> [BrokerAction] {
        outbox.actions.append(.spooled(file: file, decision))
        return finish(now: now)
    }
}
