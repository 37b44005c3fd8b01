import BrokerCore
import BusProtocol
import TaskTree
import Testing

/// Every table has a bound, and is empty when everybody has left.
@Suite("Tables") struct TableTests {
    let worker = Client(1)
    let other = Client(3)
    let viewer = Client(2, viewer: true)

    private func bus(_ change: (inout CoreConfiguration) -> Void = { _ in }) -> Bus {
        var configuration = CoreConfiguration()
        change(&configuration)
        var bus = Bus(configuration: configuration)
        for client in [worker, other, viewer] { bus.control(client, client.hello) }
        return bus
    }

    private func refusals(of client: Client, in bus: Bus) -> [RefusalCode] {
        bus.answers(to: client).compactMap {
            if case .refusal(let it) = $0 { RefusalCode(rawValue: it.code) } else { nil }
        }
    }

    @Test("what is said of undescribed tasks counts as tasks, and leaves with its session")
    func undescribed() {
        var bus = bus { $0.tasksPerSession = 100 }
        let before = bus.machine.tables
        for sequence in 1...10 as ClosedRange<UInt64> {
            bus.report(worker) { report in
                report.sequence = sequence
                for index in (sequence * 1_000)..<(sequence * 1_000 + 100) {
                    report.add(index, completed: 1)
                    report.detailIndex.append(index + 100)
                    report.detail.append("detail")
                    report.clockIndex.append(index + 200)
                    report.elapsed.append(1)
                    report.active.append(1)
                    report.sinceAdvance.append(1)
                    var change = WireStateChange()
                    change.index = index + 300
                    report.states.append(change)
                }
            }
            let ticket = TaskID(index: sequence, session: SessionID(rawValue: 5))
            bus.control(worker, .redemption(of: ticket, as: sequence * 1_000 + 500))
            var fold = WireFold()
            fold.parent = WireTaskRef(worker.task(sequence * 1_000 + 600))
            var endings = WireEndings()
            endings.sequence = sequence
            endings.folds = [fold]
            bus.control(worker, .endings(endings))
        }
        #expect(bus.machine.tables["records of the tree", default: 0] <= 200)
        bus.control(worker, .goodbye(WireGoodbye()))
        bus.pass(2)
        var after = bus.machine.tables
        for name in ["sessions", "credentials", "admissions", "routes"] {
            after[name, default: 0] += 1
        }
        #expect(after.filter { $0.key != "timers" } == before.filter { $0.key != "timers" })
    }

    @Test("what is removed twice, folded late or forgotten makes no room beyond the quota")
    func quotaStays() {
        var bus = bus { $0.tasksPerSession = 10 }
        for round in 1...5 as ClosedRange<UInt64> {
            bus.report(worker) { report in
                report.sequence = 10 * round
                report.descriptions = [worker.description(1, "Job")]
                report.descriptions += (2...30).map {
                    worker.description(100 * round + $0, "Child", parent: worker.task(1))
                }
            }
            var fold = WireFold()
            fold.parent = WireTaskRef(worker.task(1))
            fold.removed = (2...10).flatMap { [100 * round + $0, 100 * round + $0] }
            for sequence in [10 * round + 1, 10 * round + 1, 10 * round - 5] {
                var endings = WireEndings()
                endings.sequence = sequence
                endings.folds = [fold]
                bus.control(worker, .endings(endings))
            }
            for keyframe in 1...3 as ClosedRange<UInt64> {
                bus.report(worker) {
                    $0.sequence = 10 * round + 1 + keyframe
                    $0.keyframe = UInt32(keyframe)
                    $0.keyframeLast = true
                    $0.descriptions = [worker.description(1, "Job")]
                }
            }
            bus.pass()
            #expect(bus.machine.tables["tasks"] == 1)
        }
        bus.report(worker) { report in
            report.sequence = 1_000
            report.descriptions = (2...30).map {
                worker.description(1_000 + $0, "Child", parent: worker.task(1))
            }
        }
        bus.pass()
        #expect(bus.machine.tables["tasks"] == 10)
    }

