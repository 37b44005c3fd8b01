import BrokerCore
import BusProtocol
import SwiftProtobuf
import TaskTree
import Testing

/// Tickets, and those who redeemed them, in the journal and in the next broker.
@Suite struct TicketRestartTests {
    let issuer = Client(1)
    let viewer = Client(2, viewer: true)
    let holder = Client(3)
    let late = Client(4)

    private var job: WireDescription { issuer.description(1, "Backup") }
    private var ticket: WireDescription {
        issuer.description(2, "Part", parent: issuer.task(1), isTicket: true)
    }

    /// A job of one ticket that nobody has taken.
    private func issued() -> Bus {
        var bus = Bus()
        for client in [issuer, holder, late, viewer] { bus.control(client, client.hello) }
        bus.report(issuer) {
            $0.sequence = 1
            $0.descriptions = [job, ticket]
        }
        bus.pass()
        return bus
    }

    @Test("A ticket that no report brought, only a row over control: acknowledged, and known later")
    func overControl() {
        var bus = Bus()
        for client in [issuer, holder] { bus.control(client, client.hello) }
        let rows = [issuer.ending(ticket, .running), issuer.ending(job, .succeeded)]
        bus.control(issuer, issuer.endings(1, rows))
        let isAcknowledged = bus.answers(to: issuer).contains {
            if case .endingsJournalled(let answer) = $0 { answer.sequence == 1 } else { false }
        }
        #expect(isAcknowledged)
        bus.control(issuer, .goodbye(WireGoodbye()))
        var next = restarted(bus)
        next.control(holder, holder.hello)
        #expect(redeem(holder, in: &next) == .holder)
        next.pass()
        #expect(next.machine.job(of: issuer.task(2)) == issuer.task(1), "no job of its own")
        let shown = next.rows(of: .job(issuer.task(1)), asking: viewer)
        #expect(shown.map(\.task) == [issuer.task(1), issuer.task(2)].map(WireTaskRef.init))
    }

    @Test("an issuer that has gone with its broker: what succeeded waits a minute for its tickets")
    func issuerGone() {
        var bus = Bus()
        for client in [issuer, viewer] { bus.control(client, client.hello) }
        let ticket = issuer.description(3, "Part", parent: issuer.task(2), isTicket: true)
        bus.report(issuer) {
            $0.sequence = 1
            $0.descriptions = [
                issuer.description(1, "Job"),
                issuer.description(2, "Parts", parent: issuer.task(1)), ticket,
            ]
        }
        let end = issuer.ending(
            issuer.description(2, "Parts", parent: issuer.task(1)),
            .succeeded
        )
        bus.control(issuer, issuer.endings(2, [end, issuer.ending(ticket, .running)]))
        bus.pass()
        var next = bus.restarted()
        next.control(viewer, viewer.hello)
        next.pass(20, hearing: [viewer])
        #expect(next.row(issuer.task(1), asking: viewer)?.progress.state == .lost)
        #expect(next.row(issuer.task(2), asking: viewer)?.progress.state == .running)
        next.pass(60, hearing: [viewer])
        #expect(next.row(issuer.task(3), asking: viewer)?.progress.state == .cancelled)
        #expect(next.row(issuer.task(2), asking: viewer)?.progress.state == .succeeded)
    }

    @Test(
        "A ticket whose last attempt is lost: the next redeemer is refused, and nothing overflows"
    )
    func lastAttempt() {
        var bus = issued()
        var known = WireBinding()
        known.index = 1
        known.kind = .holder
        known.task = WireTaskRef(issuer.task(2))
        known.attempt = ProtocolLimits.maxAttempt
        #expect(redeem(holder, known: known, in: &bus) == .holder)
        bus.report(holder) {
            $0.sequence = 1
            $0.descriptions = [
                .with {
                    $0.index = 1
                    $0.ticket = WireTaskRef(issuer.task(2))
                }
            ]
        }
        bus.pass()
        bus.control(holder, .goodbye(WireGoodbye()))
        bus.pass(2, hearing: [issuer, late, viewer])
        #expect(redeem(late, in: &bus) == .inert)
    }

