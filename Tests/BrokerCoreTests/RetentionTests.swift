import BrokerCore
import BusProtocol
import TaskTree
import Testing

/// What has left is in the journal no more, however long the broker lives.
@Suite struct RetentionTests {
    let viewer = Client(2, viewer: true)

    private func redeem(_ ticket: TaskID) -> WireClientFrame.OneOf_Body {
        var redeem = WireRedeem()
        redeem.index = 1
        redeem.ticket = WireTaskRef(ticket)
        return .redeem(redeem)
    }

    /// A job, the holder of its ticket, and one that comes too late; all end, all leave.
    private func work(_ number: UInt8, on bus: inout Bus, isQuick: Bool) {
        let issuer = Client(number)
        let holder = Client(number + 1)
        let late = Client(number + 2)
        for client in [issuer, holder, late] { bus.control(client, client.hello) }
        let job = issuer.description(1, "Job \(number)")
        let ticket = issuer.description(2, "Part", parent: issuer.task(1), isTicket: true)
        let describe = { (report: inout WireReport) in
            report.sequence = 1
            report.descriptions = [job, ticket]
        }
        let part = holder.description(1, "", ticket: issuer.task(2))
        if isQuick {
            // The redeemer is quicker than everybody else, its reports included.
            bus.control(holder, redeem(issuer.task(2)))
            bus.pass()
            bus.report(issuer, describe)
        } else {
            bus.report(issuer, describe)
            bus.pass()
            bus.control(holder, redeem(issuer.task(2)))
        }
        bus.control(holder, holder.endings(2, [holder.ending(part, .succeeded)]))
        bus.pass()
        bus.control(late, redeem(issuer.task(2)))
        bus.report(late) {
            $0.sequence = 1
            $0.descriptions = [late.description(1, "", ticket: issuer.task(2))]
        }
        bus.control(issuer, issuer.endings(3, [issuer.ending(job, .succeeded)]))
        for client in [issuer, holder, late] { bus.control(client, .goodbye(WireGoodbye())) }
        bus.pass(12, hearing: [viewer])
    }

    @Test("a job with a ticket has left: nothing of it is kept", arguments: [true, false])
    func ticket(isQuick: Bool) {
        var bus = Bus()
        bus.control(viewer, viewer.hello)
        for number in stride(from: 10, to: 100, by: 3) as StrideTo<UInt8> {
            work(number, on: &bus, isQuick: isQuick)
        }
        let kept = Bus.compact(bus.journal).filter {
            if case .slot = $0 { false } else { true }
        }
        #expect(kept.isEmpty, "\(kept.count): \(kept.prefix(4))")
    }
}
