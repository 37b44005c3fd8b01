import BusProtocol
import TaskTree

/// Redemptions: the broker decides once, remembers, and says so.
///
/// Only a ticket has a holder. A name may be redeemed before its owner describes it. If the owner
/// then describes it as no ticket, the broker makes its holder a child and tells that session.
extension BrokerMachine {
    mutating func apply(_ redeem: WireRedeem, of id: SessionID, route: Route, now: Moment) {
        let reporter = TaskID(index: redeem.index, session: id)
        guard let ticket = redeem.ticket.taskID(sender: id) else { return }
        publication.isChanged = true
        self.redeem(ticket, by: reporter, known: redeem.hasKnown ? redeem.known : nil, now: now)
        if let binding = tickets.bindings[reporter] {
            tell(binding, to: reporter, redeeming: ticket, route: route)
        } else if tree.hasRoom(for: reporter) {
            // The redeemer has left already, so that nothing is kept of it or shown; or it stays a
            // job, as `mayHangElsewhere` has refused the redemption.
            send(.binding(WireBinding(index: redeem.index, .inert, task: ticket)), to: route)
        } else {
            refuseMoreTasks(of: id, index: redeem.index)
        }
    }

    /// Decides what a redeemer is, unless that has been decided before, or it has left, or there is
    /// no room for it.
    mutating func redeem(_ ticket: TaskID, by reporter: TaskID, known: WireBinding?, now: Moment) {
        guard tickets.bindings[reporter] == nil else { return }
        // The holder's state must include all that has arrived. Settling may make jobs leave.
        settleForDecision(now: now)
        guard sessions[reporter.session]?.removed.contains(reporter.index) == false,
            mayHangElsewhere(reporter)
        else { return }
        let binding = ticket == reporter ? .inert : decide(ticket: ticket, known: known)
        bind(reporter, to: binding, ticket: ticket, now: now)
    }

    /// What a redemption becomes, from what is known of the ticket's task now.
    ///
    /// `known` is what an earlier broker decided, if the redeemer says so; it counts only where
    /// this broker and its journal know nothing of the ticket.
    private func decide(ticket: TaskID, known: WireBinding?) -> Binding {
        if detached.owns(ticket) || isNoTicket(ticket) { return .child(of: ticket) }
        guard let holding = tickets.holdings[ticket] else {
            switch known?.kind {
            case .holder:
                let attempt = min(max(1, known?.attempt ?? 1), ProtocolLimits.maxAttempt)
                return .holder(of: ticket, attempt: attempt)
            case .child: return .child(of: ticket)
            case .inert: return .inert
            case .unknown, .UNRECOGNIZED, nil: return .holder(of: ticket, attempt: 1)
            }
        }
        // A stated success counts even while its children keep the task running.
        if let holder = holding.holder, tree.hasStatedSuccess(holder) { return .inert }
        let state = holding.holder == nil ? TaskState.lost : tree.state(of: ticket)
        switch state {
        case .succeeded: return .inert
        case .failed, .cancelled, .lost:
            guard holding.attempt < ProtocolLimits.maxAttempt else { return .inert }
            return .holder(of: ticket, attempt: holding.attempt + 1)
        case .waiting, .running, .paused, .cancelling, nil:
            return .child(of: ticket)
        }
    }

    /// Whether a name is known to be no ticket: it is described as another task, or has redeemed a
    /// ticket itself.
    private func isNoTicket(_ task: TaskID) -> Bool {
        tickets.bindings[task] != nil || tree.knows(task) && !tree.isTicket(task)
    }

    private mutating func bind(
        _ reporter: TaskID,
        to decided: Binding,
        ticket redeemed: TaskID,
        now: Moment
    ) {
        var binding = decided
        // Read before the binding, which begins the next attempt.
        let ending = endingWords(of: redeemed)
        guard tree.bind(reporter, to: binding) else { return }
        if case .holder = binding, !tree.isHolder(reporter) {
            // The ticket has ended, and its issuer has folded it away.
            binding = .inert
            tree.bind(reporter, to: binding)
        }
        tickets.bind(reporter, to: binding)
        publication.isChanged = true
        if binding == .inert, let holder = tickets.holdings[redeemed]?.holder,
            tree.hasStatedSuccess(holder)
        {
            // The decision rests on that success, which a full disk may not have taken.
            rememberLastRow(of: holder, reason: "")
        }
        if case .holder(let ticket, let attempt) = binding {
            let former = tickets.holdings[ticket]
            tickets.holdings[ticket] = TicketHolding(attempt: attempt, holder: reporter)
            if let former {
                log(
                    .notice,
                    "a ticket is redeemed again",
                    ["task": ticket.description, "attempt": String(attempt)]
                )
                if let ending { keep(line: ending, of: ticket, time: unix(now)) }
                stopChildrenOfFormerAttempt(of: ticket)
                if let holder = former.holder {
                    tellSuperseded(holder)
                    loseFoldIfUntold(of: holder, since: reporter)
                }
            }
            tree.infer(nil, about: ticket)
            // The journal may have the ticket as never begun.
            if tree.isTicket(ticket) { rememberLastRow(of: ticket, reason: "") }
            stopIfInVain(ticket, holder: reporter)
        }
        remember(binding, of: reporter, ticket: redeemed)
        if tickets.holdings[reporter] != nil { releaseHolders(ofNoTicket: reporter) }
    }

