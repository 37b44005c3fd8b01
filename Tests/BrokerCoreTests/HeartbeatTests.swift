import BrokerCore
import BusProtocol
import TaskTree
import Testing

/// Signs of life: heartbeats, and reports without contents, which are reports as any other.
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

    private func progress(_ bus: inout Bus) -> WireRowProgress? {
        bus.row(worker.task(1), asking: viewer)?.progress
    }

    private func isReached(in bus: Bus, by client: Client) -> Bool {
        bus.answers(to: client).contains { if case .syncReached = $0 { true } else { false } }
    }

    @Test("a session that says only that it lives is neither silent nor lost")
    func alive() {
        var bus = bus()
        let steps = bus.published.count
        for _ in 0..<15 {
            bus.control(worker, .heartbeat(WireHeartbeat()))
            bus.pass(0.9, hearing: [viewer])
            #expect(progress(&bus)?.silent == false)
        }
        #expect(bus.published.count == steps, "and nobody is told anything")
        #expect(!bus.machine.isBusy)
    }

    @Test("answers go where the last heartbeat came from")
    func route() {
        var bus = bus()
        var moved = worker
        moved.route = Route(bytes: [7, 7])
        bus.control(worker, .sync(sync(4, 9)))
        bus.control(moved, .heartbeat(WireHeartbeat()))
        bus.report(worker) { $0.sequence = 9 }
        #expect(isReached(in: bus, by: moved))
    }

    @Test("a report without contents is in for those who wait for it")
    func emptyReport() {
        var bus = bus()
        bus.control(worker, .sync(sync(4, 3)))
        bus.report(worker) { $0.sequence = 1 }
        #expect(!isReached(in: bus, by: worker))
        bus.report(worker) { $0.sequence = 3 }
        #expect(isReached(in: bus, by: worker))
    }

    @Test("a session that a new broker knows from its journal is not back before its hello")
    func awaited() {
        var bus = bus()
        bus.control(worker, .sync(sync(1, 1)))
        var next = bus.restarted()
        next.report(worker) { $0.sequence = 2 }
        next.control(viewer, viewer.hello)
        next.pass(12, hearing: [viewer])
        #expect(progress(&next)?.state != .running)
    }
}
