import BusProtocol
import SwiftProtobuf
import TaskTree
import Testing

@testable import BrokerCore

/// A script on one host, and a job of another.
@Suite("Scripts and jobs of other hosts") struct DetachedElsewhereTests {
    private let issuer = Client(1)
    private var ticket: TaskID { issuer.task(2) }
    private let connection = Route(bytes: [1, 200])

    /// A job at the owner with a ticket; scripts ask the agent.
    private func brokers() -> TwoBrokers {
        var fleet = TwoBrokers()
        fleet.owner.bus.issueTickets(of: issuer)
        // A broker that is young does not say that there is no such task.
        fleet.pass(3, [], [issuer])
        return fleet
    }

    /// Asks the agent until there is an answer, as a script does.
    private func ask(
        _ fleet: inout TwoBrokers,
        _ request: WireDetachedRequest,
        seconds: Double = 3
    ) -> WireDetachedAnswer? {
        let before = fleet.agent.bus.sent.count
        for _ in 0..<Int(seconds / 0.25) {
            _ = fleet.agent.bus.send(request)
            fleet.pass(0.25, [], [issuer])
            if let answer = fleet.agent.bus.answers(to: connection, since: before).first {
                return answer
            }
        }
        return nil
    }

    private func begin(_ fleet: inout TwoBrokers, _ script: inout Script) throws -> TaskID {
        let request = script.request(
            .begin(
                .with {
                    $0.title = "Render"
                    $0.parent = "\(ticket)"
                    $0.total = 4
                }
            )
        )
        let answer = try #require(ask(&fleet, request))
        #expect(answer.code == 0, "\(answer.sentence)")
        return try #require(answer.task.taskID())
    }

    private func progress(_ fleet: inout TwoBrokers, _ id: TaskID) throws -> WireRowProgress {
        let row = fleet.owner.bus.row(id, asking: fleet.owner.viewer)
        return try #require(row).progress
    }

    @Test("a script begins a task below a ticket of another host, and each request counts once")
    func wholeLife() throws {
        var fleet = brokers()
        var script = Script()
        let task = try begin(&fleet, &script)
        let advance = script.request(.advance(task, by: 3))
        for _ in 1...3 { #expect(ask(&fleet, advance)?.code == 0) }
        let atWork = try progress(&fleet, task)
        #expect(atWork.completed == 3 && atWork.total == 4 && atWork.state == .running)
        let job = try progress(&fleet, issuer.task(1))
        #expect(job.counts.running == 1)
        #expect(fleet.agent.bus.machine.tree.totals.tasks.sum == 0, "the owner counts it")
        #expect(ask(&fleet, script.request(.end(task, .succeeded)))?.code == 0)
        #expect(try progress(&fleet, task).state == .succeeded)
        let late = ask(&fleet, script.request(.advance(task)))
        #expect(late?.code == RefusalCode.taskEnded.rawValue)
        #expect(fleet.agent.bus.machine.tables["questions to the fleet"] == 0)
    }

    @Test("another host's script goes on with a task by its id, also after its broker began anew")
    func afterRestart() throws {
        var fleet = brokers()
        var script = Script()
        let task = try begin(&fleet, &script)
        fleet.restart(\.agent)
        fleet.pass(3, [], [issuer])
        #expect(ask(&fleet, script.request(.advance(task, by: 2)))?.code == 0)
        #expect(try progress(&fleet, task).completed == 2)
    }

    @Test("of what no host says that it has it, nothing is said but that")
    func nobodys() throws {
        var fleet = brokers()
        fleet.pass(5, [], [issuer])
        var script = Script()
        let answer = try #require(ask(&fleet, script.request(.advance(missing))))
        #expect(answer.code == RefusalCode.busy.rawValue)
        #expect(answer.sentence.contains("\(missing)"))
        #expect(fleet.agent.bus.machine.tables["questions to the fleet"] == 0)
    }

    @Test("a broker whose bridge has just begun leaves a script to ask again")
    func newBridge() throws {
        var fleet = brokers()
        var script = Script()
        let task = try begin(&fleet, &script)
        fleet.restart(\.agent)
        fleet.isConnected = false
        fleet.pass(1, [], [issuer])
        let advance = script.request(.advance(task, by: 2))
        #expect(ask(&fleet, advance, seconds: 2) == nil)
        fleet.isConnected = true
        #expect(ask(&fleet, advance)?.code == 0)
        #expect(try progress(&fleet, task).completed == 2)
    }

    @Test("where the answer is lost nothing is said, and what is asked again counts once")
    func lostAnswer() throws {
        var fleet = brokers()
        fleet.pass(5, [], [issuer])
        var script = Script()
        let task = try begin(&fleet, &script)
        fleet.areAnswersLost = true
        let advance = script.request(.advance(task, by: 2))
        #expect(ask(&fleet, advance, seconds: 3) == nil)
        fleet.areAnswersLost = false
        #expect(ask(&fleet, advance)?.code == 0)
        #expect(try progress(&fleet, task).completed == 2)
    }

    @Test("while the host is not heard nothing is said to be unknown, and an ending waits for it")
    func unheard() throws {
        var fleet = brokers()
        var script = Script()
        let task = try begin(&fleet, &script)
        fleet.isConnected = false
        fleet.pass(5, [], [issuer])
        let advance = try #require(ask(&fleet, script.request(.advance(task))))
        #expect(advance.code == RefusalCode.busy.rawValue && advance.sentence.contains("owner"))
        let unsure = try #require(ask(&fleet, script.request(.advance(missing))))
        #expect(unsure.code == RefusalCode.busy.rawValue, "\(unsure.sentence)")
        let file = try file(script.request(.end(task, .failed, "no paper")))
        collect(file, &fleet)
        #expect(fleet.agent.bus.spooled == [5: .later])
        fleet.isConnected = true
        fleet.pass(1, [], [issuer])
        for _ in 1...2 {
            collect(file, &fleet)
            #expect(fleet.agent.bus.spooled == [5: .taken])
            let ended = try progress(&fleet, task)
            #expect(ended.state == .failed && ended.reason == "no paper")
        }
    }

    @Test("a file of the spool that is read while its request is under way comes again")
    func fileMeanwhile() throws {
        var fleet = brokers()
        var script = Script()
        let task = try begin(&fleet, &script)
        fleet.areAnswersLost = true
        let end = script.request(.end(task, .succeeded))
        _ = fleet.agent.bus.send(end)
        try collect(file(end), &fleet)
        #expect(fleet.agent.bus.spooled == [5: .later])
        fleet.areAnswersLost = false
        fleet.pass(2, [], [issuer])
        try collect(file(end), &fleet)
        #expect(fleet.agent.bus.spooled == [5: .taken])
    }

    private var missing: TaskID { TaskID(index: 3, session: SessionID(rawValue: 12_345)) }

    private func collect(_ file: SpoolFile, _ fleet: inout TwoBrokers) {
        let now = fleet.agent.bus.now
        fleet.agent.bus.perform(fleet.agent.bus.machine.collect(file, number: 5, now: now))
        fleet.pass(1, [], [issuer])
    }

    private func file(_ request: WireDetachedRequest) throws -> SpoolFile {
        var frame = WireClientFrame()
        frame.credentialBytes = request.requestIDBytes
        frame.detached = request
        return try SpoolFile(decoding: SpoolFile.encode([frame]))
    }
}
