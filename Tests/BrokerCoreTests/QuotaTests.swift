import BrokerCore
import BusProtocol
import TaskTree
import Testing

/// What one session may have, and what the broker holds: at the limit taken, above it refused in
/// words that name it, and nobody else is touched.
@Suite("Quotas") struct QuotaTests {
    let worker = Client(1)
    let other = Client(3)
    let viewer = Client(2, viewer: true)

    private func bus(_ change: (inout CoreConfiguration) -> Void) -> Bus {
        var configuration = CoreConfiguration()
        change(&configuration)
        var bus = Bus(configuration: configuration)
        for client in [worker, other, viewer] { bus.control(client, client.hello) }
        return bus
    }

    private func refusals(_ bus: Bus, to client: Client) -> [WireRefusal] {
        bus.answers(to: client).compactMap {
            if case .refusal(let refusal) = $0 { refusal } else { nil }
        }
    }

    /// A job and tasks below it, in one report.
    private func begin(_ count: UInt64, on bus: inout Bus, titles: String = "x") {
        bus.report(worker) { report in
            report.sequence = 1
            report.descriptions = (1...count).map { index in
                worker.description(index, titles, parent: index == 1 ? nil : worker.task(1))
            }
        }
        bus.pass()
    }

    @Test("a refusal is said once a second to each session, and always counted")
    func oncePerSecond() {
        var bus = bus { $0.tasksPerSession = 1 }
        for client in [worker, other] {
            bus.report(client) {
                $0.sequence = 1
                $0.descriptions = (1...4).map { client.description($0, "x") }
            }
        }
        #expect(refusals(bus, to: worker).map(\.index) == [2])
        #expect(refusals(bus, to: other).map(\.index) == [2])
        bus.pass(0.5)
        bus.report(worker) {
            $0.sequence = 2
            $0.descriptions = [worker.description(5, "x")]
        }
        #expect(refusals(bus, to: worker).map(\.index) == [2])
        bus.pass(0.6)
        for index in [6, 7] as [UInt64] {
            bus.report(worker) {
                $0.sequence = index
                $0.descriptions = [worker.description(index, "x")]
            }
        }
        #expect(refusals(bus, to: worker).map(\.index) == [2, 6])
        #expect(refusals(bus, to: other).map(\.index) == [2])
    }

    @Test("tasks of one session: as many as allowed, not one more", arguments: [4, 5, 6])
    func tasks(count: Int) {
        var bus = bus { $0.tasksPerSession = 5 }
        begin(UInt64(count), on: &bus)
        let shown = bus.rows(of: .job(worker.task(1)), asking: viewer)
        #expect(shown.count == min(count, 5))
        let refusals = refusals(bus, to: worker)
        #expect(refusals.map(\.code) == (count > 5 ? [RefusalCode.quotaTasks.rawValue] : []))
        #expect(refusals.allSatisfy { $0.sentence.contains(" 5 ") && $0.index == 6 })

        bus.report(other) {
            $0.sequence = 1
            $0.descriptions = [other.description(1, "Other")]
        }
        bus.pass()
        #expect(bus.row(other.task(1), asking: viewer) != nil, "another session has its own quota")
        bus.report(worker) {
            $0.sequence = 2
            $0.amountIndex = [2]
            $0.completed = [7]
            $0.total = [9]
        }
        bus.pass()
        #expect(bus.row(worker.task(2), asking: viewer)?.progress.completed == 7, "what is known")
    }

    @Test("text of one session in a second", arguments: [99, 100, 101])
    func text(bytes: Int) {
        var bus = bus { $0.textPerSecond = 100 }
        begin(1, on: &bus, titles: String(repeating: "x", count: bytes))
        let refusals = refusals(bus, to: worker)
        #expect(refusals.map(\.code) == (bytes > 100 ? [RefusalCode.quotaText.rawValue] : []))
        #expect(refusals.allSatisfy { $0.sentence.contains(" 100 ") })
        #expect((bus.row(worker.task(1), asking: viewer) == nil) == (bytes > 100))
        bus.pass(1)
        bus.report(worker) {
            $0.sequence = 2
            $0.descriptions = [worker.description(2, "Later")]
        }
        bus.pass()
        #expect(bus.row(worker.task(2), asking: viewer) != nil, "in the next second")
    }