    /// What has redeemed a ticket of an issuer that the broker has never heard, and has then ended.
    private func redeemedAlone(_ end: WireStatedState) -> Bus {
        var bus = Bus()
        for client in [holder, viewer] { bus.control(client, client.hello) }
        #expect(redeem(holder, in: &bus) == .holder)
        let part = holder.description(1, "", ticket: issuer.task(2))
        bus.control(holder, holder.endings(2, [holder.ending(part, end)]))
        // Long enough for the ticket to be shown without its parent.
        bus.pass(15, hearing: [holder, viewer])
        bus.control(holder, .goodbye(WireGoodbye()))
        bus.pass()
        return bus
    }

    @Test(
        "a ticket of an unknown issuer, shown as a job: as it was after each restart",
        arguments: [WireStatedState.succeeded, .failed]
    )
    func unknownIssuer(end: WireStatedState) {
        let shown: WireShownState =
            end == .succeeded ? .succeeded : .failed
        var bus = redeemedAlone(end)
        #expect(bus.row(issuer.task(2), asking: viewer)?.progress.state == shown)
        for _ in 1...2 {
            bus = settled(after: bus)
            #expect(bus.row(issuer.task(2), asking: viewer)?.progress.state == shown)
        }
        bus.control(late, late.hello)
        #expect(redeem(late, in: &bus) == (end == .failed ? .holder : .inert))
    }

    /// The same, whose job has succeeded long ago and whose ticket counts as never begun.
    private func neverBegun() -> Bus {
        var bus = issued()
        bus.control(issuer, issuer.endings(2, [issuer.ending(job, .succeeded)]))
        bus.pass(62, hearing: [issuer, holder, late, viewer])
        return bus
    }

    private func redeem(
        _ client: Client,
        known: WireBinding? = nil,
        in bus: inout Bus
    ) -> WireBindingKind? {
        var redeem = WireRedeem()
        if let known { redeem.known = known }
        redeem.index = 1
        redeem.ticket = WireTaskRef(issuer.task(2))
        bus.control(client, .redeem(redeem))
        return bus.answers(to: client).compactMap {
            if case .binding(let binding) = $0 { binding.kind } else { nil }
        }.last
    }

    private func restarted(_ bus: Bus) -> Bus {
        var next = bus.restarted()
        next.control(viewer, viewer.hello)
        next.pass()
        return next
    }

    /// Another broker with the same journal, which has settled without anybody but a viewer.
    ///
    /// Its clock begins anew: a leap to the time of its predecessor would set off all its timers.
    private func settled(after bus: Bus) -> Bus {
        var next = Bus(journal: JournalEntry.compact(bus.journal))
        next.control(viewer, viewer.hello)
        next.pass(2.5, hearing: [viewer])
        return next
    }

    private func keyframe(_ client: Client, _ all: [WireDescription], in bus: inout Bus) {
        bus.control(client, client.hello)
        bus.keyframe(client, sequence: 10) {
            $0.descriptions = all
        }
        bus.pass()
    }

    // MARK: Taken

    @Test("issuer and broker die together: what redeems the ticket afterwards counts in its job")
    func issuerDiesWithTheBroker() {
        var next = settled(after: issued())
        next.control(holder, holder.hello)
        #expect(redeem(holder, in: &next) == .holder)
        let part = holder.description(1, "", ticket: issuer.task(2))
        next.control(holder, holder.endings(2, [holder.ending(part, .succeeded)]))
        next.pass(15, hearing: [holder, viewer])
        #expect(next.machine.job(of: issuer.task(2)) == issuer.task(1))
        let board = next.rows(of: .board(page: 0), asking: viewer)
        #expect(board.map(\.task) == [WireTaskRef(issuer.task(1))])
        #expect(board.first?.progress.fraction == 1)
    }

    @Test("a holder died before its first report: lost after a restart too, and its ticket is free")
    func holderDiesBeforeItsFirstReport() {
        var bus = issued()
        #expect(redeem(holder, in: &bus) == .holder)
        bus.pass(12, hearing: [issuer, late, viewer])
        #expect(bus.row(issuer.task(2), asking: viewer)?.progress.state == .lost)
        var next = restarted(bus)
        keyframe(issuer, [job, ticket], in: &next)
        #expect(next.row(issuer.task(2), asking: viewer)?.progress.state == .lost)
        next.control(late, late.hello)
        #expect(redeem(late, in: &next) == .holder)
    }

    // MARK: Never begun

