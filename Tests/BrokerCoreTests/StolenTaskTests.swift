import BrokerCore
import BusProtocol
import TaskTree
import Testing

/// Nobody speaks for a task that is not theirs, whatever they claim about tickets.
@Suite("A thief") struct StolenTaskTests {
    let owner = Client(1)
    let thief = Client(3)
    let viewer = Client(2, viewer: true)

    /// A job with an ordinary child and a ticket of the owner.
    private func bus() -> Bus {
        var bus = Bus()
        for client in [owner, thief, viewer] { bus.control(client, client.hello) }
        bus.report(owner) {
            $0.sequence = 1
            $0.descriptions = [
                owner.description(1, "Job"),
                owner.description(2, "Child", parent: owner.task(1)),
                owner.description(3, "Ticket", parent: owner.task(1), isTicket: true),
            ]
        }
        bus.pass()
        return bus
    }

    private func redeem(
        _ ticket: TaskID,
        as index: UInt64,
        known: (kind: WireBindingKind, attempt: UInt32)? = nil
    ) -> WireClientFrame.OneOf_Body {
        var redeem = WireRedeem()
        redeem.index = index
        redeem.ticket = WireTaskRef(ticket)
        if let known {
            redeem.known.kind = known.kind
            redeem.known.attempt = known.attempt
            redeem.known.task = WireTaskRef(ticket)
        }
        return .redeem(redeem)
    }

    private func bindings(of client: Client, in bus: Bus) -> [WireBinding] {
        bus.answers(to: client).compactMap { if case .binding(let it) = $0 { it } else { nil } }
    }

    private func refusals(of client: Client, in bus: Bus) -> [RefusalCode] {
        bus.answers(to: client).compactMap {
            if case .refusal(let it) = $0 { RefusalCode(rawValue: it.code) } else { nil }
        }
    }

    /// Ends a task that redeems this ticket.
    private func end(
        _ index: UInt64,
        of client: Client,
        ticket: TaskID,
        _ state: WireStatedState,
        sequence: UInt64
    ) -> WireClientFrame.OneOf_Body {
        let description = client.description(index, "Stolen", ticket: ticket)
        return client.endings(sequence, [client.ending(description, state)])
    }

    @Test(
        "who redeems a job or an ordinary child becomes its child, and the owner's word counts",
        arguments: [1, 2] as [UInt64]
    )
    func noTicket(index: UInt64) {
        var bus = bus()
        let victim = owner.task(index)
        bus.control(thief, redeem(victim, as: 7))
        #expect(bindings(of: thief, in: bus).map(\.kind) == [.child])
        #expect(refusals(of: thief, in: bus) == [.notPermitted])
        bus.control(thief, end(7, of: thief, ticket: victim, .succeeded, sequence: 1))
        bus.pass()
        #expect(bus.row(victim, asking: viewer)?.progress.state == .running)
        let description = owner.description(
            index,
            "Victim",
            parent: index == 1 ? nil : owner.task(1)
        )
        bus.control(owner, owner.endings(2, [owner.ending(description, .failed, reason: "full")]))
        bus.pass()
        #expect(bus.row(victim, asking: viewer)?.progress.state == .failed)
        #expect(bus.row(victim, asking: viewer)?.progress.reason == "full")
    }

    @Test("who redeems a name before its owner describes it as no ticket loses it and is told")
    func tooEarly() {
        var bus = bus()
        bus.control(thief, redeem(owner.task(4), as: 7))
        bus.report(thief) {
            $0.sequence = 1
            $0.descriptions = [thief.description(7, "Stolen", ticket: owner.task(4))]
        }
        #expect(bindings(of: thief, in: bus).map(\.kind) == [.holder])
        bus.report(owner) {
            $0.sequence = 2
            $0.descriptions = [owner.description(4, "Mine", parent: owner.task(1))]
        }
        bus.pass()
        #expect(bindings(of: thief, in: bus).map(\.kind) == [.holder, .child])
        #expect(refusals(of: thief, in: bus) == [.notPermitted])
        bus.control(thief, end(7, of: thief, ticket: owner.task(4), .succeeded, sequence: 2))
        bus.pass()
        #expect(bus.row(owner.task(4), asking: viewer)?.progress.state == .running)

        // The same after a restart: what the journal has is the last word.
        var next = bus.restarted()
        next.control(viewer, viewer.hello)
        next.control(owner, owner.hello)
        next.keyframe(owner, sequence: 3) {
            $0.descriptions = [
                owner.description(1, "Job"),
                owner.description(4, "Mine", parent: owner.task(1)),
            ]
        }
        next.pass(3)
        #expect(next.row(owner.task(4), asking: viewer)?.progress.state == .running)
    }

