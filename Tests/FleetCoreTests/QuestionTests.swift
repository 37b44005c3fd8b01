import BusProtocol
import TaskTree
import Testing

@testable import FleetCore

@Suite("Questions between the bridges of a fleet") struct QuestionTests {
    private let far = TaskID(index: 1, session: SessionID(rawValue: 77))

    private func fleet() -> PlayedFleet {
        var fleet = PlayedFleet(hosts: 3)
        var row = WireRow()
        row.task = WireTaskRef(far)
        row.progress.begun = 1_700_000_000
        fleet.hosts[1].below = [row]
        fleet.pass(seconds: 2)
        return fleet
    }

    /// The broker of the first host asks that of the second.
    private func ask(
        _ fleet: inout PlayedFleet,
        waiting: Bool = true,
        _ build: (inout WireFleetQuestion) -> Void
    ) {
        var frame = WireBrokerFrame()
        frame.fleetQuestion.broker = 2
        build(&frame.fleetQuestion)
        fleet.receive(.frame(frame), at: 0)
        if waiting { fleet.pass(seconds: 0.2) }
    }

    private func askForJob(
        _ fleet: inout PlayedFleet,
        request: UInt64 = 5,
        waiting: Bool = true
    ) {
        ask(&fleet, waiting: waiting) {
            $0.snapshot.request = request
            $0.snapshot.topic = Topic.job(far).name
        }
    }

    @Test("a snapshot is asked of the other host alone, and comes back under the asker's number")
    func snapshot() throws {
        var fleet = fleet()
        askForJob(&fleet)
        let answer = try #require(fleet.hosts[0].answers.last)
        #expect(answer.broker == 2)
        #expect(answer.snapshot.request == 5)
        #expect(answer.snapshot.topic == Topic.job(far).name)
        #expect(answer.snapshot.rows.map(\.task) == [WireTaskRef(far)])
        #expect(fleet.hosts.map(\.asked.count) == [0, 1, 0])
        #expect(fleet.hosts[2].answers.isEmpty)
    }

    @Test("a command goes the same way")
    func command() throws {
        var fleet = fleet()
        ask(&fleet) {
            $0.command.request = 6
            $0.command.verb = .cancel
            $0.command.target = WireTaskRef(far)
        }
        let answer = try #require(fleet.hosts[0].answers.last)
        #expect(answer.commandResult.request == 6)
        #expect(answer.commandResult.outcome == .accepted)
    }

    @Test("what a script says goes the same way, however often, and is answered each time")
    func detached() throws {
        var fleet = fleet()
        fleet.hosts[1].known = [far]
        for _ in 1...2 {
            ask(&fleet) {
                $0.number = 7
                $0.detached.requestIDBytes = Array(1...16)
                $0.detached.advance.task = WireTaskRef(far)
                $0.detached.advance.by = 1
            }
            let answer = try #require(fleet.hosts[0].answers.last)
            #expect(answer.broker == 2 && answer.number == 7)
            #expect(answer.detached.task == WireTaskRef(far))
        }
        #expect(fleet.hosts[0].answers.count == 2)
        #expect(fleet.hosts.map(\.asked.count) == [0, 2, 0])
    }

    @Test("times of a host whose clock is wrong are those of the clock here")
    func clocks() throws {
        var fleet = fleet()
        fleet.hosts[1].clockAhead = 3_600
        fleet.pass(seconds: 3)
        askForJob(&fleet)
        let row = try #require(fleet.hosts[0].answers.last?.snapshot.rows.first)
        #expect(abs(row.progress.begun - (1_700_000_000 - 3_600)) < 3)
    }

    @Test("without NATS, and where the other broker is away, the answer says so at once")
    func unreached() throws {
        var fleet = fleet()
        fleet.receive(.disconnected, at: 0)
        askForJob(&fleet)
        let refusal = try #require(fleet.hosts[0].answers.last?.refusal)
        #expect(refusal.request == 5)
        #expect(refusal.code == RefusalCode.busy.rawValue)
        fleet.receive(.connected, at: 0)
        var who = WireBrokerFrame()
        who.who = WireWho()
        fleet.hosts[1].isSilent = true
        fleet.receive(.frame(who), at: 1)
        askForJob(&fleet, request: 7)
        #expect(fleet.hosts[0].answers.last?.refusal.request == 7)
    }

    @Test("who is asked too much says so, and has room again later")
    func bounded() {
        var fleet = fleet()
        fleet.hosts[1].isSilent = true
        for request in 1...1_001 as ClosedRange<UInt64> {
            askForJob(&fleet, request: request, waiting: false)
        }
        fleet.pass(seconds: 0.2)
        #expect(fleet.hosts[0].answers.map(\.refusal.request) == [1_001])
        fleet.pass(seconds: 6)
        fleet.hosts[1].isSilent = false
        fleet.pass(seconds: 2)
        askForJob(&fleet, request: 2_000)
        #expect(fleet.hosts[0].answers.last?.snapshot.request == 2_000)
    }

    @Test("all are asked who has a task, and the one that has it answers")
    func all() {
        var fleet = fleet()
        fleet.hosts[2].known = [far]
        ask(&fleet) {
            $0.broker = 0
            $0.find.request = 8
            $0.find.text = "id:\(far)"
        }
        #expect(fleet.hosts.map(\.asked.count) == [0, 1, 1])
        #expect(fleet.hosts[0].answers.map(\.broker) == [3])
        #expect(fleet.hosts[0].answers.first?.found.tasks.map(\.task) == [WireTaskRef(far)])
        fleet.receive(.disconnected, at: 0)
        ask(&fleet) {
            $0.broker = 0
            $0.find.request = 9
        }
        #expect(fleet.hosts[0].answers.count == 1)
    }

    @Test("an envelope reaches the broker that it is for alone, under the name of who sends it")
    func envelopes() {
        var fleet = fleet()
        var frame = WireBrokerFrame()
        frame.fleetSession.broker = 2
        frame.fleetSession.session = 77
        frame.fleetSession.frameBytes = [1, 2, 3]
        fleet.receive(.frame(frame), at: 0)
        fleet.pass(seconds: 0.2)
        #expect(fleet.hosts.map(\.envelopes.count) == [0, 1, 0])
        let envelope = fleet.hosts[1].envelopes.first
        #expect(envelope?.broker == 1 && envelope?.session == 77)
        #expect(envelope?.frameBytes == [1, 2, 3])
        var record = WireFleetRecord()
        record.broker = 3
        record.session = frame.fleetSession
        fleet.receive(.record(.message(.session, to: 3, from: 2), record, isStored: false), at: 0)
        fleet.pass(seconds: 0.2)
        #expect(fleet.hosts[0].envelopes.isEmpty)
    }

    @Test("an answer under another broker's name, or to another host, is not heard")
    func forged() {
        var fleet = fleet()
        var record = WireFleetRecord()
        record.broker = 3
        record.answer.broker = 2
        record.answer.found.request = 5
        fleet.receive(.record(.message(.answer, to: 3, from: 2), record, isStored: false), at: 0)
        #expect(fleet.hosts[0].answers.isEmpty)
        fleet.receive(.record(.message(.answer, to: 1, from: 3), record, isStored: false), at: 0)
        // The broker knows whom it has asked.
        #expect(fleet.hosts[0].answers.map(\.broker) == [3])
    }
}