    @Test("sessions", arguments: [4, 5, 6])
    func sessions(count: Int) {
        // Three are there.
        var bus = bus { $0.sessions = 5 }
        let more = (4...count).map { Client(UInt8($0)) }
        for client in more { bus.control(client, client.hello) }
        let refused = more.filter { !refusals(bus, to: $0).isEmpty }
        #expect(refused.count == max(0, count - 5))
        for client in refused {
            #expect(refusals(bus, to: client).first?.code == RefusalCode.busy.rawValue)
            #expect(refusals(bus, to: client).first?.sentence.contains(" 5 ") == true)
        }
    }

    @Test("sessions that have left, their tasks shown: nobody's room, up to a limit")
    func knownSessions() {
        var bus = bus {
            $0.sessions = 4
            $0.knownSessions = 6
        }
        let more = (4...7).map { Client(UInt8($0)) }
        for client in more {
            bus.control(client, peer: Int32(client.session.rawValue), client.hello)
            leave(client, in: &bus)
        }
        let refused = more.filter { !refusals(bus, to: $0).isEmpty }
        #expect(refused.map(\.session) == [more[3].session])
        #expect(refusals(bus, to: more[3]).first?.sentence.contains(" 6 ") == true)
    }

    /// Says goodbye with a child of the worker's job left on the board.
    private func leave(_ client: Client, in bus: inout Bus) {
        bus.report(client) {
            $0.sequence = 1
            $0.descriptions = [client.description(1, "Left", parent: worker.task(1))]
        }
        bus.control(client, .goodbye(WireGoodbye()))
        bus.pass(1.1, hearing: [worker, other, viewer])
    }

    @Test("a process that leaves sessions without end has room for those of others, a viewer's too")
    func knownSessionsOfProcess() {
        var bus = bus { $0.knownSessions = 23 }
        begin(1, on: &bus)
        let crowd = (10...39).map { Client(UInt8($0)) }
        for client in crowd {
            bus.control(client, peer: 77, client.hello)
            leave(client, in: &bus)
        }
        #expect(crowd.filter { refusals(bus, to: $0).isEmpty }.count == 10)
        let late = Client(50, viewer: true)
        bus.control(late, peer: 78, late.hello)
        #expect(refusals(bus, to: late).isEmpty)
        var command = WireCommandRequest()
        command.request = 1
        command.verb = .cancel
        command.target = WireTaskRef(worker.task(1))
        bus.control(late, .command(command))
        bus.control(worker, .goodbye(WireGoodbye()))
        bus.pass(20, hearing: [other, viewer, late])
        command.verb = .dismiss
        bus.control(late, .command(command))
        bus.pass(1)
        #expect(bus.machine.tables["sessions"] == 3, "what leaves makes room")
        bus.control(crowd[29], peer: 77, crowd[29].hello)
        #expect(refusals(bus, to: crowd[29]).count == 1, "no further one")
    }

    @Test("commands that wait for answers", arguments: [1, 2, 3])
    func commands(count: Int) {
        var bus = bus { $0.commands = 4 }
        begin(1, on: &bus)
        for number in 1...count {
            var command = WireCommandRequest()
            command.request = UInt64(number)
            command.verb = .cancel
            command.target = WireTaskRef(worker.task(1))
            bus.control(viewer, .command(command))
        }
        let refusals = refusals(bus, to: viewer)
        #expect(refusals.map(\.request) == (count > 2 ? [3] : []))
        #expect(refusals.allSatisfy { $0.sentence.hasPrefix("2 ") })
    }

