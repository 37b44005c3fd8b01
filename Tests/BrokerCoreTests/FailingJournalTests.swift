import BrokerCore
import BusProtocol
import SwiftProtobuf
import TaskTree
import Testing

@Suite struct FailingJournalTests {
    let worker = Client(1)
    let late = Client(3)
    let holder = Client(4)
    let viewer = Client(2, viewer: true)

    private func kinds(_ bus: Bus, _ client: Client) -> [String] {
        bus.answers(to: client).compactMap { body in
            switch body {
            case .welcome: "welcome"
            case .endingsJournalled: "journalled"
            case .goodbyeAccepted: "goodbye"
            default: nil
            }
        }
    }

    private func ending(_ client: Client, _ sequence: UInt64) -> WireClientFrame.OneOf_Body {
        client.endings(sequence, [client.ending(client.description(1, "Backup"), .succeeded)])
    }

    @Test("a disk that takes nothing: sessions are welcomed, endings shown and not acknowledged")
    func failing() {
        var bus = Bus()
        bus.control(viewer, viewer.hello)
        bus.isJournalQuick = false
        bus.control(worker, worker.hello)
        #expect(kinds(bus, worker).isEmpty, "the disk may only be slow")
        bus.perform(bus.machine.journal(isFailing: true, isFull: false, now: bus.now))
        #expect(kinds(bus, worker) == ["welcome"])
        bus.control(late, late.hello)
        #expect(kinds(bus, late) == ["welcome"])
        bus.control(late, ending(late, 1))
        bus.pass()
        #expect(bus.row(late.task(1), asking: viewer)?.progress.state == .succeeded)
        #expect(kinds(bus, late) == ["welcome"])
        bus.perform(bus.machine.journal(isFailing: false, isFull: false, now: bus.now))
        bus.finishJournal()
        #expect(kinds(bus, late) == ["welcome", "journalled"])
        #expect(kinds(bus, worker) == ["welcome"], "once")
    }

    @Test(
        "a disk that takes nothing: a script is answered at once, with a warning, and never twice"
    )
    func script() {
        var bus = Bus()
        bus.isJournalQuick = false
        func ask(_ number: UInt8, _ title: String) {
            var request = WireDetachedRequest()
            request.requestIDBytes = [UInt8](repeating: number, count: 16)
            var begin = WireDetachedBegin()
            begin.title = title
            request.operation = .begin(begin)
            bus.control(worker, .detached(request))
        }
        func answers() -> [String] {
            bus.answers(to: worker).compactMap { body in
                if case .detached(let answer) = body { answer.sentence } else { nil }
            }
        }
        ask(1, "Before")
        #expect(answers().isEmpty, "the disk may only be slow")
        bus.perform(bus.machine.journal(isFailing: true, isFull: false, now: bus.now))
        ask(2, "Meanwhile")
        #expect(answers().count == 2)
        #expect(answers().allSatisfy { $0.contains("disk") })
        bus.perform(bus.machine.journal(isFailing: true, isFull: true, now: bus.now))
        ask(3, "Nothing more can wait")
        #expect(answers().count == 3)
        bus.perform(bus.machine.journal(isFailing: false, isFull: false, now: bus.now))
        bus.finishJournal()
        #expect(answers().count == 3)
        ask(2, "Meanwhile")
        #expect(answers().last == "")
    }

    @Test("more waits for a failing disk than may: rows are kept when they are repeated")
    func full() {
        var bus = Bus()
        bus.control(viewer, viewer.hello)
        bus.control(worker, worker.hello)
        bus.perform(bus.machine.journal(isFailing: true, isFull: true, now: bus.now))
        func rows() -> Int {
            bus.journal.count { if case .row = $0 { true } else { false } }
        }
        bus.control(worker, ending(worker, 1))
        bus.pass()
        #expect(bus.row(worker.task(1), asking: viewer)?.progress.state == .succeeded)
        #expect(rows() == 0)
        #expect(kinds(bus, worker) == ["welcome"])
        bus.perform(bus.machine.journal(isFailing: false, isFull: false, now: bus.now))
        bus.control(worker, ending(worker, 2))
        #expect(rows() == 1)
        #expect(kinds(bus, worker) == ["welcome", "journalled"])
    }

