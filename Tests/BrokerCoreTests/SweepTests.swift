import BrokerCore
import BusProtocol
import TaskTree
import Testing

/// What happens to all tasks of a session at once, where there are very many: some at a time.
@Suite struct SweepTests {
    private let worker = Client(1)
    private let viewer = Client(2, viewer: true)
    /// More than two ticks look at.
    private static let count: UInt64 = 2_500
    private static let configuration = {
        var configuration = CoreConfiguration()
        configuration.looksPerTick = 1_024
        return configuration
    }()

    /// A job with children that all run; unless it `hasJob` nobody has said a word of the job.
    private func bus(hasJob: Bool = true) -> Bus {
        var bus = Bus(configuration: Self.configuration)
        for client in [worker, viewer] { bus.control(client, client.hello) }
        if hasJob { beginJob(in: &bus) }
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

    private func beginJob(in bus: inout Bus) {
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [worker.description(1, "Job")]
        }
    }

    private func job(in bus: inout Bus, task: UInt64 = 1) -> WireRowProgress? {
        bus.row(worker.task(task), asking: viewer)?.progress
    }

    /// Ticks until a task's row, by default the job's, is so.
    private func ticks(
        in bus: inout Bus,
        of task: UInt64 = 1,
        until isSo: (WireRowProgress) -> Bool
    ) throws -> Int {
        for tick in 0..<100 {
            if isSo(try #require(job(in: &bus, task: task))) { return tick }
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
        #expect(try ticks(in: &bus, of: Self.count) { $0.silent } < 20)
        #expect(job(in: &bus)?.attention == 0, "one silence is one trouble")
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

    @Test("very much changes between two ticks: it is published in parts, not all with the tick")
    func manyChanges() {
        var bus = bus()
        bus.subscribe(.job(worker.task(1)))
        bus.pass()
        let before = bus.published.count
        for first in stride(from: UInt64(2), through: Self.count, by: 1_000) {
            bus.report(worker) {
                $0.sequence = 100_000 + first
                for index in first..<min(first + 1_000, Self.count + 1) {
                    $0.add(index, completed: 1)
                }
            }
        }
        let rows = bus.published[before...].reduce(0) { $0 + $1.update.rows.count }
        #expect(rows > Int(Self.count) / 2)
        bus.pass()
        let all = bus.published[before...].reduce(into: Set<TaskID>()) { names, update in
            names.formUnion(update.update.rows.compactMap { $0.task.taskID() })
        }
        #expect(all.count == Int(Self.count) - 1)
    }

    @Test("a parent turns up behind very many children: all are below it within some ticks")
    func parent() throws {
        var bus = bus(hasJob: false)
        #expect(job(in: &bus) == nil)
        beginJob(in: &bus)
        bus.pass()
        #expect(try ticks(in: &bus) { $0.counts.running == Self.count - 1 } < 20)
        #expect(bus.machine.tables["unattached"] == 0)
    }

    @Test("it fails its job and takes that back, again and again: nothing piles up")
    func wavering() throws {
        var bus = bus()
        for number in 0..<200 {
            bus.report(worker) {
                $0.sequence = UInt64(100_000 + number)
                var change = WireStateChange()
                change.index = 1
                change.state = number.isMultiple(of: 2) ? .paused : .running
                $0.states = [change]
            }
            let state: WireStatedState = number.isMultiple(of: 2) ? .failed : .running
            let row = worker.ending(worker.description(1, "Job"), state)
            bus.control(worker, worker.endings(UInt64(200_000 + number), [row]))
        }
        #expect(bus.machine.tables["pending work", default: 0] <= 2 * Int(Self.count))
        let row = worker.ending(worker.description(1, "Job"), .failed)
        bus.control(worker, worker.endings(999_999, [row]))
        #expect(try ticks(in: &bus) { $0.counts.cancelled == Self.count - 1 } < 30)
        #expect(bus.machine.tables["pending work"] == 0)
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
