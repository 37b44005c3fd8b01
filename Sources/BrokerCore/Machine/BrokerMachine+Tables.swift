import TaskTree

/// Every table of the broker that a client can make grow, for tests: how much is in it.
extension BrokerMachine {
    /// The name of each table and the number of its entries.
    ///
    /// All are empty when everybody has left and nothing is shown any more. `PROTOCOL.md` 5.3 says
    /// how large each may become.
    package var tables: [String: Int] {
        [
            "sessions": sessions.count, "credentials": sessionOf.count,
            "admissions": admissions.count, "refusals told": refusalsTold.count,
            "records of the tree": tree.recordCount, "books of the tree": tree.bookCount,
            "tasks": records.count, "jobs": jobRecords.count, "places": places.count,
            "facts": facts.count, "known jobs": knownJobs.count, "bindings": bindings.count,
            "tickets": tickets.count, "detached tasks": detached.tasks.count,
            "rows without a job": homelessRows.count,
            "bindings without a job": homelessBindings.count,
            "listings": listings.size, "commands": commands.count,
            "deliveries": commands.deliveryCount,
            "askers": commands.askerCount,
            "stopping": stopping.count, "places to tell": placesToTell.count,
            "timers": timers.count,
            "attention": attention.count, "undismissed": undismissed.count,
            "unattached": unattachedSince.count, "unobserved": unobserved.count,
            "observable": observable.count, "dismissed before": dismissedBefore.count,
            "topics": topics.count, "batches": waitingBatches.count,
            "waiting welcomes": waitingWelcomes.count,
            "waiting answers": waitingDetachedAnswers.count,
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
        guard tree.recordCount <= Self.checkLimit, sessions.count <= Self.checkLimit else { return }
        if !isSettling {
            for id in facts.keys { precondition(tree.hasRecord(of: id), "facts of \(id)") }
        }
        for id in bindings.keys { precondition(tree.hasRecord(of: id), "a binding of \(id)") }
        for id in homelessBindings { precondition(bindings[id] != nil, "no binding of \(id)") }
        for id in homelessRows.keys { precondition(tree.hasRecord(of: id), "a row of \(id)") }
        for id in detached.tasks.keys { precondition(tree.hasRecord(of: id), "detached \(id)") }
        for (id, holding) in tickets {
            precondition(
                tree.knows(id) || !tree.attempts(of: id).isEmpty,
                "a holder of \(id), of which nothing is known"
            )
            precondition(holding.holder.map { bindings[$0] != nil } ?? true, "no holder of \(id)")
        }
        checkShown()
        checkSessions()
    }

    private func checkShown() {
        for id in attention { precondition(records[id] != nil, "attention: \(id)") }
        for id in unobserved { precondition(records[id] != nil, "unobserved: \(id)") }
        for id in undismissed.all { precondition(records[id] != nil, "undismissed: \(id)") }
        for id in jobRecords.keys { precondition(records[id] != nil, "job: \(id)") }
        for id in places.keys {
            // A redeemer that is a child may be shown before it is described.
            precondition(records[id] != nil || tree.job(of: id) != nil, "places: \(id)")
        }
        guard !tree.hasPending else { return }
        for id in records.ids(where: { _ in true }) {
            precondition(tree.job(of: id) != nil, "\(id) is in no job")
        }
    }

    private func checkSessions() {
        for (id, session) in sessions {
            precondition(sessionOf[session.credential] == id, "credential of \(id)")
            precondition(
                session.isPresent || tree.count(of: id) > 0
                    || session.isViewer == false
                        && tree.hasPending,
                "nothing is left of \(id)"
            )
        }
        precondition(sessionOf.count == sessions.count, "credentials of nobody")
        precondition(admissions.count == sessions.values.count(where: \.isPresent), "admissions")
        precondition(
            admissions.workers == sessions.values.count { $0.isPresent && !$0.isViewer },
            "workers"
        )
        for id in stopping.keys where id != detached.session {
            precondition(sessions[id] != nil, "\(id) is to stop and not there")
        }
    }
}
#endif
