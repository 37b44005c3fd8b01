import BusProtocol
import TaskTree

/// The one way in which the broker forgets a task or a session: out of every table.
extension BrokerMachine {
    /// Forgets what is kept of a name beside the tree, which has no record of it any more.
    mutating func forget(_ reporter: TaskID) {
        facts[reporter] = nil
        // A ticket that its issuer states no more may still have a holder.
        if !tree.isUnattached(reporter) { unattachedSince.remove(reporter) }
        detached.tasks[reporter] = nil
        homelessRows[reporter] = nil
        homelessBindings.remove(reporter)
        timers.remove(.neverBegun(reporter))
        timers.remove(.linger(reporter))
        timers.remove(.detached(reporter))
        if let binding = bindings.removeValue(forKey: reporter),
            case .holder(let ticket, _) = binding
        {
            if tickets[ticket]?.holder == reporter { tickets[ticket]?.holder = nil }
            forgetTicketIfUnused(ticket)
        }
        forgetTicketIfUnused(reporter)
    }

    /// Forgets names that have left the tree while their job stays, and what the journal has of them.
    mutating func forgetWithRows(_ reporters: [TaskID]) {
        for reporter in reporters {
            entries.append(.row(reporter: reporter, job: nil, payload: []))
            if bindings[reporter] != nil {
                entries.append(.bound(reporter: reporter, job: nil, payload: []))
            }
            forget(reporter)
        }
    }

    /// Forgets what a session that is gone has said of tasks that no job shows and that it has not
    /// described: nothing else would ever remove it.
    mutating func forgetUnshown(of id: SessionID) {
        let reporters = tree.unshown(of: id)
        for reporter in reporters {
            tree.forget(reporter)
            entries.append(.fold(session: id, parent: reporter, job: nil, payload: []))
        }
        forgetWithRows(reporters)
    }

    /// Forgets a session that is gone and owns nothing in the tree.
    mutating func dropIfUnused(_ id: SessionID) {
        guard let session = sessions[id] else {
            // Of another life of the journal: all that is left of it is what the tree knows.
            tree.forgetSession(id)
            return
        }
        guard !session.isPresent, session.isViewer || tree.count(of: id) == 0 else { return }
        if !session.isViewer {
            entries.append(.sessionForgotten(credential: session.credential.bytes))
            departures.add(session, limit: configuration.departedSessions)
        }
        unwatchProcess(of: id)
        restored.remove(id)
        listings.forget(id)
        stopping[id] = nil
        placesToTell[id] = nil
        for timer: Timer in [
            .session(id), .closing(id), .remainder(id), .processGone(id), .keyframe(id),
        ] {
            timers.remove(timer)
        }
        tree.forgetSession(id)
        sessions[id] = nil
        sessionOf[session.credential] = nil
    }

    /// Who holds or has held a ticket is remembered as long as the tree knows of either.
    private mutating func forgetTicketIfUnused(_ ticket: TaskID) {
        guard tickets[ticket] != nil, !tree.knows(ticket), tree.attempts(of: ticket).isEmpty else {
            return
        }
        tickets[ticket] = nil
    }

    /// Takes out one thing that an owner has said of a task.
    mutating func takeFact<Fact>(
        _ fact: WritableKeyPath<StatedFacts, Fact?>,
        of reporter: TaskID
    ) -> Fact? {
        guard let taken = facts[reporter]?[keyPath: fact] else { return nil }
        facts[reporter]?[keyPath: fact] = nil
        if facts[reporter]?.isEmpty == true { facts[reporter] = nil }
        return taken
    }
}