    @Test("a process may have as many tasks as there is room left for others")
    func fairShare() {
        var bus = bus { $0.tasks = 120 }
        for client in [worker, other] {
            bus.control(client, peer: Int32(client.session.rawValue), client.hello)
            bus.report(client) { report in
                report.sequence = 1
                report.descriptions = (1...200).map { client.description($0, "Job \($0)") }
            }
        }
        bus.pass()
        #expect(bus.machine.tables["tasks"] == 90)
        #expect(refusals(of: worker, in: bus) == [.quotaTasks])
        #expect(refusals(of: other, in: bus) == [.quotaTasks])
    }

    @Test("the sessions of one process share what one may have, and give it back")
    func fairShareOfProcesses() {
        var bus = bus { $0.tasks = 120 }
        let crowd = (10...29).map { Client($0) }
        for client in crowd {
            bus.control(client, peer: 77, client.hello)
            bus.report(client) { report in
                report.sequence = 1
                report.amountIndex = Array(1...10)
                report.completed = Array(repeating: 1, count: 10)
                report.total = Array(repeating: 2, count: 10)
            }
        }
        let honest = Client(30)
        bus.control(honest, peer: 78, honest.hello)
        bus.report(honest) { report in
            report.sequence = 1
            report.descriptions = (1...20).map { honest.description($0, "Job \($0)") }
        }
        bus.pass()
        #expect(refusals(of: honest, in: bus).isEmpty)
        #expect(bus.machine.tables["records of the tree"] == 80)
        for client in crowd { bus.control(client, .goodbye(WireGoodbye())) }
        bus.pass()
        #expect(bus.machine.tables["records of the tree"] == 20)
        #expect(bus.machine.tables["owners in the tree"] == 1)
    }

    @Test("reports before a hello are kept nowhere")
    func earlyReports() {
        var bus = bus { _ in }
        let tables = bus.machine.tablesInUse
        for client in (10...29).map({ Client($0) }) {
            bus.report(client) {
                $0.sequence = 1
                $0.descriptions = [client.description(1, "Early")]
            }
        }
        bus.pass()
        #expect(bus.machine.tablesInUse == tables)
    }

    @Test("snapshots under way are bounded for a session, over whatever connections it asks")
    func listings() {
        var bus = bus {
            $0.listingsPerSession = 3
            $0.rowsPerChunk = 2
        }
        bus.report(worker) { report in
            report.sequence = 1
            report.descriptions = (1...10).map {
                worker.description($0, "x", parent: $0 == 1 ? nil : worker.task(1))
            }
        }
        bus.pass()
        var roaming = viewer
        for number in 0...99 as ClosedRange<UInt8> {
            roaming.route = Route(bytes: [9, number])
            var request = WireSnapshotRequest()
            request.request = 1
            request.topic = Topic.job(worker.task(1)).name
            bus.control(roaming, .snapshot(request))
        }
        #expect((1...60).contains(bus.machine.tables["listings", default: 0]))
        #expect(bus.rows(of: .job(worker.task(1)), asking: viewer).count == 10)
        bus.control(viewer, .goodbye(WireGoodbye()))
        #expect(bus.machine.tables["listings"] == 0)
    }

    @Test("a chunk of a snapshot can be asked for once more, one before it cannot")
    func repeatedChunk() {
        var bus = bus { $0.rowsPerChunk = 2 }
        bus.report(worker) { report in
            report.sequence = 1
            report.descriptions = (1...10).map {
                worker.description($0, "x", parent: $0 == 1 ? nil : worker.task(1))
            }
        }
        bus.pass()
        var cursors: [[UInt8]] = [[]]
        for _ in 0..<3 {
            bus.control(viewer, request(worker.task(1), cursors[cursors.count - 1]))
            guard case .snapshot(let chunk)? = bus.answers(to: viewer).last else { break }
            cursors.append(chunk.cursorBytes)
        }
        bus.control(viewer, request(worker.task(1), cursors[2]))
        guard case .snapshot(let again)? = bus.answers(to: viewer).last else {
            Issue.record("no chunk")
            return
        }
        #expect(again.rows.map(\.task.index) == [5, 6])
        bus.control(viewer, request(worker.task(1), cursors[1]))
        #expect(refusals(of: viewer, in: bus) == [.staleCursor])
    }

