import BusProtocol
import TaskTree

/// The one way in which the broker forgets a task or a session: out of every table.
extension BrokerMachine {
    /// Forgets a name, of which the tree has no record any more, in all other tables.
    mutating func forget(_ reporter: TaskID) {
        knownTasks.forget(reporter)
        // A ticket that its issuer states no more may still have a holder.
        if !tree.isUnattached(reporter) { knownTasks.unattachedSince.remove(reporter) }
        detached.remove(reporter)
        board.parts.remove(reporter)
        clock.timers.forget(reporter)
        if case .holder(let ticket, _)? = tickets.bind(reporter, to: nil) {
            if tickets.holdings[ticket]?.holder == reporter {
                tickets.holdings[ticket]?.holder = nil
            }
            forgetTicketIfUnused(ticket)
        }
        forgetTicketIfUnused(reporter)
    }

    /// Forgets names that have left the tree while their job stays, and what the journal has of
    /// them.
    mutating func forgetWithRows(_ reporters: [TaskID]) {
        for reporter in reporters {
            outbox.entries.append(.row(reporter: reporter, job: nil, payload: []))
            if tickets.bindings[reporter] != nil {
                outbox.entries.append(.bound(reporter: reporter, job: nil, payload: []))
            }
            forget(reporter)
        }
    }

    /// Forgets a task that no job shows and that its departed session has not described.
    ///
    /// Nothing else would ever remove it.
    mutating func forgetUnshown(_ reporter: TaskID) {
        tree.forget(reporter)
        let fold = JournalEntry.fold(
            session: reporter.session,
            parent: reporter,
            job: nil,
            payload: []
        )
        outbox.entries.append(fold)
        forgetWithRows([reporter])
    }

    /// Forgets tasks that no job shows any more and that their departed sessions have not
    /// described.
    ///
    /// The broker kept them when the sessions ended, because a job showed them then.
    mutating func forgetAbandoned() {
        guard !sessions.isSettling else { return }
        for name in tree.takeNewlyUnshown()
        where !sessions.restored.contains(name.session)
            && sessions[name.session]?.isPresent != true
        {
            forgetUnshown(name)
            dropIfUnused(name.session)
        }
    }

    /// Forgets a session that is gone and owns nothing in the tree.
    mutating func dropIfUnused(_ id: SessionID) {
        guard let session = sessions[id] else {
            // No such session is known: only the tree may have something of it.
            tree.forgetSession(id)
            return
        }
        guard !session.isPresent, session.isViewer || tree.count(of: id) == 0 else { return }
        if !session.isViewer {
            outbox.entries.append(.sessionForgotten(credential: session.credential.bytes))
            sessions.departures.add(session, limit: configuration.departedSessions)
        }
        unwatchProcess(of: id)
        publication.listings.forget(id)
        bridgeIsGone(id)
        commands.stopping[id] = nil
        board.placesToTell[id] = nil
        clock.timers.forget(id)
        tree.forgetSession(id)
        sessions.forget(id)
    }

    /// The holders of a ticket are remembered as long as the tree knows the ticket or one of them.
    private mutating func forgetTicketIfUnused(_ ticket: TaskID) {
        guard tickets.holdings[ticket] != nil, !tree.knows(ticket),
            tree.attempts(of: ticket).isEmpty
        else { return }
        tickets.holdings[ticket] = nil
    }
}
