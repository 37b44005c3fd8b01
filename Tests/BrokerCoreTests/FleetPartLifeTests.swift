import BusProtocol
import TaskTree
import Testing

@testable import BrokerCore

/// What becomes of a part as its session, or others, come and go.
@Suite("The life of a part at another broker") struct FleetPartLifeTests {
    private let issuer = Client(1)
    private let worker = Client(2)
    private let second = Client(3)
    private var ticket: TaskID { issuer.task(2) }

    /// A job at the owner with so many tickets, from index 2 on.
    private func brokers(tickets: UInt64 = 1) -> TwoBrokers {
        var fleet = TwoBrokers()
        fleet.owner.bus.control(issuer, issuer.hello)
        fleet.owner.bus.report(issuer) {
            $0.sequence = 1
            $0.keyframe = 1
            $0.keyframeLast = true
            $0.descriptions = [issuer.description(1, "Film")]
            $0.descriptions += (2..<2 + tickets).map {
                issuer.description($0, "Scene", parent: issuer.task(1), isTicket: true)
            }
        }
        for client in [worker, second] { fleet.agent.bus.control(client, client.hello) }
        fleet.pass(0.5, [worker, second], [issuer])
        return fleet
    }

    private func redeem(_ bus: inout Bus, _ client: Client, tickets: UInt64 = 1) {
        for index in 1...tickets {
            var redeem = WireRedeem()
            redeem.index = index
            redeem.ticket = WireTaskRef(issuer.task(index + 1))
            bus.control(client, .redeem(redeem))
        }
        bus.report(client) {
            $0.sequence = 1
            $0.keyframe = 1
            $0.keyframeLast = true
            for index in 1...tickets {
                let ticket = issuer.task(index + 1)
                $0.descriptions.append(client.description(index, "Render", ticket: ticket))
                $0.add(index, completed: 0, total: 100)
            }
        }
    }

    /// A session says all that it has: one task.
    private func begin(_ task: WireDescription, of client: Client, _ bus: inout Bus) {
        bus.report(client) {
            $0.sequence = 1
            $0.keyframe = 1
            $0.keyframeLast = true
            $0.descriptions = [task]
        }
    }

    private func progress(_ fleet: inout TwoBrokers) throws -> WireRowProgress {
        let row = fleet.owner.bus.row(ticket, asking: fleet.owner.viewer)
        return try #require(row).progress
    }

    @Test("who has succeeded and left is no loss while others work on below it")
    func leavesEarly() throws {
        var fleet = brokers()
        redeem(&fleet.agent.bus, worker)
        begin(second.description(1, "Helper", parent: worker.task(1)), of: second, &fleet.agent.bus)
        fleet.pass(3, [worker, second], [issuer])
        let description = worker.description(1, "Render", ticket: ticket)
        let ending = worker.ending(description, .succeeded, completed: 100, total: 100)
        fleet.agent.bus.control(worker, worker.endings(2, [ending]))
        fleet.agent.bus.control(worker, .goodbye(WireGoodbye()))
        fleet.pass(15, [second], [issuer])
        let waits = try progress(&fleet)
        #expect(waits.state == .running && !waits.silent)
        let helper = second.description(1, "Helper", parent: worker.task(1))
        fleet.agent.bus.control(second, second.endings(2, [second.ending(helper, .succeeded)]))
        fleet.pass(3, [second], [issuer])
        let done = try progress(&fleet)
        #expect(done.state == .succeeded)
        fleet.pass(15, [second], [issuer])
        #expect(fleet.agent.bus.machine.tables["parts"] == 0)
    }

    @Test("what ends below a part while its host is not heard is known once it is")
    func endsUnheard() throws {
        var fleet = brokers()
        redeem(&fleet.agent.bus, worker)
        let helper = second.description(1, "Helper", parent: worker.task(1))
        begin(helper, of: second, &fleet.agent.bus)
        fleet.pass(3, [worker, second], [issuer])
        let description = worker.description(1, "Render", ticket: ticket)
        let ending = worker.ending(description, .succeeded, completed: 100, total: 100)
        fleet.agent.bus.control(worker, worker.endings(2, [ending]))
        fleet.pass(3, [worker, second], [issuer])
        let waits = try progress(&fleet)
        #expect(waits.state == .running && waits.note == "waiting for 1 child")
        fleet.isConnected = false
        fleet.pass(2, [worker, second], [issuer])
        fleet.agent.bus.control(second, second.endings(2, [second.ending(helper, .succeeded)]))
        fleet.pass(20, [worker, second], [issuer])
        let unheard = try progress(&fleet)
        #expect(unheard.state == .succeeded && unheard.counts.lost == 1, "its host may be gone")
        fleet.isConnected = true
        fleet.pass(4, [worker, second], [issuer])
        let done = try progress(&fleet)
        #expect(done.state == .succeeded && done.counts.succeeded == 1 && done.counts.lost == 0)
        fleet.pass(15, [worker, second], [issuer])
        #expect(fleet.agent.bus.machine.tables["parts"] == 0)
    }

