import BrokerCore
import BusProtocol
import TaskTree
import Testing

@Suite struct FailingJournalTests {
    let worker = Client(1)
    let late = Client(3)
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
}