    /// A job with a ticket, whose holder has said that it succeeded while the disk took nothing.
    private func succeededUnwritten(isFull: Bool) -> Bus {
        var bus = Bus()
        for client in [worker, late, holder, viewer] { bus.control(client, client.hello) }
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [
                worker.description(1, "Backup"),
                worker.description(2, "Part", parent: worker.task(1), isTicket: true),
            ]
        }
        bus.pass()
        redeem(holder, in: &bus)
        bus.isJournalQuick = false
        bus.perform(bus.machine.journal(isFailing: true, isFull: isFull, now: bus.now))
        var row = holder.description(1, "")
        row.ticket = WireTaskRef(worker.task(2))
        bus.control(holder, holder.endings(1, [holder.ending(row, .succeeded)]))
        return bus
    }

    private func redeem(_ client: Client, in bus: inout Bus) {
        bus.control(client, .redemption(of: worker.task(2)))
    }

    /// What the second redeemer has been told.
    private func said(_ bus: Bus) -> [String] {
        bus.answers(to: late).compactMap { body in
            switch body {
            case .binding(let binding): "\(binding.kind)"
            case .refusal(let refusal): RefusalCode(rawValue: refusal.code).name
            default: nil
            }
        }
    }

    @Test("whom a success refuses hears of it when that is on the disk, however often it asks")
    func refused() {
        var bus = succeededUnwritten(isFull: false)
        redeem(late, in: &bus)
        redeem(late, in: &bus)
        bus.pass()
        #expect(said(bus).isEmpty)
        bus.perform(bus.machine.journal(isFailing: false, isFull: false, now: bus.now))
        bus.finishJournal()
        #expect(said(bus).prefix(2) == ["ticket-used", "inert"])
    }

    @Test("a success that a full disk has not taken is written with what it has decided")
    func decided() {
        var bus = succeededUnwritten(isFull: true)
        redeem(late, in: &bus)
        bus.perform(bus.machine.journal(isFailing: false, isFull: false, now: bus.now))
        bus.finishJournal()
        #expect(said(bus) == ["ticket-used", "inert"])
        // Nobody repeats the success.
        var next = bus.restarted()
        next.control(viewer, viewer.hello)
        next.pass()
        let row = next.row(worker.task(2), asking: viewer)
        #expect(row?.progress.state == .succeeded, "\(row as Any)")
    }

    @Test("a sync waits for what others have to be written, and a viewer's goodbye for nothing")
    func sync() {
        var bus = Bus()
        for client in [worker, late, viewer] { bus.control(client, client.hello) }
        bus.isJournalQuick = false
        bus.control(worker, ending(worker, 1))
        func isReached() -> Bool {
            bus.answers(to: late).contains { if case .syncReached = $0 { true } else { false } }
        }
        bus.control(late, .sync(WireSync.with { $0.request = 1 }))
        #expect(!isReached())
        bus.control(viewer, .goodbye(WireGoodbye()))
        #expect(kinds(bus, viewer) == ["welcome", "goodbye"])
        bus.finishJournal()
        #expect(isReached())
    }

    @Test("answers that wait for a disk that takes nothing have a bound, and go with it")
    func bounded() {
        var bus = Bus()
        for client in [worker, late] { bus.control(client, client.hello) }
        bus.isJournalQuick = false
        bus.control(worker, ending(worker, 1))
        bus.pass()
        func reached() -> Int {
            bus.answers(to: late).count { if case .syncReached = $0 { true } else { false } }
        }
        for number in 1...12_000 as ClosedRange<UInt64> {
            bus.control(late, .sync(WireSync.with { $0.request = number }))
        }
        #expect(reached() == 0)
        bus.finishJournal()
        #expect(reached() == 10_000)
        bus.control(late, .sync(WireSync.with { $0.request = 1 }))
        #expect(reached() == 10_001, "nothing waits any more")
    }
}