    @Test("a ticket was never begun: so it is after a restart, and what succeeded above stays so")
    func neverBegunStaysSo() {
        var bus = neverBegun()
        #expect(bus.row(issuer.task(1), asking: viewer)?.progress.state == .succeeded)
        var next = settled(after: bus)
        let row = next.row(issuer.task(2), asking: viewer)
        #expect(row?.progress.state == .cancelled)
        #expect(row?.progress.reason == "never begun")
        #expect(next.row(issuer.task(1), asking: viewer)?.progress.state == .succeeded)
        keyframe(issuer, [job, ticket], in: &next)
        #expect(next.row(issuer.task(1), asking: viewer)?.progress.state == .succeeded)
    }

    @Test("the issuer leaves after its ticket was never begun: the next broker knows both")
    func issuerLeavesAfterwards() {
        var bus = neverBegun()
        bus.control(issuer, .goodbye(WireGoodbye()))
        bus.pass()
        var next = settled(after: bus)
        #expect(next.row(issuer.task(2), asking: viewer)?.progress.reason == "never begun")
        #expect(next.row(issuer.task(1), asking: viewer)?.progress.state == .succeeded)
    }

    @Test("a ticket is taken after it was never begun: no later broker takes it for cancelled")
    func takenAfterwards() {
        var bus = neverBegun()
        #expect(redeem(holder, in: &bus) == .holder)
        bus.pass()
        var next = restarted(bus)
        #expect(next.row(issuer.task(2), asking: viewer)?.progress.state == .running)
        // Without its holder the ticket speaks for itself.
        keyframe(holder, [], in: &next)
        #expect(next.row(issuer.task(2), asking: viewer)?.progress.state == .waiting)
    }

    // MARK: Not needed

    @Test("one who redeemed a used ticket states it no more: nothing below it is kept either")
    func droppedByItsOwner() {
        var bus = issued()
        #expect(redeem(holder, in: &bus) == .holder)
        let part = holder.description(1, "", ticket: issuer.task(2))
        bus.control(holder, holder.endings(2, [holder.ending(part, .succeeded)]))
        #expect(redeem(late, in: &bus) == .inert)
        let middle = late.description(2, "Middle", parent: late.task(1))
        let ended = late.description(3, "Ended", parent: late.task(2))
        bus.report(late) {
            $0.sequence = 1
            $0.descriptions = [late.description(1, "", ticket: issuer.task(2)), middle, ended]
        }
        bus.control(late, late.endings(2, [late.ending(ended, .succeeded)]))
        // Told that it is not needed, the client forgets all of it; its keyframe has the rest.
        keyframe(late, [], in: &bus)
        expectNothing(of: late, in: &bus)
    }

    @Test("one who redeemed a used ticket leaves: its children become no jobs and are not kept")
    func childrenOfAnUnneededRedeemer() {
        var bus = issued()
        #expect(redeem(holder, in: &bus) == .holder)
        let part = holder.description(1, "", ticket: issuer.task(2))
        bus.control(holder, holder.endings(2, [holder.ending(part, .succeeded)]))
        #expect(redeem(late, in: &bus) == .inert)
        let ended = late.description(2, "Ended", parent: late.task(1))
        bus.report(late) {
            $0.sequence = 1
            $0.descriptions = [
                late.description(1, "", ticket: issuer.task(2)),
                ended,
                late.description(3, "Running", parent: late.task(1)),
                late.description(4, "Below", parent: late.task(3)),
                late.description(5, "Ticket", parent: late.task(3), isTicket: true),
            ]
        }
        bus.control(late, late.endings(2, [late.ending(ended, .succeeded)]))
        bus.control(late, .goodbye(WireGoodbye()))
        expectNothing(of: late, in: &bus)
    }

    /// The issuer's job is the only one, also after what has no parent would be shown as a job, and
    /// the journal has no row of the client.
    private func expectNothing(of client: Client, in bus: inout Bus) {
        bus.pass(15, hearing: [issuer, viewer])
        let board = bus.rows(of: .board(page: 0), asking: viewer)
        #expect(board.map(\.task) == [WireTaskRef(issuer.task(1))])
        let kept = JournalEntry.compact(bus.journal).filter {
            guard case .row(let reporter, _, _) = $0 else { return false }
            return reporter.session == client.session
        }
        #expect(kept.isEmpty, "\(kept)")
    }
}
