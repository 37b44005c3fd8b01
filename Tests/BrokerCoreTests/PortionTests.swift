import BrokerCore
import BusProtocol
import TaskTree
import Testing

/// What happens to very many tasks at once is done some thousand tasks at a time, so that the broker
/// answers others in between.
@Suite struct PortionTests {
    private let worker = Client(1)
    private let other = Client(3)
    private let viewer = Client(2, viewer: true)
    /// More than two ticks look at.
    private static let count: UInt64 = 2_500
    private static let configuration = {
        var configuration = CoreConfiguration()
        configuration.looksPerTick = 1_024
        return configuration
    }()
    /// A job and its first levels may go with the last portion.
    private static let portion = 1_024 + 8

    private var job: TaskID { worker.task(1) }

    /// A broker with a job of that many tasks of one session, in branches of a hundred.
    private func bus() -> Bus {
        var bus = Bus(configuration: Self.configuration)
        for client in [worker, other, viewer] { bus.control(client, client.hello) }
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [worker.description(1, "Job")]
        }
        for first in stride(from: 2, through: Self.count, by: 1_000) {
            bus.report(worker) {
                $0.sequence = first
                $0.descriptions = (first...min(first + 999, Self.count)).map {
                    let parent = $0 < 100 || $0 % 100 == 0 ? 1 : $0 / 100 * 100
                    return worker.description($0, "part", parent: worker.task(parent))
                }
            }
        }
        bus.pass(0.5, hearing: [worker, other, viewer])
        return bus
    }

    private func fail(_ bus: inout Bus) {
        let row = worker.ending(worker.description(1, "Job"), .failed)
        bus.control(worker, worker.endings(99_999, [row]))
        bus.pass(1, hearing: [worker, other, viewer])
    }

    private func dismiss(_ bus: inout Bus) {
        var command = WireCommandRequest()
        command.request = 1
        command.verb = .dismiss
        command.target = WireTaskRef(job)
        bus.control(viewer, .command(command))
    }

    private func records(in bus: Bus) -> Int { bus.machine.tables["records of the tree"] ?? 0 }

    /// Ticks until so many records are left; none may take more than a portion away.
    private func ticks(untilLeft count: Int, in bus: inout Bus) -> Int {
        for tick in 0..<100 {
            let before = records(in: bus)
            if before <= count { return tick }
            for client in [worker, other, viewer] {
                bus.control(client, .heartbeat(WireHeartbeat()))
            }
            bus.pass()
            #expect(before - records(in: bus) <= Self.portion)
        }
        return 100
    }

    @Test("a job of very many tasks is dismissed: it leaves the board at once, they follow")
    func leaving() {
        var bus = bus()
        bus.subscribe(.board(page: 0))
        fail(&bus)
        let (all, seen) = (records(in: bus), bus.published.count)
        #expect(all == Int(Self.count))
        dismiss(&bus)
        #expect(all - records(in: bus) <= Self.portion)
        bus.pass()
        let board = bus.published[seen...].filter { $0.topic == .board(page: 0) }
        #expect(board.flatMap(\.update.removed).map(\.reason) == ["dismissed"])
        #expect(bus.machine.find("1").isEmpty && bus.machine.find("key:Job").isEmpty)
        let count = bus.rows(of: .job(job), asking: viewer).count
        #expect(count == 0)
        #expect(records(in: bus) > 1, "not all of them in one tick")
        #expect(ticks(untilLeft: 0, in: &bus) < 10)
        let later = bus.published[seen...].filter { $0.topic == .board(page: 0) }
        #expect(later.flatMap(\.update.rows).isEmpty, "it does not come back")
        for client in [worker, other, viewer] { bus.control(client, .goodbye(WireGoodbye())) }
        bus.pass(2)
        let inUse = bus.machine.tablesInUse.filter { $0.key != "topics" && $0.key != "looks" }
        #expect(inUse == [:])
    }

    @Test("a new job under the key of one that leaves has that and its slot at once")
    func again() {
        var bus = bus()
        fail(&bus)
        bus.report(other) {
            $0.sequence = 1
            $0.descriptions = [other.description(1, "Job")]
        }
        bus.pass()
        #expect(bus.machine.find("1") == [other.task(1)])
        #expect(bus.machine.find("key:Job") == [other.task(1)])
        #expect(records(in: bus) > 1)
        #expect(ticks(untilLeft: 1, in: &bus) < 10)
    }

    @Test("something is begun below a job that leaves: the job is back on the board with it")
    func revived() {
        var bus = bus()
        fail(&bus)
        dismiss(&bus)
        bus.report(other) {
            $0.sequence = 1
            $0.descriptions = [other.description(1, "late", parent: job)]
        }
        bus.pass(0.2, hearing: [worker, other, viewer])
        let rows = bus.rows(of: .job(job), asking: viewer)
        #expect(rows.contains { $0.task == WireTaskRef(other.task(1)) })
        #expect(bus.machine.find("key:Job") == [job])
        let row = other.ending(other.description(1, "late", parent: job), .succeeded)
        bus.control(other, other.endings(2, [row]))
        bus.pass(0.2, hearing: [worker, other, viewer])
        dismiss(&bus)
        #expect(ticks(untilLeft: 0, in: &bus) < 10)
    }

    @Test(
        "a keyframe has no word of very many tasks: they go in parts, what is said meanwhile stays"
    )
    func withdrawn() {
        var bus = bus()
        bus.keyframe(worker, sequence: 100_000) {
            $0.descriptions = [worker.description(1, "Job")]
        }
        #expect(Int(Self.count) - records(in: bus) <= Self.portion)
        bus.report(worker) {
            $0.sequence = 100_001
            $0.descriptions = [worker.description(2, "part", parent: job)]
        }
        #expect(ticks(untilLeft: 2, in: &bus) < 10)
        bus.pass(0.5, hearing: [worker, other, viewer])
        #expect(records(in: bus) == 2)
        #expect(bus.row(worker.task(2), asking: viewer) != nil)
    }

    /// Says amounts of tasks that may not be described.
    private func measure(_ indices: ClosedRange<UInt64>, sequence: UInt64, in bus: inout Bus) {
        bus.report(worker) {
            $0.sequence = sequence
            $0.amountIndex = Array(indices)
            $0.completed = indices.map { _ in 1 }
            $0.total = indices.map { _ in 2 }
        }
    }

    @Test("so much is said of what is not described: more is refused in words, and it leaves")
    func undescribed() {
        var configuration = CoreConfiguration()
        configuration.undescribedPerSession = 5
        var bus = Bus(configuration: configuration)
        for client in [worker, viewer] { bus.control(client, client.hello) }
        measure(1...9, sequence: 1, in: &bus)
        #expect(records(in: bus) == 5)
        var fold = WireFold()
        fold.parent = WireTaskRef(worker.task(20))
        var endings = WireEndings()
        endings.sequence = 2
        endings.folds = [fold]
        bus.control(worker, .endings(endings))
        let refusals = bus.answers(to: worker).compactMap { answer -> String? in
            if case .refusal(let refusal) = answer { refusal.sentence } else { nil }
        }
        #expect(refusals.count == 1 && refusals[0].contains("5 tasks that it has not described"))
        bus.report(worker) {
            $0.sequence = 3
            $0.descriptions = (1...8).map { worker.description($0, "Job") }
        }
        bus.pass()
        #expect(records(in: bus) == 8, "what is described has room")
        #expect(bus.row(worker.task(5), asking: viewer)?.progress.completed == 1)
        measure(31...39, sequence: 4, in: &bus)
        #expect(records(in: bus) == 13)
        bus.control(worker, .goodbye(WireGoodbye()))
        bus.pass(2, hearing: [viewer])
        #expect(records(in: bus) == 8)
    }
}
