import BusProtocol
import TaskTree

/// Redemptions: the broker decides once, remembers, and says so.
extension BrokerMachine {
    mutating func apply(_ redeem: WireRedeem, of id: SessionID, route: Route, now: Moment) {
        let reporter = TaskID(index: redeem.index, session: id)
        guard let ticket = redeem.ticket.taskID(sender: id) else { return }
        isChanged = true
        if bindings[reporter] == nil {
            // The state of the holder must be as new as what has arrived.
            settleForDecision(now: now)
            let known = redeem.hasKnown ? redeem.known : nil
            bind(reporter, to: decide(reporter, ticket: ticket, known: known), ticket: ticket)
        }
        guard let binding = bindings[reporter] else { return }
        sendJournalled(
            .binding(WireBinding(index: redeem.index, binding, task: ticket)),
            to: route
        )
        if binding == .inert {
            refuse(
                .ticketUsed,
                """
                The task of ticket \(ticket) has already succeeded; this process's task is \
                shown nowhere. Make a new ticket for new work.
                """,
                of: id,
                index: redeem.index
            )
        }
    }

    /// What a redemption becomes, from what is known of the ticket's task now.
    ///
    /// `known` is what an earlier broker decided, if the redeemer says so; it counts only where
    /// this broker knows nothing else, because its journal was lost.
    func decide(_ reporter: TaskID, ticket: TaskID, known: WireBinding?) -> Binding {
        guard let holding = tickets[ticket] else {
            switch known?.kind {
            case .holder:
                return .holder(of: ticket, attempt: max(1, known?.attempt ?? 1))
            case .child: return .child(of: ticket)
            case .inert: return .inert
            case .unknown, .UNRECOGNIZED, nil: return .holder(of: ticket, attempt: 1)
            }
        }
        if let known, known.kind == .holder, known.attempt > holding.attempt {
            return .holder(of: ticket, attempt: known.attempt)
        }
        // A stated success counts even while its children keep the task running.
        if tree.hasStatedSuccess(holding.holder) { return .inert }
        switch tree.state(of: ticket) {
        case .succeeded: return .inert
        case .failed, .cancelled, .lost:
            return .holder(of: ticket, attempt: holding.attempt + 1)
        case .waiting, .running, .paused, .cancelling, nil:
            return .child(of: ticket)
        }
    }

    mutating func bind(_ reporter: TaskID, to binding: Binding, ticket redeemed: TaskID) {
        bindings[reporter] = binding
        tree.bind(reporter, to: binding)
        isChanged = true
        if case .holder(let ticket, let attempt) = binding {
            guard attempt > tickets[ticket]?.attempt ?? 0 else {
                remember(binding, of: reporter, ticket: redeemed)
                return
            }
            if let former = tickets[ticket] {
                log(
                    .notice,
                    "a ticket is redeemed again",
                    ["task": ticket.description, "attempt": String(attempt)]
                )
                cancelChildren(ofAttemptHeldBy: former.holder, of: ticket)
            }
            tickets[ticket] = TicketHolding(attempt: attempt, holder: reporter)
            tree.infer(nil, about: ticket)
            // It was in the journal as never begun, perhaps.
            if tree.isTicket(ticket) { rememberLastRow(of: ticket, reason: "") }
            stopIfInVain(ticket, holder: reporter)
        }
        remember(binding, of: reporter, ticket: redeemed)
    }

    /// Whoever takes a ticket that was cancelled meanwhile, or whose parent is to stop, is told.
    private mutating func stopIfInVain(_ ticket: TaskID, holder: TaskID) {
        // One that is not in a tree yet is looked at when it begins.
        guard let record = records[ticket] else { return }
        records[ticket]?.isCancelledUnbegun = false
        if record.isCancelledUnbegun {
            stop(ticket, reporter: holder)
        } else {
            stopIfAnythingAboveStops(ticket, reporter: holder)
        }
    }
}
