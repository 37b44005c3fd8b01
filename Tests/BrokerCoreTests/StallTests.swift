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

    /// A job with three children, of which each report changes what the first one says of itself.
    private func play(
        _ steps: Int,
        every seconds: Double,
        _ change: (inout WireReport, Int) -> Void
    ) -> Bus {
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
        for step in 1...steps {
            bus.report(worker) {
                $0.sequence = UInt64(step) + 1
                change(&$0, step)
            }
            bus.pass(seconds, hearing: [worker, viewer])
        }
        return bus
    }

    private func advance(_ report: inout WireReport, _ step: Int) {
        report.amountIndex = [2]
        report.completed = [Int64(step)]
        report.total = [1_000]
    }

    @Test("children begun before their turn: not stalled while others of their parent get on")
    func turns() {
        var bus = play(140, every: 0.5, advance)
        #expect(stalled(&bus) == [])
        bus.pass(20, hearing: [worker, viewer])
        #expect(stalled(&bus) == [2])
        // Now nobody gets on.
        bus.pass(60, hearing: [worker, viewer])
        #expect(stalled(&bus) == [1, 2, 3, 4])
    }

    @Test("others of their parent get on again after more than a minute: no longer stalled")
    func slowTurns() {
        var bus = play(2, every: 70, advance)
        #expect(stalled(&bus).contains(3))
        bus.report(worker) {
            $0.sequence = 9
            advance(&$0, 9)
        }
        bus.pass(10, hearing: [worker, viewer])
        #expect(stalled(&bus) == [])
    }

    @Test("a child that has got on by its details and then hangs is stalled, whatever others do")
    func hanging() {
        var bus = play(80, every: 0.5) { report, step in
            advance(&report, step)
            guard step < 40 else { return }
            report.detailIndex = [3]
            report.detail = ["file \(step)"]
        }
        #expect(stalled(&bus) == [3])
    }
}
