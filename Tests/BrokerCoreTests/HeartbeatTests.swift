import BrokerCore
import BusProtocol
import TaskTree
import Testing

/// Heartbeats that came over the reports socket, or were recognized without decoding.
@Suite struct HeartbeatTests {
    private let worker = Client(1)
    private let viewer = Client(2, viewer: true)

    private func bus() -> Bus { .halfway(worker, seenBy: viewer) }

    private func sync(_ request: UInt64, _ sequence: UInt64) -> WireSync {
        var sync = WireSync()
        sync.request = request
        sync.sequence = sequence
        return sync
    }

    /// As the broker's loop does it; whether it was a heartbeat and nothing more.
    @discardableResult
    private func hear(
        _ client: Client,
        _ sequence: UInt64 = 1,
        after seconds: Double = 0,
        in bus: inout Bus
    ) -> Bool {
        let heartbeat = Frame.EmptyReport(credential: client.credential, sequence: sequence)
        let arrived = bus.now.advanced(bySeconds: -seconds)
        guard
            let actions = bus.machine.receiveHeartbeat(heartbeat, arrived: arrived, now: bus.now)
        else {
            bus.report(client) { $0.sequence = sequence }
            return false
        }
        bus.perform(actions)
        return true
    }

    private func progress(_ bus: inout Bus) -> WireRowProgress? {
        bus.row(worker.task(1), asking: viewer)?.progress
    }

    @Test("a session that says only that it lives over reports is neither silent nor lost")
    func alive() {
        var bus = bus()
        let steps = bus.published.count
        for _ in 0..<15 {
            hear(worker, in: &bus)
            bus.pass(0.9, hearing: [viewer])
            #expect(progress(&bus)?.silent == false)
        }
        #expect(bus.published.count == steps, "and nobody is told anything")
        #expect(!bus.machine.isBusy)
    }

    @Test("a heartbeat counts from its arrival, however long it lay")
    func arrival() {
        var bus = bus()
        bus.pass(2, hearing: [viewer])
        hear(worker, after: 0.5, in: &bus)
        bus.pass(3.3, hearing: [viewer])
        #expect(progress(&bus)?.silent == false)
        bus.pass(0.2, hearing: [viewer])
        #expect(progress(&bus)?.silent == true, "3.9 s after the heartbeat arrived")
    }

    @Test("an older heartbeat behind a younger word takes nothing back")
    func overtaken() {
        var bus = bus()
        bus.pass(2, hearing: [viewer])
        bus.control(worker, .heartbeat(WireHeartbeat()))
        hear(worker, after: 1.5, in: &bus)
        bus.pass(3.8, hearing: [viewer])
        #expect(progress(&bus)?.silent == false)
    }

    @Test("a silent session, and one that was lost, is back with a heartbeat over reports")
    func back() {
        for seconds in [5.0, 12] {
            var bus = bus()
            bus.pass(seconds, hearing: [viewer])
            #expect(progress(&bus)?.silent == true || progress(&bus)?.state == .lost)
            hear(worker, in: &bus)
            #expect(bus.machine.isBusy, "viewers are to be told")
            bus.pass()
            #expect(progress(&bus)?.silent == false)
            #expect(progress(&bus)?.state == .running)
        }
    }

    @Test("an empty report with a sequence of its own is in for those who wait for it")
    func emptyReport() {
        var bus = bus()
        func isReached() -> Bool {
            bus.answers(to: worker).contains { if case .syncReached = $0 { true } else { false } }
        }
        bus.control(worker, .sync(sync(4, 3)))
        #expect(hear(worker, 1, in: &bus), "nothing but the last report's sequence")
        #expect(!isReached())
        #expect(!hear(worker, 3, in: &bus))
        #expect(isReached())
        #expect(hear(worker, 3, in: &bus), "and then it is but a heartbeat")
    }

    @Test("an empty report that comes before its hello is in when that has come")
    func earlyEmptyReport() {
        var bus = Bus()
        #expect(!hear(worker, 2, in: &bus))
        bus.control(worker, worker.hello)
        bus.control(worker, .sync(sync(4, 2)))
        #expect(
            bus.answers(to: worker).contains { if case .syncReached = $0 { true } else { false } }
        )
    }

    @Test("of somebody unknown, ended, or who only looks: nothing is said")
    func others() {
        var bus = bus()
        var goodbye = WireGoodbye()
        goodbye.sequence = 1
        bus.control(worker, .goodbye(goodbye))
        bus.pass()
        let (sent, logged) = (bus.sent.count, bus.logged.count)
        for client in [Client(9), worker, viewer] { hear(client, in: &bus) }
        #expect(bus.sent.count == sent)
        #expect(bus.logged.count == logged)
        #expect(!bus.machine.isBusy)
    }

    @Test("a session that a new broker knows from its journal is not back before its hello")
    func awaited() {
        var bus = bus()
        bus.control(
            worker,
            .sync(sync(1, 1))
        )
        var next = bus.restarted()
        hear(worker, in: &next)
        next.control(viewer, viewer.hello)
        next.pass(12, hearing: [viewer])
        #expect(progress(&next)?.state != .running)
    }

    @Test("over control, without decoding: answered as a decoded one, and bound to its route")
    func control() {
        var bus = bus()
        func hear(_ client: Client) {
            bus.perform(
                bus.machine.receiveHeartbeat(
                    of: client.credential,
                    from: client.route,
                    now: bus.now
                )
            )
        }
        hear(Client(9))
        #expect(bus.answers(to: Client(9)) == [.who(WireWho())])
        var moved = worker
        moved.route = Route(bytes: [7, 7])
        hear(moved)
        bus.control(
            worker,
            .sync(sync(4, 9))
        )
        hear(moved)
        bus.report(worker) { $0.sequence = 9 }
        #expect(
            bus.answers(to: moved).contains { if case .syncReached = $0 { true } else { false } }
        )
        for _ in 0..<10 {
            hear(moved)
            bus.pass(0.9)
        }
        hear(moved)
        bus.control(viewer, viewer.hello)
        #expect(progress(&bus)?.silent == false)
    }
}
