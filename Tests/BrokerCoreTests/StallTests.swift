import BusProtocol
import TaskTree
import Testing

@testable import BrokerCore

/// Which running tasks do not get on, of many that are begun at once.
@Suite struct StallTests {
    let worker = Client(1)
    let viewer = Client(2, viewer: true)

    private func stalled(_ bus: inout Bus) -> [UInt64] {
        (1...4).filter { bus.row(worker.task($0), asking: viewer)?.progress.stalled == true }
    }

    @Test("children begun before their turn: not stalled while others of their parent get on")
    func turns() {
        var bus = Bus()
        for client in [worker, viewer] { bus.control(client, client.hello) }
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions =
                [worker.description(1, "Job")]
                + (2...4).map { worker.description($0, "Part", parent: worker.task(1)) }
            $0.amountIndex = [2, 3, 4]
            $0.completed = [0, 0, 0]
            $0.total = [1_000, 1_000, 1_000]
        }
        bus.pass(0.5, hearing: [worker, viewer])
        for step in 1...140 {
            bus.report(worker) {
                $0.sequence = UInt64(step) + 1
                $0.amountIndex = [2]
                $0.completed = [Int64(step)]
                $0.total = [1_000]
            }
            bus.pass(0.5, hearing: [worker, viewer])
        }
        #expect(stalled(&bus) == [])
        bus.pass(20, hearing: [worker, viewer])
        #expect(stalled(&bus) == [2])
        // Now nobody gets on.
        bus.pass(60, hearing: [worker, viewer])
        #expect(stalled(&bus) == [1, 2, 3, 4])
    }
}