    /// Takes what runs below a former attempt for lost, if the new attempt is at the same other
    /// broker.
    ///
    /// That broker tells only what is below its newest attempt at the ticket.
    private mutating func loseFoldIfUntold(of former: TaskID, since reporter: TaskID) {
        guard let broker = sessions[former.session]?.way.broker,
            sessions[reporter.session]?.way.broker == broker
        else { return }
        tree.loseFold(of: former)
    }

    /// "attempt 1 failed: exit status 2"; `nil` before the first attempt, and while one runs.
    private func endingWords(of ticket: TaskID) -> String? {
        guard let view = tree.view(ticket), view.state.isEnded, view.attempt > 0 else { return nil }
        let words = "attempt \(view.attempt) \(view.state)"
        return view.reason.isEmpty ? words : words + ": " + view.reason
    }

    /// Tells a redeemer its binding, and in words where that is not what it asked for.
    mutating func tell(
        _ binding: Binding,
        to reporter: TaskID,
        redeeming ticket: TaskID,
        route: Route
    ) {
        switch binding {
        case .inert:
            refuse(
                .ticketUsed,
                """
                The task of ticket \(ticket) has already succeeded, was begun too often, or is its \
                own ticket; this process's task is shown nowhere. Make a new ticket for new work.
                """,
                of: reporter.session,
                index: reporter.index,
                isDecision: true
            )
        case .child where isNoTicket(ticket):
            refuseNoTicket(ticket, redeemedBy: reporter)
        case .holder where tickets.holdings[ticket]?.holder != reporter:
            tellSuperseded(reporter)
        case .holder, .child: break
        }
        sendJournalled(
            .binding(WireBinding(index: reporter.index, binding, task: ticket)),
            to: route
        )
    }

    private mutating func refuseNoTicket(_ task: TaskID, redeemedBy reporter: TaskID) {
        refuse(
            .notPermitted,
            """
            Task \(task) is no ticket, so nobody else can continue it; this process's task is \
            shown as a child of it. Make a ticket below it.
            """,
            of: reporter.session,
            index: reporter.index
        )
    }

    /// Makes all holders of a task that is no ticket its children, and tells their sessions.
    mutating func releaseHolders(ofNoTicket task: TaskID) {
        tickets.holdings[task] = nil
        for reporter in tree.attempts(of: task) {
            let binding = Binding.child(of: task)
            tickets.bind(reporter, to: binding)
            tree.bind(reporter, to: binding)
            remember(binding, of: reporter, ticket: task)
            guard let route = sessions[reporter.session]?.route else { continue }
            tell(binding, to: reporter, redeeming: task, route: route)
        }
    }

    /// Tells a former holder of a ticket that it counts no more, unless it has ended the task.
    ///
    /// A holder at another broker is told all the same: to that broker its attempt may be the
    /// newest.
    private mutating func tellSuperseded(_ reporter: TaskID) {
        let hasEnded = tree.hasStatedEnding(reporter)
        guard let session = sessions[reporter.session], session.isPresent,
            let route = session.route, session.way.broker != nil || !hasEnded
        else { return }
        if !hasEnded { sessions.refused += 1 }
        let sentence = """
            Another process has begun this task again; what this one says of it is not shown. \
            Stop working on it.
            """
        sendJournalled(refusal(.superseded, sentence, index: reporter.index), to: route)
    }

    /// Tells a session that was lost and is back which of its tasks other sessions have redeemed.
    mutating func tellSuperseded(_ id: SessionID) {
        for reporter in tree.reporters(of: id) {
            guard case .holder(let ticket, _)? = tickets.bindings[reporter],
                tickets.holdings[ticket]?.holder != reporter
            else { continue }
            tellSuperseded(reporter)
        }
    }

    /// Asks the new holder of a ticket to stop if the ticket was cancelled meanwhile, or if a task
    /// above it is to stop.
    private mutating func stopIfInVain(_ ticket: TaskID, holder: TaskID) {
        // A ticket that is not in a tree yet is looked at when it begins.
        guard let record = records[ticket] else { return }
        records[ticket]?.isCancelledUnbegun = false
        if record.isCancelledUnbegun {
            stop(ticket, reporter: holder)
        } else {
            stopIfAnythingAboveStops(ticket, reporter: holder)
        }
    }
}
