import BrokerCore
import BusProtocol
import TaskTree
import Testing

/// Slots that the journal has given to two jobs.
@Suite struct SlotRestartTests {
    private let mover = Client(1)
    private let other = Client(3)
    private let viewer = Client(2, viewer: true)

    /// A job that then names a parent nobody knows, and one that was given its slot meanwhile.
    private func shared() -> Bus {
        var bus = Bus()
        for client in [mover, other, viewer] { bus.control(client, client.hello) }
        bus.report(mover) {
            $0.sequence = 1
            $0.descriptions = [mover.description(1, "Backup")]
        }
        bus.pass()
        bus.report(mover) {
            $0.sequence = 2
            $0.descriptions = [mover.description(1, "Backup", parent: mover.task(9))]
        }
        bus.pass()
        bus.report(other) {
            $0.sequence = 1
            $0.descriptions = [other.description(1, "Backup")]
        }
        bus.pass()
        return bus
    }

    private func slots(_ bus: inout Bus) -> [TaskID: UInt32] {
        bus.control(viewer, viewer.hello)
        let rows = bus.rows(of: .board(page: 0), asking: viewer)
        return Dictionary(
            uniqueKeysWithValues: rows.compactMap { row in
                row.task.taskID().map { ($0, row.description_p.slot) }
            }
        )
    }

    @Test("two jobs that the journal has in one slot are both shown after a restart")
    func bothAreShown() {
        let given = shared().journal.compactMap { entry -> Int? in
            if case .jobBegan(_, _, _, let slot, _) = entry { slot } else { nil }
        }
        #expect(given == [1, 1])
        var bus = shared().restarted()
        bus.pass(11)
        #expect(slots(&bus).values.sorted() == [1, 2])
    }

    @Test("the slot of one is not free because another that had it leaves")
    func slotIsKept() {
        var bus = shared().restarted()
        bus.pass(11)
        let before = slots(&bus)
        // Both come again; the one that has moved moves again.
        for client in [mover, other] { bus.control(client, client.hello) }
        bus.report(mover) {
            $0.sequence = 3
            $0.descriptions = [mover.description(1, "Backup", parent: mover.task(9))]
        }
        bus.pass()
        let third = Client(5)
        bus.control(third, third.hello)
        bus.report(third) {
            $0.sequence = 1
            $0.descriptions = [third.description(1, "Backup")]
        }
        bus.pass()
        let after = slots(&bus)
        #expect(after[other.task(1)] == before[other.task(1)])
        #expect(Set(after.values).count == after.count, "\(after)")
    }
}