    @Test("what has failed is told as failed by a broker that begins anew, and nothing else before")
    func failedBeforeRestart() throws {
        var fleet = brokers()
        let description = worker.description(1, "Render", parent: issuer.task(1))
        begin(description, of: worker, &fleet.agent.bus)
        fleet.pass(3, [worker, second], [issuer])
        fleet.isConnected = false
        let failed = worker.endings(2, [worker.ending(description, .failed)])
        fleet.agent.bus.control(worker, failed)
        fleet.pass(0.5, [worker, second], [issuer])
        fleet.agent.bus = fleet.agent.bus.restarted()
        fleet.agent.carried = 0
        fleet.introduce()
        fleet.agent.bus.control(worker, worker.hello)
        fleet.agent.bus.control(worker, failed)
        fleet.isConnected = true
        fleet.pass(12, [worker], [issuer])
        let row = fleet.owner.bus.row(worker.task(1), asking: fleet.owner.viewer)
        #expect(try #require(row).progress.state == .failed)
    }

    @Test("who takes over from one that has failed and lives on is the next attempt")
    func nextAttempt() throws {
        var fleet = brokers()
        redeem(&fleet.agent.bus, worker)
        fleet.pass(3, [worker, second], [issuer])
        let description = worker.description(1, "Render", ticket: ticket)
        fleet.agent.bus.control(worker, worker.endings(2, [worker.ending(description, .failed)]))
        redeem(&fleet.agent.bus, second)
        fleet.pass(4, [worker, second], [issuer])
        let row = fleet.owner.bus.row(ticket, asking: fleet.owner.viewer)
        let again = try #require(row)
        #expect(again.progress.state == .running && again.description_p.attempt == 2)
        #expect(again.description_p.process.pid == Int64(second.session.rawValue))
    }

    @Test("who redeems where a former attempt failed, while it runs elsewhere, is a child")
    func childAfterFailure() throws {
        var fleet = brokers()
        redeem(&fleet.agent.bus, worker)
        fleet.pass(3, [worker, second], [issuer])
        let description = worker.description(1, "Render", ticket: ticket)
        fleet.agent.bus.control(worker, worker.endings(2, [worker.ending(description, .failed)]))
        fleet.pass(3, [worker, second], [issuer])
        let holder = Client(5)
        fleet.owner.bus.control(holder, holder.hello)
        redeem(&fleet.owner.bus, holder)
        fleet.pass(3, [worker, second], [issuer, holder])
        redeem(&fleet.agent.bus, second)
        fleet.pass(6, [worker, second], [issuer, holder])
        fleet.agent.bus.report(second) {
            $0.sequence = 2
            $0.descriptions = [second.description(2, "Frame", parent: second.task(1))]
        }
        fleet.pass(15, [worker, second], [issuer, holder])
        let shown = try progress(&fleet)
        #expect(shown.counts.running == 2, "the child, and what is below it")
    }

    @Test("one that advances seldom is not called stalled for being told once a second")
    func seldom() throws {
        var fleet = brokers()
        redeem(&fleet.agent.bus, worker)
        for amount in 1...4 as ClosedRange<Int64> {
            fleet.pass(20, [worker, second], [issuer])
            fleet.agent.bus.report(worker) {
                $0.sequence = UInt64(amount) + 1
                $0.add(1, completed: amount, total: 100)
            }
        }
        fleet.pass(19, [worker, second], [issuer])
        let progress = try progress(&fleet)
        #expect(progress.completed == 4 && !progress.stalled)
    }

    @Test("all parts of a session are cancelled, however many")
    func many() throws {
        var fleet = brokers(tickets: 150)
        redeem(&fleet.agent.bus, worker, tickets: 150)
        fleet.pass(6, [worker, second], [issuer])
        var command = WireCommandRequest()
        command.request = 6
        command.verb = .cancel
        command.target = WireTaskRef(issuer.task(1))
        fleet.owner.bus.control(fleet.owner.viewer, .command(command))
        fleet.pass(0.3, [worker, second], [issuer])
        let asked = fleet.agent.bus.answers(to: worker).flatMap {
            if case .command(let delivery) = $0 { delivery.index } else { [UInt64]() }
        }
        #expect(Set(asked).count == 150)
    }

    @Test("what was lost below a lost part is not counted as running")
    func lostBelow() throws {
        var fleet = brokers()
        redeem(&fleet.agent.bus, worker)
        fleet.agent.bus.report(worker) {
            $0.sequence = 2
            $0.descriptions = (2...4).map {
                worker.description($0, "Frame", parent: worker.task(1))
            }
        }
        fleet.pass(3, [worker, second], [issuer])
        let before = try progress(&fleet)
        #expect(before.counts.running == 3)
        fleet.pass(14, [second], [issuer])
        let lost = try progress(&fleet)
        #expect(lost.state == .lost && lost.counts.running == 0)
    }
}