    @Test(
        "a claimed attempt takes no ticket from its living holder",
        arguments: [2, 10_000, UInt32.max]
    )
    func forgedAttempt(attempt: UInt32) {
        var bus = bus()
        let other = Client(4)
        bus.control(other, other.hello)
        bus.control(other, redeem(owner.task(3), as: 1))
        bus.report(other) {
            $0.sequence = 1
            $0.descriptions = [other.description(1, "Held", ticket: owner.task(3))]
        }
        bus.control(thief, redeem(owner.task(3), as: 7, known: (.holder, attempt)))
        bus.pass()
        #expect(bindings(of: thief, in: bus).map(\.kind) == [.child])
        #expect(bus.row(owner.task(3), asking: viewer)?.description_p.title == "Held")
    }

    @Test("an attempt claimed of an unknown ticket is bounded, and so are those after it")
    func overflow() {
        var bus = bus()
        let ticket = TaskID(index: 9, session: SessionID(rawValue: 4_711))
        bus.control(thief, redeem(ticket, as: 1, known: (.holder, .max)))
        bus.control(thief, end(1, of: thief, ticket: ticket, .failed, sequence: 1))
        bus.control(thief, redeem(ticket, as: 2))
        let bindings = bindings(of: thief, in: bus)
        #expect(bindings.map(\.kind) == [.holder, .inert])
        #expect(bindings[0].attempt == ProtocolLimits.maxAttempt)

        var next = bus.restarted()
        next.control(thief, thief.hello)
        next.control(thief, redeem(ticket, as: 3))
        #expect(self.bindings(of: thief, in: next).map(\.kind) == [.inert])
    }

    @Test(
        "a holder that was lost and comes back is told that somebody else has begun its task again"
    )
    func superseded() {
        var bus = bus()
        let other = Client(4)
        bus.control(other, other.hello)
        bus.control(other, redeem(owner.task(3), as: 1))
        bus.report(other) {
            $0.sequence = 1
            $0.descriptions = [other.description(1, "First", ticket: owner.task(3))]
        }
        bus.pass(12, hearing: [owner, thief, viewer])
        #expect(bus.row(owner.task(3), asking: viewer)?.progress.state == .lost)
        bus.control(thief, redeem(owner.task(3), as: 7))
        #expect(bindings(of: thief, in: bus).map(\.attempt) == [2])
        bus.control(other, .heartbeat(WireHeartbeat()))
        #expect(refusals(of: other, in: bus) == [.superseded])
    }

    @Test("a holder that has failed is not told that its task is begun again")
    func triedAgain() {
        var bus = bus()
        bus.control(thief, redeem(owner.task(3), as: 1))
        bus.report(thief) {
            $0.sequence = 1
            $0.descriptions = [thief.description(1, "First", ticket: owner.task(3))]
        }
        bus.control(thief, end(1, of: thief, ticket: owner.task(3), .failed, sequence: 2))
        bus.control(thief, redeem(owner.task(3), as: 2))
        #expect(bindings(of: thief, in: bus).map(\.attempt) == [1, 2])
        #expect(refusals(of: thief, in: bus).isEmpty)
    }

