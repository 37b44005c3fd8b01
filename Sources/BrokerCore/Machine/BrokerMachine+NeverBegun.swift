import TaskTree

/// Tickets that nobody redeems: cancelled a while after what they are a part of has ended.
extension BrokerMachine {
    /// Why a ticket is cancelled that nobody took.
    static let neverBegun = "never begun"

    /// Tickets that nobody has redeemed when their parent ends may still be for a while.
    mutating func giveTicketsTime(below reporter: TaskID, now: Moment) {
        guard tree.hasChildren(reporter) else { return }
        clock.timers.add(
            .neverBegun(reporter),
            at: now.advanced(bySeconds: configuration.neverBegunAfter)
        )
    }

    /// Cancels the unredeemed tickets below a task that ended, or was lost, a while ago.
    mutating func cancelNeverBegun(below reporter: TaskID) {
        guard hasEnded(reporter), let parent = tree.taskID(of: reporter) else { return }
        for id in tree.children(of: parent) where tree.state(of: id) == .waiting { giveUp(id) }
    }

    /// Cancels the unredeemed tickets below a job that a viewer has dismissed.
    mutating func giveUpTickets(below job: TaskID, now: Moment) {
        settleForDecision(now: now)
        for id in tree.subtree(of: job) where tree.state(of: id) == .waiting { giveUp(id) }
        settleForDecision(now: now)
    }

    private mutating func giveUp(_ ticket: TaskID) {
        tree.infer(.cancelled(reason: Self.neverBegun), about: ticket)
        // Else what has ended above it would run again after a restart.
        rememberLastRow(of: ticket, reason: Self.neverBegun)
        publication.isChanged = true
    }
}
