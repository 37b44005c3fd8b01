import BusProtocol
import TaskTree
import Testing

@testable import BrokerCore

/// Tickets and redeemers in places where nobody puts them but by mistake: nothing stays for ever.
@Suite("Odd tickets") struct OddTicketTests {
    let owner = Client(1)
    let other = Client(3)
    let viewer = Client(2, viewer: true)

    /// A job of the owner with a ticket that the owner holds itself.
    private func bus() -> Bus {
        var bus = Bus()
        for client in [owner, other, viewer] { bus.control(client, client.hello) }
        bus.report(owner) {
            $0.sequence = 1
            $0.descriptions = [
                owner.description(1, "Job"),
                owner.description(2, "Ticket", parent: owner.task(1), isTicket: true),
                owner.description(3, "Holder", ticket: owner.task(2)),
            ]
        }
        bus.control(owner, .redemption(of: owner.task(2), as: 3))
        bus.pass()
        return bus
    }

    @Test("a ticket below what was never described: cancelled a while after its session is lost")
    func belowWhatWasNeverDescribed() {
        var bus = bus()
        bus.control(other, .redemption(of: owner.task(2), as: 6))
        bus.report(other) {
            $0.sequence = 1
            $0.descriptions = [
                other.description(7, "For nobody", parent: other.task(6), isTicket: true)
            ]
        }
        bus.pass()
        #expect(bus.row(other.task(7), asking: viewer)?.progress.state == .waiting)
        bus.pass(75, hearing: [owner, viewer])
        #expect(bus.row(other.task(7), asking: viewer)?.progress.state == .cancelled)
    }

    @Test("a ticket that only its first holder has described: shown, whoever holds it next")
    func nextHolderSaysNothing() {
        var bus = Bus()
        for client in [owner, other, viewer] { bus.control(client, client.hello) }
        let ticket = Client(9).task(5)
        bus.report(owner) {
            $0.sequence = 1
            $0.descriptions = [owner.description(1, "Part", ticket: ticket)]
        }
        bus.control(owner, .redemption(of: ticket, as: 1))
        bus.pass(50, hearing: [other, viewer])
        #expect(bus.row(ticket, asking: viewer)?.progress.state == .lost)
        bus.control(other, .redemption(of: ticket, as: 1))
        bus.pass(1, hearing: [other, viewer])
        let row = bus.row(ticket, asking: viewer)
        #expect(row?.description_p.title == "Part")
        #expect(row?.description_p.attempt == 2 && row?.progress.state == .running)
        bus.pass(40, hearing: [viewer])
        #expect(bus.row(ticket, asking: viewer)?.progress.state == .lost)
    }

    @Test("a ticket that only its redeemer has described: nothing is left when both have gone")
    func redeemerIsWithdrawn() {
        var bus = Bus()
        for client in [owner, other, viewer] { bus.control(client, client.hello) }
        let ticket = owner.task(5)
        bus.report(owner) {
            $0.sequence = 1
            $0.add(5, completed: 1, total: 2)
        }
        bus.control(other, .redemption(of: ticket, as: 1))
        bus.report(other) {
            $0.sequence = 1
            $0.descriptions = [other.description(1, "Part", ticket: ticket)]
        }
        bus.pass(50, hearing: [owner, other, viewer])
        #expect(bus.row(ticket, asking: viewer)?.description_p.title == "Part")
        bus.control(owner, .goodbye(WireGoodbye()))
        bus.pass()
        bus.keyframe(other, sequence: 2)
        bus.pass()
        #expect(bus.row(ticket, asking: viewer) == nil)
        for client in [other, viewer] { bus.control(client, .goodbye(WireGoodbye())) }
        bus.pass(70)
        #expect(bus.machine.tablesInUse == [:])
    }

    @Test("a ticket whose last holder said nothing of it: nothing is left without the former one")
    func lastHolderSaysNothing() {
        var bus = Bus()
        let last = Client(4)
        for client in [owner, other, last, viewer] { bus.control(client, client.hello) }
        let ticket = owner.task(5)
        bus.report(other) {
            $0.sequence = 1
            $0.descriptions = [other.description(1, "Part", ticket: ticket)]
        }
        bus.control(other, .redemption(of: ticket, as: 1))
        bus.pass(50, hearing: [owner, last, viewer])
        #expect(bus.row(ticket, asking: viewer)?.progress.state == .lost)
        bus.control(last, .redemption(of: ticket, as: 8))
        bus.pass()
        #expect(bus.machine.tickets.bindings[last.task(8)] == .holder(of: ticket, attempt: 2))
        bus.control(last, .goodbye(WireGoodbye()))
        bus.pass(1, hearing: [owner, viewer])
        #expect(bus.row(ticket, asking: viewer)?.progress.state == .lost)
        bus.control(other, .heartbeat(WireHeartbeat()))
        bus.keyframe(other, sequence: 2)
        bus.pass(1, hearing: [owner, other, viewer])
        #expect(bus.machine.tables["tickets"] == 0)
        for client in [owner, other, viewer] { bus.control(client, .goodbye(WireGoodbye())) }
        bus.pass(70)
        #expect(bus.machine.tablesInUse == [:])
    }