    private func request(_ job: TaskID, _ cursor: [UInt8]) -> WireClientFrame.OneOf_Body {
        var request = WireSnapshotRequest()
        request.request = 1
        request.topic = Topic.job(job).name
        request.cursorBytes = cursor
        return .snapshot(request)
    }

    @Test("hellos in masses set no more timers than one")
    func repeatedHellos() {
        var bus = bus()
        bus.pass()
        let before = bus.machine.tables["timers", default: 0]
        for number in 0..<1_000 {
            var roaming = worker
            roaming.route = Route(bytes: [8, UInt8(number % 200)])
            bus.control(roaming, roaming.hello)
        }
        bus.pass()
        #expect(bus.machine.tables["timers", default: 0] <= before)
    }

    @Test("one connection has as many sessions as it may, and others come by other connections")
    func sessionsPerConnection() {
        var bus = bus { $0.sessionsPerConnection = 5 }
        for number in 10...29 as ClosedRange<UInt8> {
            var client = Client(number)
            client.route = Route(bytes: [7])
            bus.control(client, client.hello)
        }
        #expect(bus.machine.tables["sessions"] == 8)
        #expect(bus.machine.tables["admissions"] == 8)
        var first = Client(10)
        first.route = Route(bytes: [7])
        // Who is there already may say hello again, and who leaves makes room.
        bus.control(first, first.hello)
        bus.control(first, .goodbye(WireGoodbye()))
        var last = Client(30)
        last.route = Route(bytes: [7])
        bus.control(last, last.hello)
        #expect(bus.machine.tables["sessions"] == 8)
        #expect(bus.answers(to: last).contains { if case .welcome = $0 { true } else { false } })
        bus.control(Client(31), Client(31).hello)
        #expect(bus.machine.tables["sessions"] == 9)
    }

    @Test("who is there comes back over another connection although there is no room for others")
    func reconnection() {
        var bus = bus {
            $0.sessions = 3
            $0.sessionsPerProcess = 1
        }
        bus.control(worker, peer: 4_711, worker.hello)
        var roaming = worker
        roaming.route = Route(bytes: [7])
        bus.control(roaming, peer: 4_711, roaming.hello)
        #expect(refusals(of: roaming, in: bus).isEmpty)
        bus.control(Client(10), Client(10).hello)
        #expect(refusals(of: Client(10), in: bus) == [.busy])
        #expect(bus.machine.tables["admissions"] == 3)
    }

    @Test("one process has as many sessions as it may, by whatever connections")
    func sessionsPerProcess() {
        var bus = bus { $0.sessionsPerProcess = 4 }
        for number in 10...29 as ClosedRange<UInt8> {
            bus.control(Client(number), peer: 4_711, Client(number).hello)
        }
        #expect(bus.machine.tables["sessions"] == 7)
        bus.control(Client(30), peer: 4_712, Client(30).hello)
        #expect(bus.machine.tables["sessions"] == 8)
    }

    @Test("refused hellos are one line of log a second, with their count")
    func refusalLog() {
        var bus = bus { $0.sessionsPerConnection = 1 }
        for number in 10...59 as ClosedRange<UInt8> {
            var client = Client(number)
            client.route = worker.route
            bus.control(client, client.hello)
        }
        bus.pass(2)
        #expect(bus.logged.filter { $0 == "refused" }.count == 1)
    }

