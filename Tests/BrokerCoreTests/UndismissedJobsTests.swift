import BrokerCore
import BusProtocol
import TaskTree
import Testing

/// Jobs that failed stay on the board until somebody dismisses them, as far as there is room.
@Suite("Ended jobs") struct UndismissedJobsTests {
    let honest = Client(1)
    let viewer = Client(2, viewer: true)

    private func bus() -> Bus {
        var configuration = CoreConfiguration()
        configuration.endedJobsKept = 10
        var bus = Bus(configuration: configuration)
        bus.control(honest, peer: 100, honest.hello)
        bus.control(viewer, viewer.hello)
        return bus
    }

    private func fail(_ indices: ClosedRange<UInt64>, of client: Client, in bus: inout Bus) {
        for index in indices {
            let job = client.description(index, "Job \(index)")
            bus.control(client, client.endings(index, [client.ending(job, .failed)]))
            bus.pass()
        }
    }

    private func shown(_ client: Client, in bus: inout Bus) -> [TaskID] {
        bus.rows(of: .board(page: 0), asking: viewer).compactMap { $0.task.taskID() }
            .filter { $0.session == client.session }
    }

    @Test("of one process, by itself: the newest stay")
    func alone() {
        var bus = bus()
        fail(1...25, of: honest, in: &bus)
        #expect(shown(honest, in: &bus) == (16...25).map { honest.task($0) })
    }

    @Test("a process with very many, under new names all the time, drives out none but its own")
    func crowd() {
        var bus = bus()
        fail(1...3, of: honest, in: &bus)
        for number in 10...39 as ClosedRange<UInt8> {
            let other = Client(number)
            bus.control(other, peer: 666, other.hello)
            fail(1...2, of: other, in: &bus)
        }
        fail(4...4, of: honest, in: &bus)
        #expect(shown(honest, in: &bus) == (1...4).map { honest.task($0) })
        #expect(bus.rows(of: .board(page: 0), asking: viewer).count == 10)
    }

    @Test("sessions whose process nobody knows drive out none of a process, said once a second")
    func unknownProcesses() {
        var bus = bus()
        fail(1...2, of: honest, in: &bus)
        for number in 10...99 as ClosedRange<UInt8> {
            let other = Client(number)
            bus.control(other, other.hello)
            fail(1...1, of: other, in: &bus)
        }
        fail(3...3, of: honest, in: &bus)
        #expect(shown(honest, in: &bus) == (1...3).map { honest.task($0) })
        bus.pass(2)
        #expect(bus.logged.filter { $0.hasPrefix("too many ended jobs") }.count <= 10)
    }
}