    @Test(
        "a ticket of an attempt that was lost: cancelled after a while, so that the job can leave",
        arguments: [true, false]
    )
    func ofFormerAttempt(isLate: Bool) {
        var bus = bus()
        let last = Client(4)
        bus.control(last, last.hello)
        let job = owner.task(1)
        bus.report(owner) {
            $0.sequence = 2
            $0.descriptions = [
                owner.description(7, "Part", parent: job, isTicket: true)
            ]
        }
        bus.control(other, .redemption(of: owner.task(7), as: 1))
        bus.report(other) {
            $0.sequence = 1
            $0.descriptions = [other.description(1, "Part", ticket: owner.task(7))]
            if !isLate {
                $0.descriptions.append(
                    other.description(2, "For nobody", parent: other.task(1), isTicket: true)
                )
            }
        }
        bus.pass(12, hearing: [owner, last, viewer])
        bus.control(last, .redemption(of: owner.task(7), as: 1))
        let again = last.description(1, "Part", ticket: owner.task(7))
        bus.control(last, last.endings(1, [last.ending(again, .succeeded)]))
        if isLate {
            bus.control(other, .heartbeat(WireHeartbeat()))
            bus.report(other) {
                $0.sequence = 2
                $0.descriptions = [
                    other.description(2, "For nobody", parent: other.task(1), isTicket: true)
                ]
            }
        }
        let ended = [
            owner.ending(owner.description(3, "Holder", ticket: owner.task(2)), .succeeded),
            owner.ending(owner.description(1, "Job"), .succeeded),
        ]
        bus.control(owner, owner.endings(3, ended))
        bus.pass(1, hearing: [owner, last, viewer])
        #expect(bus.row(job, asking: viewer)?.progress.state == .succeeded)
        bus.pass(90, hearing: [owner, last, viewer])
        #expect(bus.row(job, asking: viewer) == nil)
    }

    @Test("a ticket whose issuer was lost and is back: cancelled again below what has ended")
    func issuerIsBack() {
        var bus = bus()
        bus.report(other) {
            $0.sequence = 1
            $0.descriptions = [
                other.description(1, "For nobody", parent: owner.task(1), isTicket: true)
            ]
        }
        // A job that failed stays on the board.
        let holder = owner.description(3, "Holder", ticket: owner.task(2))
        bus.control(
            owner,
            owner.endings(
                2,
                [
                    owner.ending(owner.description(1, "Job"), .failed),
                    owner.ending(holder, .succeeded),
                ]
            )
        )
        bus.pass(75, hearing: [owner, viewer])
        #expect(bus.row(other.task(1), asking: viewer)?.progress.state == .cancelled)
        bus.control(other, .heartbeat(WireHeartbeat()))
        bus.pass(75, hearing: [owner, other, viewer])
        #expect(bus.row(other.task(1), asking: viewer)?.progress.state == .cancelled)
    }

    @Test("a redeemer whose session has ended is redeemed: it stays lost, and all of it leaves")
    func redeemedRedeemer() {
        var bus = bus()
        bus.control(other, .redemption(of: owner.task(2), as: 6))
        bus.control(other, .goodbye(WireGoodbye()))
        bus.control(owner, .redemption(of: other.task(6), as: 4))
        bus.pass()
        #expect(bus.machine.tickets.bindings[owner.task(4)] == .child(of: other.task(6)))
        let job = owner.description(1, "Job")
        bus.control(owner, owner.endings(9, [owner.ending(job, .succeeded)]))
        bus.control(owner, .goodbye(WireGoodbye()))
        bus.pass(75, hearing: [viewer])
        var command = WireCommandRequest()
        command.request = 1
        command.verb = .dismiss
        command.target = WireTaskRef(owner.task(1))
        bus.control(viewer, .command(command))
        bus.control(viewer, .goodbye(WireGoodbye()))
        bus.pass(70)
        #expect(bus.machine.tablesInUse == [:])
    }

    @Test("a task that redeems itself is shown nowhere, and nothing is left of it")
    func itself() {
        var bus = bus()
        bus.control(other, .redemption(of: other.task(4), as: 4))
        let kinds = bus.answers(to: other).compactMap {
            if case .binding(let binding) = $0 { binding.kind } else { nil }
        }
        #expect(kinds == [.inert])
        let ticket = other.description(4, "Itself", parent: other.task(1), isTicket: true)
        bus.control(other, other.endings(1, [other.ending(ticket, .succeeded)]))
        bus.control(other, .goodbye(WireGoodbye()))
        bus.pass(15, hearing: [owner, viewer])
        #expect(bus.machine.tables["bindings without a job", default: 0] == 0)
        #expect(bus.row(other.task(4), asking: viewer) == nil)
    }

    @Test("what is below a task that is shown nowhere is forgotten with its session, and no more")
    func belowNothing() {
        var bus = bus()
        bus.control(other, .redemption(of: other.task(4), as: 4))
        bus.report(other) {
            $0.sequence = 1
            $0.descriptions = [
                other.description(4, "Itself", ticket: other.task(4)),
                other.description(5, "Below", parent: other.task(4)),
                other.description(6, "Further below", parent: other.task(5)),
                other.description(7, "Job"),
            ]
        }
        bus.pass()
        #expect(bus.machine.tables["inert redeemers"] == 1)
        let before = bus.machine.tables["records of the tree", default: 0]
        bus.control(other, .goodbye(WireGoodbye()))
        bus.pass()
        #expect(bus.machine.tables["records of the tree"] == before - 3)
        #expect(bus.machine.tables["inert redeemers"] == 0)
        #expect(bus.row(other.task(7), asking: viewer)?.progress.state == .lost)
    }
}