    @Test("log lines: who has no room loses the oldest of the same job, and others have room")
    func logBytes() {
        var bus = bus { $0.logBytes = 100_000 }
        for client in [worker, other] {
            let peer = Int32(client.session.rawValue)
            bus.control(client, peer: peer, client.hello)
            bus.report(client) { report in
                report.sequence = 1
                report.descriptions = (1...100).map { client.description($0, "Job \($0)") }
                for job in (1...100 as ClosedRange<UInt64>) {
                    for number in 1...10 {
                        var line = WireLogLine()
                        line.task = WireTaskRef(client.task(job))
                        line.text = "\(number)" + String(repeating: "x", count: 900)
                        report.logs.append(line)
                    }
                }
            }
            bus.pass()
        }
        let bytes = bus.machine.tables["bytes of messages", default: 0]
        #expect(bytes > 70_000 && bytes < 102_000)
        #expect(refusals(bus, to: worker).map(\.code) == [RefusalCode.quotaText.rawValue])
        bus.report(other) { report in
            report.sequence = 2
            var line = WireLogLine()
            line.task = WireTaskRef(other.task(1))
            line.text = "new"
            report.logs = [line]
        }
        bus.subscribe(.log(other.task(1)))
        bus.pass()
        let update = bus.published.last { $0.topic == .log(other.task(1)) }?.update
        #expect(update?.logs.last?.text == "new")
        for client in [worker, other] { bus.control(client, .goodbye(WireGoodbye())) }
        bus.pass(1, hearing: [viewer])
        for client in [worker, other] {
            for job in 1...100 as ClosedRange<UInt64> {
                var command = WireCommandRequest()
                command.request = job
                command.verb = .dismiss
                command.target = WireTaskRef(client.task(job))
                bus.control(viewer, .command(command))
                bus.pass(0.05, hearing: [viewer])
            }
        }
        #expect(bus.machine.tables["bytes of messages"] == 0)
        #expect(bus.machine.tables["jobs with messages"] == 0)
    }

    @Test("log lines of who has more than its share by now: a new one replaces the oldest")
    func crowdedLog() {
        var bus = bus { $0.logBytes = 40_000 }
        func write(_ count: Int, of client: Client, to job: UInt64, sequence: UInt64) {
            bus.report(client) { report in
                report.sequence = sequence
                report.descriptions = [client.description(job, "Job \(job)")]
                report.logs = (1...count).map { number in
                    var line = WireLogLine()
                    line.task = WireTaskRef(client.task(job))
                    line.text = "\(number)" + String(repeating: "x", count: 900)
                    return line
                }
            }
            bus.pass()
        }
        for client in [worker, other] {
            bus.control(client, peer: Int32(client.session.rawValue), client.hello)
        }
        for job in 1...5 as ClosedRange<UInt64> {
            write(4, of: worker, to: job, sequence: job)
        }
        write(10, of: other, to: 1, sequence: 1)
        write(1, of: worker, to: 1, sequence: 6)
        var request = WireSnapshotRequest()
        request.request = 1
        request.topic = Topic.log(worker.task(1)).name
        bus.control(viewer, .snapshot(request))
        guard case .snapshot(let chunk)? = bus.answers(to: viewer).last else {
            Issue.record("no snapshot")
            return
        }
        #expect(chunk.logs.map { $0.text.prefix(1) } == ["2", "3", "4", "1"])
        write(1, of: worker, to: 6, sequence: 7)
        #expect(refusals(bus, to: worker).map(\.code) == [RefusalCode.quotaText.rawValue])
        bus.control(viewer, .snapshot(request))
        guard case .snapshot(let same)? = bus.answers(to: viewer).last else { return }
        #expect(same.logs.count == chunk.logs.count, "another job of the same owner loses nothing")
    }

    @Test("levels below a job: the deepest is shown, one more is refused", arguments: [63, 64, 65])
    func depth(levels: Int) {
        var bus = bus { _ in }
        bus.report(worker) { report in
            report.sequence = 1
            report.descriptions = (0...levels).map { level in
                let index = UInt64(level + 1)
                let parent = level == 0 ? nil : worker.task(index - 1)
                return worker.description(index, "Level \(level)", parent: parent)
            }
        }
        // Longer than a task may wait for a parent nobody has heard of.
        bus.pass(12, hearing: [worker, viewer])
        let rows = bus.rows(of: .job(worker.task(1)), asking: viewer)
        #expect(rows.count == min(levels, 64) + 1)
        let refusals = refusals(bus, to: worker)
        #expect(refusals.map(\.code) == (levels > 64 ? [RefusalCode.tooDeep.rawValue] : []))
        #expect(refusals.allSatisfy { $0.sentence.contains("64") && $0.index == 66 })
        let orphans = bus.rows(of: .board(page: 0), asking: viewer)
            .filter { $0.description_p.orphan }
        #expect(orphans.count == (levels > 64 ? 1 : 0), "nothing is hidden for ever")
    }
}
