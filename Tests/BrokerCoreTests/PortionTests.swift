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
    private static let count: UInt64 = 10_000
    /// How many tasks may be looked at in one turn: those of a page of the table more than are wanted.
    private static let portion = 4_096 + 64

    private func bus() -> Bus {
        var bus = Bus()
        for client in [worker, other, viewer] { bus.control(client, client.hello) }
        return bus
    }

    /// Begins a job of one client with children of another.
    private func begin(_ owner: Client, childrenOf client: Client, in bus: inout Bus) {
        bus.report(owner) {
            $0.sequence = 1
            $0.descriptions = [owner.description(1, "Job")]
        }
        describe(2...Self.count, of: client, below: owner.task(1), in: &bus)
        bus.pass(0.5, hearing: [worker, other, viewer])
    }

    private func describe(
        _ indices: ClosedRange<UInt64>,
        of client: Client,
        below parent: TaskID,
        in bus: inout Bus
    ) {
        for first in stride(from: indices.lowerBound, through: indices.upperBound, by: 1_000) {
            bus.report(client) {
                $0.sequence = first
                $0.descriptions = (first...min(first + 999, indices.upperBound)).map {
                    client.description($0, "part", parent: parent)
                }
            }
        }
    }

    /// What tables keep that nobody needs; looks at stalls leave when they are due.
    private func inUse(_ bus: Bus) -> [String: Int] {
        bus.machine.tablesInUse.filter { $0.key != "topics" && $0.key != "looks" }
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

    private func command(_ verb: WireVerb, _ target: TaskID) -> WireClientFrame.OneOf_Body {
        var command = WireCommandRequest()
        command.request = 1
        command.verb = verb
        command.target = WireTaskRef(target)
        return .command(command)
    }

    @Test("a job of very many tasks is dismissed: it is gone at once, they follow")
    func leaving() {
        var bus = bus()
        begin(worker, childrenOf: worker, in: &bus)
        bus.subscribe(.board(page: 0))
        bus.subscribe(.job(worker.task(1)))
        let row = worker.ending(worker.description(1, "Job"), .failed)
        bus.control(worker, worker.endings(99_999, [row]))
        bus.pass(1, hearing: [worker, other, viewer])
        let (all, seen, kept) = (records(in: bus), bus.published.count, bus.journal.count)
        bus.control(viewer, command(.dismiss, worker.task(1)))
        #expect(all - records(in: bus) <= Self.portion)
        bus.pass()
        let board = bus.published[seen...].filter { $0.topic == .board(page: 0) }
        #expect(board.flatMap(\.update.removed).map(\.reason) == ["dismissed"])
        #expect(bus.machine.find("1").isEmpty && bus.machine.find("Job").isEmpty)
        #expect(bus.rows(of: .job(worker.task(1)), asking: viewer).isEmpty)
        #expect(records(in: bus) > 1, "not all of them in one tick")
        // Of what is about to leave nobody can say or ask anything any more.
        let last = worker.description(2, "part", parent: worker.task(1))
        bus.control(worker, worker.endings(100_000, [worker.ending(last, .succeeded)]))
        bus.control(viewer, command(.cancel, worker.task(2)))
        let refusals = bus.answers(to: viewer).compactMap { answer -> UInt32? in
            if case .refusal(let refusal) = answer { refusal.code } else { nil }
        }
        #expect(refusals == [RefusalCode.unknownTask.rawValue])
        #expect(ticks(untilLeft: 0, in: &bus) < 20)
        bus.pass()
        let removed = bus.published[seen...].filter { $0.topic == .job(worker.task(1)) }
            .flatMap(\.update.removed)
        #expect(removed.first?.task == WireTaskRef(worker.task(1)))
        #expect(removed.count == Int(Self.count))
        #expect(Set(removed.map(\.reason)) == ["dismissed"])
        let written = bus.journal[kept...].filter { if case .row = $0 { true } else { false } }
        #expect(written.isEmpty)
        for client in [worker, other, viewer] { bus.control(client, .goodbye(WireGoodbye())) }
        bus.pass(2)
        #expect(inUse(bus) == [:])
    }

    @Test("a new job under the key of one that leaves has that and its slot at once")
    func again() {
        var bus = bus()
        begin(worker, childrenOf: worker, in: &bus)
        let row = worker.ending(worker.description(1, "Job"), .failed)
        bus.control(worker, worker.endings(99_999, [row]))
        bus.pass(1, hearing: [worker, other, viewer])
        bus.report(other) {
            $0.sequence = 1
            $0.descriptions = [other.description(1, "Job")]
        }
        bus.pass()
        #expect(bus.machine.find("1") == [other.task(1)])
        #expect(bus.machine.find("key:Job") == [other.task(1)])
        #expect(ticks(untilLeft: 1, in: &bus) < 20)
    }

    @Test("a ticket with very many children is redeemed anew: they are asked to stop in parts")
    func attempts() {
        var bus = bus()
        let third = Client(4)
        bus.control(third, third.hello)
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [
                worker.description(1, "Job"),
                worker.description(2, "Part", parent: worker.task(1), isTicket: true),
            ]
        }
        var request = WireRedeem()
        request.index = 3
        request.ticket = WireTaskRef(worker.task(2))
        let redeem = WireClientFrame.OneOf_Body.redeem(request)
        bus.control(other, redeem)
        bus.report(other) {
            $0.sequence = 1
            $0.descriptions = [other.description(3, "", ticket: worker.task(2))]
        }
        describe(2...Self.count, of: third, below: other.task(3), in: &bus)
        bus.pass(0.5, hearing: [worker, other, third, viewer])
        func stopped() -> Int {
            bus.answers(to: third).reduce(0) { sum, answer in
                if case .command(let command) = answer { sum + command.index.count } else { sum }
            }
        }
        // Its holder is lost, which asks nobody to stop.
        bus.control(other, .goodbye(WireGoodbye()))
        bus.pass(0.5, hearing: [worker, third, viewer])
        #expect(stopped() == 0)
        bus.control(worker, redeem)
        #expect(stopped() <= Self.portion)
        for _ in 0..<20 where stopped() < Int(Self.count) - 1 {
            let before = stopped()
            bus.pass()
            #expect(stopped() - before <= Self.portion)
        }
        #expect(stopped() == Int(Self.count) - 1)
    }

    @Test("a session says hello again and again: it is told only the places that it does not know")
    func hellos() {
        var bus = bus()
        begin(worker, childrenOf: worker, in: &bus)
        func told() -> Int {
            bus.answers(to: worker).reduce(0) { sum, answer in
                if case .places(let places) = answer { sum + places.index.count } else { sum }
            }
        }
        #expect(told() == Int(Self.count) - 1)
        bus.control(worker, worker.hello)
        #expect(told() == Int(Self.count) - 1)
        // Its keyframe says what it knows.
        bus.report(worker) {
            $0.sequence = 100_000
            $0.keyframe = 1
            $0.descriptions = [
                worker.description(1, "Job"),
                worker.description(2, "part", parent: worker.task(1)),
                worker.description(3, "part", parent: worker.task(1)),
            ]
            $0.descriptions[1].place = 1
            $0.descriptions[1].cell = 1
        }
        bus.pass()
        #expect(told() == Int(Self.count))
    }

    @Test("a keyframe leaves out very many tasks: they are forgotten a part at a time")
    func keyframe() {
        var bus = bus()
        begin(worker, childrenOf: worker, in: &bus)
        let all = records(in: bus)
        bus.report(worker) {
            $0.sequence = 100_000
            $0.keyframe = 1
            $0.keyframeLast = true
            $0.descriptions = [
                worker.description(1, "Job"),
                worker.description(Self.count, "part", parent: worker.task(1)),
            ]
        }
        #expect(all - records(in: bus) <= Self.portion)
        // What begins behind it is none of them, whatever its number.
        bus.report(worker) {
            $0.sequence = 100_001
            $0.descriptions = [
                worker.description(Self.count + 1, "new", parent: worker.task(1)),
                worker.description(Self.count - 1, "again", parent: worker.task(1)),
            ]
        }
        #expect(ticks(untilLeft: 4, in: &bus) < 20)
        bus.pass(1, hearing: [worker, other, viewer])
        let kept = bus.rows(of: .job(worker.task(1)), asking: viewer).map(\.task.index)
        #expect(kept.sorted() == [1, Self.count - 1, Self.count, Self.count + 1])
    }

    @Test("with two tasks in a tick all comes to the same end, and no table keeps anything")
    func twoInATick() {
        var configuration = CoreConfiguration()
        configuration.tasksPerTick = 2
        configuration.looksAtOnce = 2
        var bus = Bus(configuration: configuration)
        for client in [worker, other, viewer] { bus.control(client, client.hello) }
        let job = worker.description(1, "Job")
        let ticket = worker.description(2, "Part", parent: worker.task(1), isTicket: true)
        let parts = (3...12).map { worker.description($0, "part", parent: worker.task(1)) }
        bus.report(worker) {
            $0.sequence = 1
            ($0.keyframe, $0.keyframeLast) = (1, true)
            $0.descriptions = [job, ticket] + parts
        }
        var redeem = WireRedeem()
        redeem.index = 1
        redeem.ticket = WireTaskRef(worker.task(2))
        bus.control(other, .redeem(redeem))
        let held = other.description(1, "", ticket: worker.task(2))
        let below = (2...5).map { other.description($0, "below", parent: other.task(1)) }
        bus.report(other) {
            $0.sequence = 1
            ($0.keyframe, $0.keyframeLast) = (1, true)
            $0.descriptions = [held] + below
        }
        bus.pass(12, hearing: [other, viewer])
        #expect(bus.row(worker.task(12), asking: viewer)?.progress.state == .lost)
        bus.control(worker, worker.hello)
        bus.report(worker) {
            $0.sequence = 2
            ($0.keyframe, $0.keyframeLast) = (2, true)
            $0.descriptions = [job, ticket] + parts.prefix(4)
        }
        bus.pass(2, hearing: [worker, other, viewer])
        let shown = bus.rows(of: .job(worker.task(1)), asking: viewer)
        #expect(shown.count == 2 + 4 + 4)
        #expect(shown.allSatisfy { $0.progress.state == .running })
        bus.control(worker, worker.endings(3, [worker.ending(job, .failed)]))
        bus.pass(1, hearing: [worker, other, viewer])
        let stops = bus.answers(to: other).compactMap { answer -> [UInt64]? in
            if case .command(let command) = answer { command.index } else { nil }
        }
        #expect(stops == [[1]])
        bus.control(other, other.endings(2, [other.ending(held, .cancelled)]))
        bus.control(viewer, command(.dismiss, worker.task(1)))
        bus.pass(12, hearing: [worker, other, viewer])
        #expect(records(in: bus) == 0)
        for client in [worker, other, viewer] { bus.control(client, .goodbye(WireGoodbye())) }
        bus.pass(2)
        #expect(inUse(bus) == [:])
        bus.expectEmptyJournal()
    }
}
