import TaskTree

/// Every table of the broker that a client can make grow, for tests: how much is in it.
extension BrokerMachine {
    /// The name of each table and the number of its entries.
    ///
    /// All of them are empty when everybody has left and nothing is shown any more; the
    /// ``memories`` are not. `PROTOCOL.md` 5.3 says how large each may become.
    package var tables: [String: Int] {
        [
            "sessions": sessions.known.count, "credentials": sessions.byCredential.count,
            "owners of sessions": sessions.room.ownerCount,
            "admissions": sessions.admissions.count,
            "sweeps": sessions.sweeps.count, "routes": sessions.routeCount,
            "records of the tree": tree.recordCount, "books of the tree": tree.bookCount,
            "owners in the tree": tree.ownerCount,
            "pending work": tree.pendingCount,
            "tasks": records.count, "jobs": board.jobs.count, "places": board.places.count,
            "jobs with messages": board.logs.count, "bytes of messages": board.logs.room.total,
            "facts": knownTasks.facts.count, "known jobs": knownTasks.jobs.count,
            "bindings": tickets.bindings.count, "inert redeemers": tickets.inert.count,
            "tickets": tickets.holdings.count, "detached tasks": detached.tasks.count,
            "owners of detached tasks": detached.room.ownerCount,
            "rows without a place": knownTasks.rowsWithoutPlace.count,
            "bindings without a job": knownTasks.bindingsWithoutJob.count,
            "listings": publication.listings.size, "commands": commands.count,
            "deliveries": commands.deliveryCount,
            "askers": commands.room.ownerCount,
            "stopping": commands.stopping.count, "places to tell": board.placesToTell.count,
            "timers": clock.timers.count, "looks": clock.timers.lookCount,
            "allowances": commands.allowance.count, "units": tree.unitCount,
            "attention": publication.attention.count, "undismissed": board.undismissed.count,
            "leaving": board.leaving.count,
            "brokers of the fleet": board.fleet.brokerCount,
            "jobs of the fleet": board.fleet.jobCount,
            "sessions of the fleet": board.fleet.sessionCount,
            "questions to the fleet": board.fleet.questions.count,
            "askers of the fleet": board.fleet.questions.room.ownerCount,
            "parts": board.parts.parts.count, "conversations": board.parts.conversations.count,
            "unattached": knownTasks.unattachedSince.count,
            "unobserved": knownTasks.unobserved.count,
            "observable": knownTasks.observable.count,
            "dismissed before": knownTasks.dismissed.count,
            "topics": publication.topics.count, "batches": outbox.batches.count,
        ]
    }

    /// The tables that keep something of those that have left, each up to a limit, and the number
    /// of their entries.
    package var memories: [String: Int] {
        [
            "requests about detached tasks": detached.requests.count,
            "departed sessions": sessions.departures.count,
            "keys with slots": board.slots.keyCount,
        ]
    }

    /// The names of the tables that have something, with how much.
    package var tablesInUse: [String: Int] { tables.filter { $0.value > 0 } }
}

#if PROGRESSBUS_INTERNAL_CHECKS
extension BrokerMachine {
    /// Brokers with so many records or sessions are checked after every event; larger ones are not.
    private static let checkLimit = 64

    /// Stops the process where a table has something of a task or session that nothing else has.
    func checkInvariants() {
        guard tree.recordCount <= Self.checkLimit, sessions.known.count <= Self.checkLimit else {
            return
        }
        if !sessions.isSettling {
            for id in knownTasks.facts.keys {
                precondition(tree.hasRecord(of: id), "facts of \(id)")
            }
        }
        for id in tickets.bindings.keys {
            precondition(tree.hasRecord(of: id), "a binding of \(id)")
        }
        for id in knownTasks.bindingsWithoutJob {
            precondition(tickets.bindings[id] != nil, "no binding of \(id)")
        }
        for id in knownTasks.rowsWithoutPlace.keys {
            precondition(tree.hasRecord(of: id), "a row of \(id)")
        }
        for id in detached.tasks.keys { precondition(tree.hasRecord(of: id), "detached \(id)") }
        for (id, holding) in tickets.holdings {
            precondition(
                tree.knows(id) || !tree.attempts(of: id).isEmpty,
                "a holder of \(id), of which nothing is known"
            )
            precondition(
                holding.holder.map { tickets.bindings[$0] != nil } ?? true,
                "no holder of \(id)"
            )
        }
        checkShown()
        checkSessions()
    }

    private func checkShown() {
        for id in publication.attention { precondition(records[id] != nil, "attention: \(id)") }
        for id in knownTasks.unobserved { precondition(records[id] != nil, "unobserved: \(id)") }
        for id in board.undismissed.all { precondition(records[id] != nil, "undismissed: \(id)") }
        for id in board.jobs.keys { precondition(records[id] != nil, "job: \(id)") }
        // A task that has left its job is shown until the step that takes it off.
        guard !tree.hasPending else { return }
        for id in board.places.keys {
            // A redeemer that is a child may be shown before it is described.
            precondition(records[id] != nil || tree.job(of: id) != nil, "places: \(id)")
        }
        for id in records.ids(where: { _ in true }) {
            precondition(tree.job(of: id) != nil, "\(id) is in no job")
        }
    }

    private func checkSessions() {
        for (id, session) in sessions.known {
            precondition(sessions.byCredential[session.credential] == id, "credential of \(id)")
            precondition(
                session.isPresent || tree.count(of: id) > 0
                    || session.isViewer == false
                        && tree.hasPending,
                "nothing is left of \(id)"
            )
        }
        precondition(sessions.byCredential.count == sessions.known.count, "credentials of nobody")
        precondition(
            sessions.admissions.count == sessions.known.values.count(where: \.isPresent),
            "admissions"
        )
        precondition(
            sessions.admissions.workers
                == sessions.known.values.count { $0.isPresent && !$0.isViewer },
            "workers"
        )
        for id in commands.stopping.keys where id != detached.session {
            precondition(sessions[id] != nil, "\(id) is to stop and not there")
        }
    }
}
#endif
