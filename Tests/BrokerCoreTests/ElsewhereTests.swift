import BusProtocol
import SwiftProtobuf
import TaskTree
import Testing

@testable import BrokerCore

/// Questions about tasks of other brokers: the bridge carries them, and what is answered.
@Suite("Tasks of other brokers") struct ElsewhereTests {
    private let worker = Client(1)
    private let viewer = Client(2, viewer: true)
    private let bridge = Client(3, viewer: true)
    private let stranger = Client(4, viewer: true)
    private let other: UInt64 = 42
    private var far: TaskID { task(1) }
    /// Of the other broker, and of another of its sessions than the job.
    private let child = TaskID(index: 7, session: SessionID(rawValue: 9_002))

    private func task(_ index: UInt64) -> TaskID {
        TaskID(index: index, session: SessionID(rawValue: 9_001))
    }

    private func bus(configuration: CoreConfiguration = CoreConfiguration()) -> Bus {
        var bus = Bus(configuration: configuration)
        for client in [worker, viewer, bridge, stranger] { bus.control(client, client.hello) }
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [worker.description(1, "Near")]
        }
        say(&bus) { $0.rows = [row(far)] }
        bus.pass()
        return bus
    }

    private func row(_ id: TaskID, _ title: String = "Far") -> WireRow {
        var row = WireRow()
        row.task = WireTaskRef(id)
        row.description_p.title = title
        row.description_p.slot = 65
        row.progress.state = .running
        return row
    }

    private func say(_ bus: inout Bus, _ build: (inout WireFleetRows) -> Void) {
        var rows = WireFleetRows()
        rows.broker = other
        rows.host = "host-b"
        build(&rows)
        bus.control(bridge, .fleetRows(rows))
    }

    private func snapshot(_ topic: Topic, request: UInt64 = 5) -> WireClientFrame.OneOf_Body {
        var wire = WireSnapshotRequest()
        wire.request = request
        wire.topic = topic.name
        return .snapshot(wire)
    }

    private func command(
        _ verb: WireVerb,
        _ target: TaskID,
        timeout: UInt32 = 0
    ) -> WireClientFrame.OneOf_Body {
        var command = WireCommandRequest()
        command.request = 6
        command.verb = verb
        command.target = WireTaskRef(target)
        command.timeout = timeout
        return .command(command)
    }

    /// What the bridge was given to ask.
    private func questions(_ bus: Bus) -> [WireFleetQuestion] {
        bus.answers(to: bridge).compactMap {
            if case .fleetQuestion(let question) = $0 { question } else { nil }
        }
    }

    private func answer(
        _ bus: inout Bus,
        from broker: UInt64? = nil,
        of client: Client? = nil,
        _ build: (inout WireFleetAnswer) -> Void
    ) {
        var answer = WireFleetAnswer()
        build(&answer)
        answer.broker = broker ?? other
        answer.request = questions(bus).last?.request ?? 0
        bus.control(client ?? bridge, .fleetAnswer(answer))
    }

    /// Has the newest question answered with these rows.
    private func answer(_ bus: inout Bus, _ topic: Topic, _ rows: [WireRow]) {
        answer(&bus) {
            $0.snapshot.topic = topic.name
            $0.snapshot.rows = rows
            $0.snapshot.last = true
        }
    }

    private func chunks(_ bus: Bus) -> [WireSnapshotChunk] {
        bus.answers(to: viewer).compactMap {
            if case .snapshot(let chunk) = $0 { chunk } else { nil }
        }
    }

    private func refusals(of client: Client, in bus: Bus) -> [WireRefusal] {
        bus.answers(to: client).compactMap {
            if case .refusal(let refusal) = $0 { refusal } else { nil }
        }
    }

    private func results(_ bus: Bus) -> [WireCommandResult] {
        bus.answers(to: viewer).compactMap {
            if case .commandResult(let result) = $0 { result } else { nil }
        }
    }

    @Test("a snapshot comes from the broker that has the job, stamped by this one")
    func asked() throws {
        var bus = bus()
        bus.subscribe(.job(far))
        bus.control(viewer, snapshot(.job(far)))
        let question = try #require(questions(bus).first)
        #expect(question.broker == other)
        #expect(question.snapshot.topic == Topic.job(far).name)
        #expect((1...65_536).contains(question.snapshot.maxBytes))
        #expect(chunks(bus).isEmpty)
        answer(&bus, .job(far), [row(far), row(child, "Part")])
        let chunk = try #require(chunks(bus).last)
        #expect(chunk.request == 5)
        #expect(chunk.rows.map(\.description_p.title) == ["Far", "Part"])
        #expect(chunk.sequence == bus.published.last { $0.topic == .job(far) }?.update.sequence)
        #expect(chunk.rows.allSatisfy { $0.sequence == chunk.sequence })
        #expect(bus.machine.tables["questions to the fleet"] == 0)
        // Its task belongs to another session, which is known from the answer.
        bus.control(viewer, snapshot(.children(child, block: 0)))
        #expect(questions(bus).count == 2)
    }

    @Test("rows of tasks that are here are not taken from elsewhere")
    func forged() throws {
        var bus = bus()
        bus.control(viewer, snapshot(.job(far)))
        answer(&bus, .job(far), [row(far), row(worker.task(1), "Forged")])
        #expect(try #require(chunks(bus).last).rows.map(\.description_p.title) == ["Far"])
        bus.control(viewer, command(.cancel, worker.task(1)))
        #expect(questions(bus).count == 1)
    }

    @Test("only the broker that was asked answers, by way of the bridge, and to what was asked")
    func strangers() {
        var bus = bus()
        bus.control(viewer, snapshot(.job(far)))
        answer(&bus, from: 43) { $0.snapshot.topic = Topic.job(far).name }
        answer(&bus, of: stranger) { $0.snapshot.topic = Topic.job(far).name }
        answer(&bus) { $0.snapshot.topic = Topic.totals.name }
        answer(&bus) { $0.found = WireFound() }
        #expect(chunks(bus).isEmpty)
        #expect(refusals(of: stranger, in: bus).map(\.code) == [RefusalCode.notPermitted.rawValue])
        answer(&bus, .job(far), [row(far)])
        #expect(chunks(bus).count == 1)
    }

    @Test("a command goes there, and its answers come back until the last")
    func commands() {
        var bus = bus()
        bus.control(viewer, command(.cancel, far))
        #expect(questions(bus).last?.command.target == WireTaskRef(far))
        for (outcome, last) in [(WireOutcome.accepted, false), (.noAnswer, true)] {
            answer(&bus) {
                $0.commandResult.outcome = outcome
                $0.commandResult.asked = 2
                $0.commandResult.last = last
            }
        }
        #expect(results(bus).map(\.outcome) == [.accepted, .noAnswer])
        #expect(results(bus).allSatisfy { $0.request == 6 })
        #expect(bus.machine.tables["questions to the fleet"] == 0)
    }

    @Test("what a script says of a job there is asked there, by its id, and once")
    func scripts() throws {
        var bus = bus()
        var script = Script()
        let begin = script.request(
            .begin(
                .with {
                    $0.title = "Part"
                    $0.parent = "65"
                }
            )
        )
        for _ in 1...2 { #expect(bus.send(begin).isEmpty) }
        let asked = questions(bus).filter { $0.detached.requestID == begin.requestID }
        #expect(asked.map(\.broker) == [other, other] && Set(asked.map(\.number)).count == 1)
        #expect(asked.allSatisfy { $0.detached.begin.parent == "id:\(far)" })
        #expect(bus.machine.tables["questions to the fleet"] == 1)
        bus.pass(5, hearing: [viewer, bridge])
        let connection = Route(bytes: [1, 200])
        #expect(bus.answers(to: connection, since: 0).isEmpty, "it may have been carried out")
        #expect(bus.machine.tables["questions to the fleet"] == 0)
        say(&bus) { $0.unheard = 1_800_000_000 }
        let answer = try #require(bus.send(begin).last)
        #expect(answer.code == RefusalCode.busy.rawValue && answer.sentence.contains("host-b"))
    }

    @Test("a cell of a job there is a cell there")
    func cells() throws {
        var bus = bus()
        var script = Script()
        _ = bus.send(script.request(.begin(.with { $0.parent = "cell:3@\(far)" })))
        let asked = try #require(questions(bus).last)
        #expect(asked.broker == other && asked.detached.begin.parent == "cell:3@\(far)")
    }

    @Test("what a bridge asks for a script of another host goes no further")
    func scriptsOfOthers() {
        var bus = bus()
        var script = Script()
        let request = script.request(.advance(far))
        bus.control(bridge, .detached(request))
        guard case .detached(let answer)? = bus.answers(to: bridge).last else {
            Issue.record("no answer")
            return
        }
        #expect(answer.code == RefusalCode.unsupported.rawValue)
        #expect(answer.sentence.contains("host-b"))
    }

    @Test("who looks for a whole id is answered from there, and a search of a job")
    func finds() {
        var bus = bus()
        var find = WireFind()
        find.request = 8
        find.text = "id:\(task(3))"
        bus.control(viewer, .find(find))
        #expect(questions(bus).last?.find.text == find.text)
        answer(&bus) { $0.found.tasks = [] }
        guard case .found(let found)? = bus.answers(to: viewer).last else {
            Issue.record("no answer")
            return
        }
        #expect(found.request == 8)
        find.text = ""
        find.search.job = WireTaskRef(far)
        find.search.filter = "x"
        bus.control(viewer, .find(find))
        #expect(questions(bus).count == 2)
    }

    @Test("a host that does not answer is named in time, and nothing is left of the question")
    func silent() throws {
        var bus = bus()
        bus.control(viewer, snapshot(.job(far)))
        bus.control(viewer, command(.cancel, far, timeout: 3_000))
        bus.pass(1.6)
        let refusal = try #require(refusals(of: viewer, in: bus).first)
        #expect(refusal.request == 5)
        #expect(refusal.sentence.contains("host-b") && refusal.sentence.contains("in time"))
        #expect(results(bus).isEmpty)
        bus.pass(3)
        #expect(results(bus).map(\.outcome) == [.noAnswer])
        #expect(bus.machine.tables["questions to the fleet"] == 0)
        #expect(bus.machine.tables["askers of the fleet"] == 0)
        answer(&bus, .job(far), [row(far)])
        #expect(chunks(bus).isEmpty)
    }

    @Test("of a host that is not heard its jobs are shown, and what is below them is not known")
    func unheard() {
        var bus = bus()
        say(&bus) { $0.unheard = 1_800_000_000 }
        bus.pass()
        bus.control(viewer, snapshot(.job(far)))
        bus.control(viewer, snapshot(.log(far)))
        #expect(chunks(bus).map(\.rows.count) == [1, 0])
        #expect(chunks(bus).allSatisfy { $0.unheard })
        bus.control(viewer, snapshot(.children(far, block: 0)))
        bus.control(viewer, command(.cancel, far))
        #expect(refusals(of: viewer, in: bus).map(\.code) == [RefusalCode.busy.rawValue])
        #expect(results(bus).map(\.outcome) == [.noAnswer])
        #expect(questions(bus).isEmpty)
    }

    @Test("beats of what is below a job say whether its host is heard")
    func unheardBelow() throws {
        var bus = bus()
        let topics = [Topic.children(far, block: 0), .children(worker.task(1), block: 0)]
        for topic in topics { bus.subscribe(topic) }
        func unheard() throws -> [Bool] {
            bus.pass(1.1, hearing: [viewer, bridge, worker])
            return try topics.map { topic in
                try #require(bus.published.last { $0.topic == topic }).update.unheard
            }
        }
        #expect(try unheard() == [false, false])
        say(&bus) { $0.unheard = 1_800_000_000 }
        #expect(try unheard() == [true, false])
        say(&bus) { $0.rows = [row(far)] }
        #expect(try unheard() == [false, false])
    }

    @Test("when the bridge goes, those who wait are told, and nothing is left")
    func bridgeGoes() {
        var bus = bus()
        bus.control(viewer, snapshot(.job(far)))
        bus.control(bridge, .goodbye(WireGoodbye()))
        bus.pass(62, hearing: [worker, viewer])
        #expect(refusals(of: viewer, in: bus).map(\.request) == [5])
        for table in ["questions to the fleet", "sessions of the fleet", "askers of the fleet"] {
            #expect(bus.machine.tables[table] == 0, "\(table)")
        }
    }

    @Test("what the bridge itself asks goes no further")
    func noCircle() {
        var bus = bus()
        bus.control(bridge, snapshot(.job(far)))
        #expect(questions(bus).isEmpty)
    }

    @Test("questions and sessions of others have bounds")
    func bounds() {
        var configuration = CoreConfiguration()
        configuration.fleetQuestions = 4
        configuration.fleetSessions = 3
        var bus = bus(configuration: configuration)
        for request in 1...4 as ClosedRange<UInt64> {
            bus.control(viewer, snapshot(.job(far), request: request))
        }
        // An owner takes no more than it leaves to others.
        #expect(questions(bus).count == 2)
        #expect(refusals(of: viewer, in: bus).map(\.request) == [3, 4])
        let strangers = (1...5).map { TaskID(index: 1, session: SessionID(rawValue: 9_100 + $0)) }
        answer(&bus, .job(far), strangers.map { row($0) })
        #expect((1...3).contains(bus.machine.tables["sessions of the fleet"] ?? 0))
    }

    @Test(
        "who follows a topic of another broker is told to ask again, a while after the last answer"
    )
    func renewed() throws {
        var bus = bus()
        bus.subscribe(.children(far, block: 0))
        func sequence() -> UInt64? {
            bus.published.last { $0.topic == .children(far, block: 0) }?.update.sequence
        }
        let first = try #require(sequence())
        bus.control(viewer, snapshot(.children(far, block: 0)))
        answer(&bus, .children(far, block: 0), [row(child)])
        #expect(chunks(bus).last?.sequence == first)
        bus.pass(1.1, hearing: [viewer, bridge])
        let second = try #require(sequence())
        #expect(second > first)
        let beats = bus.published.filter { $0.topic == .children(far, block: 0) }.map(\.update)
        #expect(beats.allSatisfy { $0.previous == $0.sequence })
        // The job's own row, which is told meanwhile, puts nothing off.
        bus.subscribe(.job(far))
        bus.control(viewer, snapshot(.job(far)))
        answer(&bus, .job(far), [row(far)])
        let before = bus.published.filter { $0.topic == .job(far) && $0.update.rows.isEmpty }
        for amount in 1...5 {
            say(&bus) {
                $0.rows = [row(far)]
                $0.rows[0].progress.completed = Int64(amount)
            }
            bus.pass(0.5, hearing: [viewer, bridge])
        }
        let after = bus.published.filter { $0.topic == .job(far) && $0.update.rows.isEmpty }
        #expect(after.count > before.count)
        // While it is read nobody begins anew.
        bus.control(viewer, snapshot(.children(far, block: 0)))
        let third = try #require(sequence())
        for _ in 0..<8 {
            bus.control(viewer, snapshot(.children(far, block: 0)))
            bus.pass(0.4, hearing: [viewer, bridge])
        }
        #expect(sequence() == third)
        say(&bus) { $0.unheard = 1_800_000_000 }
        bus.pass(3, hearing: [viewer, bridge])
        #expect(sequence() == third)
    }
}
