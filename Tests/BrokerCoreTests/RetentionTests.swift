import BrokerCore
import BusProtocol
import TaskTree
import Testing

/// What has left is in the journal no more, however long the broker lives.
@Suite struct RetentionTests {
    let viewer = Client(2, viewer: true)

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
            bus.control(holder, .redemption(of: issuer.task(2)))
            bus.pass()
            bus.report(issuer, describe)
        } else {
            bus.report(issuer, describe)
            bus.pass()
            bus.control(holder, .redemption(of: issuer.task(2)))
        }
        bus.control(holder, holder.endings(2, [holder.ending(part, .succeeded)]))
        bus.pass()
        bus.control(late, .redemption(of: issuer.task(2)))
        bus.report(late) {
            $0.sequence = 1
            $0.descriptions = [late.description(1, "", ticket: issuer.task(2))]
        }
        bus.control(issuer, issuer.endings(3, [issuer.ending(job, .succeeded)]))
        for client in [issuer, holder, late] { bus.control(client, .goodbye(WireGoodbye())) }
        bus.pass(12, hearing: [viewer])
    }

    private let worker = Client(1)

    private func dismiss(_ index: UInt64, in bus: inout Bus) {
        var command = WireCommandRequest()
        command.request = index
        command.verb = .dismiss
        command.target = WireTaskRef(worker.task(index))
        bus.control(viewer, .command(command))
        bus.pass()
    }

    /// A job above a task above another that has failed; both above it have succeeded.
    private func marred() -> Bus {
        var bus = Bus()
        for one in [worker, viewer] { bus.control(one, one.hello) }
        let job = worker.description(1, "Outer")
        let part = worker.description(2, "Part", parent: worker.task(1))
        let detail = worker.description(3, "Detail", parent: worker.task(2))
        for (sequence, row) in [
            (detail, WireStatedState.failed), (part, .succeeded), (job, .succeeded),
        ]
        .enumerated() {
            let ending = worker.ending(row.0, row.1)
            bus.control(worker, worker.endings(UInt64(sequence) + 1, [ending]))
        }
        bus.control(worker, .goodbye(WireGoodbye()))
        bus.pass(12, hearing: [viewer])
        return bus
    }

    private func isShown(in bus: inout Bus) -> Bool {
        !bus.rows(of: .board(page: 0), asking: viewer).isEmpty
    }

    @Test("a job that succeeds with a failure below it stays until it is dismissed")
    func marredStays() {
        var bus = marred()
        #expect(bus.row(worker.task(3), asking: viewer)?.progress.state == .failed)
        bus = bus.restarted()
        bus.control(viewer, viewer.hello)
        bus.pass(30, hearing: [viewer])
        #expect(bus.row(worker.task(3), asking: viewer)?.progress.state == .failed)
        dismiss(1, in: &bus)
        #expect(!isShown(in: &bus))
    }

    @Test("a job that succeeded leaves when all that had failed below it is dismissed")
    func marredLeaves() {
        var bus = marred()
        dismiss(3, in: &bus)
        bus.pass(12, hearing: [viewer])
        #expect(isShown(in: &bus))
        dismiss(2, in: &bus)
        bus.pass(5, hearing: [viewer])
        #expect(isShown(in: &bus))
        bus.pass(8, hearing: [viewer])
        #expect(!isShown(in: &bus))
    }

    @Test("a job with the greatest index there is leaves like any other")
    func greatestIndex() {
        var bus = Bus()
        bus.control(viewer, viewer.hello)
        let client = Client(1)
        bus.control(client, client.hello)
        let job = client.description(.max, "Last of all")
        bus.control(client, client.endings(1, [client.ending(job, .succeeded)]))
        bus.pass(12, hearing: [viewer, client])
        bus.control(client, client.endings(2, [client.ending(job, .succeeded)]))
        bus.control(client, .goodbye(WireGoodbye()))
        bus.pass(12, hearing: [viewer])
        bus.expectEmptyJournal()
    }

    @Test("a job with a ticket has left: nothing of it is kept", arguments: [true, false])
    func ticket(isQuick: Bool) {
        var bus = Bus()
        bus.control(viewer, viewer.hello)
        for number in stride(from: 10, to: 100, by: 3) as StrideTo<UInt8> {
            work(number, on: &bus, isQuick: isQuick)
        }
        bus.expectEmptyJournal()
    }

    @Test("a job with a ticket that nobody took has left: nothing of it is kept")
    func neverBegun() {
        var bus = Bus()
        let issuer = Client(10)
        for client in [issuer, viewer] { bus.control(client, client.hello) }
        let job = issuer.description(1, "Job")
        bus.report(issuer) {
            $0.sequence = 1
            $0.descriptions = [
                job, issuer.description(2, "Part", parent: issuer.task(1), isTicket: true),
            ]
        }
        bus.pass()
        #expect(rows(of: bus).map(\.job) == [issuer.task(1)], "the ticket is written down")
        bus.control(issuer, issuer.endings(2, [issuer.ending(job, .succeeded)]))
        bus.control(issuer, .goodbye(WireGoodbye()))
        bus.pass(75, hearing: [viewer])
        bus.expectEmptyJournal()
    }

    @Test(
        "a ticket was made, and taken or not, before its job was known: it leaves with the job",
        arguments: [true, false]
    )
    func ticketBeforeItsJob(isTaken: Bool) {
        var bus = Bus()
        let (owner, issuer, holder) = (Client(10), Client(11), Client(12))
        for client in [owner, issuer, holder, viewer] { bus.control(client, client.hello) }
        bus.report(issuer) {
            $0.sequence = 1
            $0.descriptions = [
                issuer.description(1, "Part", parent: owner.task(1), isTicket: true)
            ]
        }
        if isTaken {
            let part = holder.description(1, "", ticket: issuer.task(1))
            bus.control(holder, .redemption(of: issuer.task(1)))
            bus.control(holder, holder.endings(2, [holder.ending(part, .succeeded)]))
        }
        bus.pass()
        #expect(rows(of: bus).allSatisfy { $0.job == nil })
        let job = owner.description(1, "Job")
        bus.report(owner) {
            $0.sequence = 1
            $0.descriptions = [job]
        }
        bus.pass()
        bus.control(owner, owner.endings(2, [owner.ending(job, .succeeded)]))
        for client in [owner, issuer, holder] { bus.control(client, .goodbye(WireGoodbye())) }
        bus.pass(75, hearing: [viewer])
        bus.expectEmptyJournal()
    }

    private func rows(of bus: Bus) -> [(reporter: TaskID, job: TaskID?)] {
        JournalEntry.compact(bus.journal).compactMap {
            if case .row(let reporter, let job, _) = $0 { (reporter, job) } else { nil }
        }
    }
}
