import BrokerCore
import BusProtocol
import TaskTree
import Testing

/// Very many jobs cost what one costs, so many times.
@Suite struct ManyJobsTests {
    private let worker = Client(1)
    private let viewer = Client(2, viewer: true)
    private static let count: UInt64 = 10_000
    private static let rows: UInt64 = 1_000

    private func bus() -> Bus {
        var configuration = CoreConfiguration()
        configuration.tasksPerSession = 1_000_000
        var bus = Bus(configuration: configuration)
        for client in [worker, viewer] { bus.control(client, client.hello) }
        return bus
    }

    private func begin(below parent: TaskID?, in bus: inout Bus) {
        for first in stride(from: UInt64(1), through: Self.count, by: Int(Self.rows)) {
            bus.report(worker) {
                $0.sequence = first
                $0.descriptions = (first..<first + Self.rows).map {
                    worker.description($0, "nightly", parent: parent)
                }
            }
        }
    }

    private func end(_ indices: ClosedRange<UInt64>, _ state: WireStatedState, in bus: inout Bus) {
        let endings = indices.map { worker.ending(worker.description($0, "nightly"), state) }
        bus.control(worker, worker.endings(Self.count + indices.upperBound, endings))
    }

    private func key(_ index: UInt64, in bus: Bus) -> [TaskID] {
        bus.machine.find(index == 1 ? "key:nightly" : "key:nightly#\(index)")
    }

    @Test("10,000 jobs of one title begin, fail or succeed, and leave in no time")
    func beginAndLeave() {
        var bus = bus()
        let time = ContinuousClock().measure {
            begin(below: nil, in: &bus)
            bus.pass()
            #expect(key(1, in: bus) == [worker.task(1)])
            #expect(key(Self.count, in: bus) == [worker.task(Self.count)])
            end(1...5_000, .failed, in: &bus)
            bus.pass()
            end(5_001...Self.count, .succeeded, in: &bus)
            bus.pass(12, hearing: [worker, viewer])
        }
        // The oldest of those that failed have left as well.
        #expect(key(4_000, in: bus).isEmpty && key(5_001, in: bus).isEmpty)
        #expect(key(4_001, in: bus) == [worker.task(4_001)])
        #expect(time < .seconds(60), "it took \(time)")
    }

    @Test("10,000 children of a parent nobody knows become jobs in no time")
    func adopted() {
        var bus = bus()
        let time = ContinuousClock().measure {
            begin(below: worker.task(1 << 40), in: &bus)
            bus.pass(9, hearing: [worker, viewer])
            #expect(key(1, in: bus).isEmpty)
            bus.pass(3, hearing: [worker, viewer])
        }
        #expect(key(1, in: bus) == [worker.task(1)])
        #expect(key(Self.count, in: bus) == [worker.task(Self.count)])
        #expect(time < .seconds(60), "it took \(time)")
    }

    @Test("an orphan whose parent came and went waits anew")
    func orphanAgain() {
        var bus = bus()
        let all = [worker, viewer]
        func describe(_ sequence: UInt64, _ index: UInt64, _ parent: TaskID?) {
            bus.report(worker) {
                $0.sequence = sequence
                $0.descriptions = [worker.description(index, "T\(index)", parent: parent)]
            }
        }
        describe(1, 2, worker.task(1))
        bus.pass(5, hearing: all)
        describe(2, 1, nil)
        bus.pass(2, hearing: all)
        #expect(bus.machine.job(of: worker.task(2)) == worker.task(1))
        describe(3, 2, worker.task(9))
        bus.pass(8, hearing: all)
        #expect(bus.machine.job(of: worker.task(2)) == nil)
        bus.pass(4, hearing: all)
        #expect(bus.machine.job(of: worker.task(2)) == worker.task(2))
    }

    @Test("a numbered key of the greatest length stays within its limit, restart after restart")
    func longKey() {
        let title = String(repeating: "x", count: ProtocolLimits.keyBytes)
        var journal: [JournalEntry] = []
        for life in 0..<10 {
            // Each life finds the job's slot given to another, so that it gets a new key.
            let slots = journal.compactMap { entry -> JournalEntry? in
                guard case .jobBegan(_, let key, let title, let slot, _) = entry else { return nil }
                return .jobBegan(
                    job: worker.task(2),
                    key: key,
                    title: title,
                    slot: slot,
                    begun: 0
                )
            }
            var bus = Bus(journal: journal + slots)
            for client in [worker, viewer] { bus.control(client, client.hello) }
            bus.report(worker) {
                $0.sequence = UInt64(life * 2 + 1)
                $0.descriptions = [worker.description(1, title)]
            }
            bus.pass(3, hearing: [worker, viewer])
            let rows = bus.rows(of: .board(page: 0), asking: viewer)
            #expect(!rows.isEmpty)
            #expect(
                rows.allSatisfy {
                    $0.description_p.key.utf8.count <= ProtocolLimits.shownKeyBytes
                }
            )
            journal = JournalEntry.compact(bus.journal)
        }
    }
}
