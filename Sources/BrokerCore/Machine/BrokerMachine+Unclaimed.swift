import TaskTree

/// Tasks without a known parent become jobs of their own after a while; tickets that no process has
/// redeemed `neverBegunAfter` seconds after their parent's end are cancelled.
extension BrokerMachine {
    /// Shows tasks that have waited long enough for their parents as jobs of their own.
    ///
    /// There may be very many, so that one tick takes some thousand.
    mutating func adoptOrphans(now: Moment) {
        guard !sessions.isSettling else { return }
        // Tasks that move with an orphan count too: each costs several looks.
        var room = configuration.looksPerTick / 4
        var hidden: [TaskID] = []
        while room > 0,
            let (id, _) = knownTasks.unattachedSince.takeOldest(where: {
                now.seconds(since: $0) >= configuration.orphanAfter
            })
        {
            guard tree.isUnattached(id) else { continue }
            room -= 1
            guard !tree.isHidden(id) else {
                hidden.append(id)
                continue
            }
            let before = tree.moves
            tree.adoptOrphan(id)
            room -= tree.moves - before
            publication.isChanged = true
        }
        // Looked at again later: the redeemers that they hang under may be shown, or gone, some
        // time.
        for id in hidden { knownTasks.unattachedSince.put(id, age: now) }
    }

    /// The reason that viewers see of a ticket that no process has redeemed in time.
    static let neverBegun = "never begun"

    /// A process may still redeem tickets below an ended task until this timer is due.
    mutating func giveTicketsTime(below reporter: TaskID, now: Moment) {
        guard tree.hasChildren(reporter) else { return }
        clock.timers.add(
            .neverBegun(reporter),
            at: now.advanced(bySeconds: configuration.neverBegunAfter)
        )
    }

    /// Cancels the unredeemed tickets below a task, or an attempt, that ended or was lost a while
    /// ago.
    mutating func cancelNeverBegun(below reporter: TaskID) {
        guard hasEnded(reporter) else { return }
        for id in tree.children(ofAttempt: reporter) where tree.state(of: id) == .waiting {
            giveUp(id)
        }
    }

    /// Cancels the unredeemed tickets below a job that a viewer has dismissed.
    mutating func giveUpTickets(below job: TaskID, now: Moment) {
        settleForDecision(now: now)
        for id in tree.subtree(of: job) where tree.state(of: id) == .waiting { giveUp(id) }
        settleForDecision(now: now)
    }

    private mutating func giveUp(_ ticket: TaskID) {
        tree.infer(.cancelled(reason: Self.neverBegun), about: ticket)
        // The journal must have it: without it the tasks above wait for the ticket after a restart.
        rememberLastRow(of: ticket, reason: Self.neverBegun)
        publication.isChanged = true
    }
}
