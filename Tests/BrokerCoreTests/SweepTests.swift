import BrokerCore
import BusProtocol
import TaskTree
import Testing

/// What happens to all tasks of a session at once, where there are very many: some at a time.
@Suite struct SweepTests {
    private let worker = Client(1)
    private let viewer = Client(2, viewer: true)
    /// More than two ticks look at.
    private static let count: UInt64 = 10_000

    /// A job with children that all run.
    private func bus() -> Bus {
        var bus = Bus()
        for client in [worker, viewer] { bus.control(client, client.hello) }
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [worker.description(1, "Job")]
        }
        for first in stride(from: UInt64(2), through: Self.count, by: 1_000) {
            bus.report(worker) {
                $0.sequence = first
                $0.descriptions = (first..<min(first + 1_000, Self.count + 1)).map {
                    worker.description($0, "part", parent: worker.task(1))
                }
            }
        }
        bus.pass()
        return bus
    }

    private func job(in bus: inout Bus) -> WireRowProgress? {
        bus.row(worker.task(1), asking: viewer)?.progress
    }

    /// Ticks until the counts of the job's row are so.
    private func ticks(
        in bus: inout Bus,
        until isSo: (WireRowProgress) -> Bool
    ) throws -> Int {
        for tick in 0..<100 {
            if isSo(try #require(job(in: &bus))) { return tick }
            bus.control(viewer, .heartbeat(WireHeartbeat()))
            bus.pass()
        }
        return 100
    }

    @Test("a session of very many tasks is lost: its job at once, all others within some ticks")
    func lost() throws {
        var bus = bus()
        bus.pass(4.5, hearing: [viewer])
        #expect(job(in: &bus)?.silent == true)
        #expect(try ticks(in: &bus) { $0.attention == Self.count - 1 } < 20)
        bus.pass(5.5, hearing: [viewer])
        let entries = bus.journal.count
        #expect(try ticks(in: &bus) { $0.state == .lost } < 20)
        #expect(job(in: &bus)!.counts.lost < Self.count - 1, "not all of them in one step")
        #expect(try ticks(in: &bus) { $0.counts.lost == Self.count - 1 } < 20)
        // What the next broker needs is written down, and that the session is gone behind it.
        let written = bus.journal[entries...]
        #expect(written.count { if case .row = $0 { true } else { false } } == Int(Self.count))
        guard case .sessionLeft? = written.last(where: { !$0.isRow }) else {
            Issue.record("\(String(describing: written.last))")
            return
        }
    }

    @Test("it is back before all of them were lost: all run, and none needs attention")
    func back() throws {
        var bus = bus()
        bus.pass(10.5, hearing: [viewer])
        #expect(try ticks(in: &bus) { $0.state == .lost } < 20)
        bus.control(worker, worker.hello)
        bus.pass()
        #expect(job(in: &bus)?.state == .running)
        let all = Self.count - 1
        #expect(
            try ticks(in: &bus) {
                $0.counts.running == all && $0.counts.lost == 0 && $0.attention == 0
            } < 20
        )
        #expect(bus.machine.tables["sweeps"] == 0)
    }

    @Test("the broker is killed before all of them were lost: the next one judges all of them")
    func killed() throws {
        var bus = bus()
        bus.pass(10.5, hearing: [viewer])
        #expect(try ticks(in: &bus) { $0.state == .lost } < 20)
        #expect(!bus.journal.contains { if case .sessionLeft = $0 { true } else { false } })
    }

    @Test("it fails its job: what is below follows within some ticks, and is as it is at once")
    func failed() throws {
        var bus = bus()
        let row = worker.ending(worker.description(1, "Job"), .failed)
        bus.control(worker, worker.endings(99_999, [row]))
        bus.pass()
        #expect(bus.row(worker.task(Self.count), asking: viewer)?.progress.state == .cancelled)
        #expect(try ticks(in: &bus) { $0.counts.cancelled == Self.count - 1 } < 20)
    }
}

extension JournalEntry {
    fileprivate var isRow: Bool { if case .row = self { true } else { false } }
}