    @Test("who has tasks stays a worker, whatever its next hello says")
    func noViewerAfterAll() {
        var bus = bus()
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [worker.description(1, "Job")]
        }
        guard case .hello(var hello) = worker.hello else { return }
        hello.viewer = true
        bus.control(worker, .hello(hello))
        bus.pass(12, hearing: [viewer])
        #expect(bus.row(worker.task(1), asking: viewer)?.progress.state == .lost)
    }

    @Test("what is remembered of those that have left stays within its bounds")
    func memories() {
        var bus = bus {
            $0.linger = 0.1
            $0.detachedRequests = 8
            $0.departedSessions = 4
            $0.sessionsPerConnection = 10_000
        }
        var script = Script()
        for number in 1...1_100 as ClosedRange<UInt64> {
            let id = SessionID(rawValue: 1_000 + number)
            var client = Client(session: id, credential: .random())
            client.route = Route(bytes: [7])
            bus.control(client, client.hello)
            let job = client.description(1, "Job \(number)")
            bus.control(client, client.endings(1, [client.ending(job, .succeeded)]))
            bus.control(client, .goodbye(WireGoodbye()))
            var begin = WireDetachedBegin()
            begin.title = "Detached \(number)"
            _ = bus.ask(&script, .begin(begin))
            _ = bus.ask(&script, .end(Script.task(number)))
            if number % 20 == 0 { bus.pass(0.2, hearing: [worker, other, viewer]) }
        }
        bus.pass(1, hearing: [worker, other, viewer])
        #expect(bus.machine.memories["requests about detached tasks"] == 8)
        #expect((4...8).contains(bus.machine.memories["departed sessions", default: 0]))
        #expect(bus.machine.memories["keys with slots"] == 1_000)
        #expect(bus.machine.tables["sessions"] == 3)
        #expect(bus.machine.tables["detached tasks"] == 0)
    }

    @Test("a look at a task that is due in many years does not outlast the task")
    func distantLooks() {
        var bus = bus { $0.linger = 0.1 }
        var patient = worker.description(1, "Patient")
        patient.expectedGap = ProtocolLimits.maxExpectedGap
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [patient]
        }
        bus.pass()
        #expect(bus.machine.tables["looks"] == 1)
        bus.control(worker, worker.endings(2, [worker.ending(patient, .succeeded)]))
        bus.pass(2, hearing: [worker, other, viewer])
        #expect(bus.machine.tables["tasks"] == 0)
        #expect(bus.machine.tables["looks"] == 0)
    }

    @Test("when everybody has left and nothing is shown, every table is empty")
    func empty() {
        var bus = bus { $0.linger = 0.1 }
        let third = Client(4)
        bus.control(third, third.hello)
        bus.report(worker) {
            $0.sequence = 1
            $0.descriptions = [
                worker.description(1, "Job"),
                worker.description(2, "Ticket", parent: worker.task(1), isTicket: true),
                worker.description(3, "Never begun", parent: worker.task(1), isTicket: true),
                worker.description(4, "Child", parent: worker.task(1)),
            ]
            $0.add(9, completed: 1)
        }
        var redeem = WireRedeem()
        redeem.index = 1
        redeem.ticket = WireTaskRef(worker.task(2))
        for client in [other, third] {
            bus.control(client, .redeem(redeem))
            bus.report(client) {
                $0.sequence = 1
                $0.descriptions = [
                    client.description(1, "Redeemed", ticket: worker.task(2)),
                    client.description(
                        2,
                        "Orphan",
                        parent: TaskID(index: 5, session: viewer.session)
                    ),
                    client.description(3, "Circle", parent: client.task(4)),
                    client.description(4, "Circle", parent: client.task(3)),
                ]
            }
        }
        for topic: Topic in [.totals, .job(worker.task(1)), .board(page: 0)] {
            bus.subscribe(topic)
        }
        bus.pass(11, hearing: [worker, other, third, viewer])
        var command = WireCommandRequest()
        command.request = 1
        command.verb = .cancel
        command.target = WireTaskRef(worker.task(1))
        bus.control(viewer, .command(command))
        for client in [other, third] { bus.control(client, .goodbye(WireGoodbye())) }
        let job = worker.description(1, "Job")
        bus.control(worker, worker.endings(2, [worker.ending(job, .succeeded)]))
        bus.control(worker, .goodbye(WireGoodbye()))
        bus.pass(2)
        for topic: Topic in [.totals, .job(worker.task(1)), .board(page: 0)] {
            bus.perform(
                bus.machine.subscriptionChanged(
                    topic: Array(topic.name.utf8),
                    subscribed: false,
                    now: bus.now
                )
            )
        }
        bus.pass(70, hearing: [viewer])
        command.verb = .dismiss
        for row in bus.rows(of: .board(page: 0), asking: viewer) {
            command.target = row.task
            bus.control(viewer, .command(command))
        }
        bus.control(viewer, .goodbye(WireGoodbye()))
        bus.pass(70)
        #expect(bus.machine.tablesInUse == [:])
    }
}
