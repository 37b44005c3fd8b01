import TaskTree

/// The broker cancels a ticket that no process has redeemed `neverBegunAfter` seconds after its parent
/// has ended.
extension BrokerMachine {
    /// The reason that viewers see of such a ticket.
    static let neverBegun = "never begun"

    /// A process may still redeem tickets below an ended task until this timer is due.
    mutating func giveTicketsTime(below reporter: TaskID, now: Moment) {
        guard tree.hasChildren(reporter) else { return }
        clock.timers.add(
            .neverBegun(reporter),
            at: now.advanced(bySeconds: configuration.neverBegunAfter)
        )
    }

    /// Cancels the unredeemed tickets below a task, or an attempt, that ended or was lost a while ago.
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