    @Test("a ticket whose holder states its task no longer can be redeemed again")
    func abandoned() {
        var bus = bus()
        bus.control(thief, redeem(owner.task(3), as: 7))
        bus.report(thief) {
            $0.sequence = 1
            $0.descriptions = [thief.description(7, "Held", ticket: owner.task(3))]
        }
        bus.keyframe(thief, sequence: 2)
        bus.pass()
        #expect(bus.row(owner.task(3), asking: viewer)?.progress.state == .waiting)
        let other = Client(4)
        bus.control(other, other.hello)
        bus.control(other, redeem(owner.task(3), as: 1))
        #expect(bindings(of: other, in: bus).map(\.kind) == [.holder])
        #expect(bindings(of: other, in: bus).map(\.attempt) == [2])
    }

    @Test("a fold below another session's task is refused, and no number of it changes")
    func foreignFold() {
        var bus = bus()
        var fold = WireFold()
        fold.parent = WireTaskRef(owner.task(1))
        fold.succeeded = 1_000_000_000_000
        fold.share = 1 << 40
        fold.weightedHigh = 1 << 26
        var endings = WireEndings()
        endings.sequence = 1
        endings.folds = [fold]
        bus.control(thief, .endings(endings))
        bus.keyframe(thief, sequence: 2) {
            $0.folds = [fold]
        }
        bus.control(thief, .goodbye(WireGoodbye()))
        bus.pass()
        #expect(refusals(of: thief, in: bus) == [.notPermitted])
        let row = bus.row(owner.task(1), asking: viewer)
        #expect(row?.progress.counts.succeeded == 0)
        #expect(row?.progress.fraction == 0)
        #expect(!bus.journal.contains { if case .fold = $0 { true } else { false } })
    }

    @Test("a fold removes only children of its parent", arguments: [1, 2, 3] as [UInt64])
    func foldedParent(removed: UInt64) {
        var bus = bus()
        bus.report(owner) {
            $0.sequence = 2
            $0.descriptions = [owner.description(4, "Folder", parent: owner.task(1))]
        }
        var fold = WireFold()
        fold.parent = WireTaskRef(owner.task(4))
        fold.removed = [removed, removed]
        var endings = WireEndings()
        endings.sequence = 3
        endings.folds = [fold]
        bus.control(owner, .endings(endings))
        bus.pass()
        #expect(bus.rows(of: .job(owner.task(1)), asking: viewer).count == 4)
    }

    @Test("who redeems a ticket that its issuer has folded away is shown nowhere, and told so")
    func foldedTicket() {
        var bus = bus()
        var fold = WireFold()
        fold.parent = WireTaskRef(owner.task(1))
        fold.removed = [3]
        var endings = WireEndings()
        endings.sequence = 3
        endings.folds = [fold]
        bus.control(owner, .endings(endings))
        bus.control(thief, redeem(owner.task(3), as: 7))
        #expect(bindings(of: thief, in: bus).map(\.kind) == [.inert])
        #expect(refusals(of: thief, in: bus) == [.ticketUsed])
    }

    @Test("who holds a ticket folds below its own index, not below the ticket's")
    func foldBelowTicket() {
        var bus = bus()
        bus.control(thief, redeem(owner.task(3), as: 7))
        for (sequence, parent) in [(1, owner.task(3)), (2, thief.task(7))] as [(UInt64, TaskID)] {
            var fold = WireFold()
            fold.parent = WireTaskRef(parent)
            fold.succeeded = 1
            fold.share = 1
            var endings = WireEndings()
            endings.sequence = sequence
            endings.folds = [fold]
            bus.control(thief, .endings(endings))
        }
        bus.pass()
        #expect(refusals(of: thief, in: bus) == [.notPermitted])
        #expect(bus.row(owner.task(3), asking: viewer)?.progress.childrenLeftOut == 1)
    }

    @Test("a log line about another session's task is refused")
    func foreignLine() {
        var bus = bus()
        var line = WireLogLine()
        line.task = WireTaskRef(owner.task(1))
        line.text = "forged"
        bus.subscribe(.log(owner.task(1)))
        bus.report(thief) {
            $0.sequence = 1
            $0.logs = [line]
        }
        bus.pass()
        #expect(refusals(of: thief, in: bus) == [.notPermitted])
        #expect(!bus.published.contains { !$0.update.logs.isEmpty })
    }
}
