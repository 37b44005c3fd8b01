import BusProtocol
import TaskTree
import Testing

@testable import BrokerCore

/// What redeems a ticket of another host's again where an attempt here has failed, and a newer one is there.
@Suite("Former attempts at a ticket of another broker") struct FleetFormerAttemptTests {
    private let issuer = Client(1)
    private let worker = Client(2)
    private let second = Client(3)
    private let third = Client(4)
    /// At the owner.
    private let elsewhere = Client(5)
    private var ticket: TaskID { issuer.task(2) }
    private var former: WireDescription { worker.description(1, "Render", ticket: ticket) }

    /// An attempt at the agent has failed, and one at the owner runs.
    private func brokers() -> TwoBrokers {
        var fleet = TwoBrokers()
        fleet.owner.bus.issueTickets(of: issuer)
        for client in [worker, second, third] { fleet.agent.bus.control(client, client.hello) }
        redeem(worker, &fleet.agent.bus)
        pass(3, &fleet)
        fleet.agent.bus.control(worker, worker.endings(2, [worker.ending(former, .failed)]))
        pass(1, &fleet)
        fleet.owner.bus.control(elsewhere, elsewhere.hello)
        redeem(elsewhere, &fleet.owner.bus)
        pass(1, &fleet)
        return fleet
    }

    private func pass(_ seconds: Double, _ fleet: inout TwoBrokers) {
        fleet.pass(seconds, [worker, second, third], [issuer, elsewhere])
    }

    private func redeem(_ client: Client, _ bus: inout Bus) {
        bus.control(client, .redemption(of: ticket))
        bus.keyframe(client) { $0.descriptions = [client.description(1, "Render", ticket: ticket)] }
    }

    private func counts(_ fleet: inout TwoBrokers) throws -> WireCounts {
        let row = fleet.owner.bus.row(ticket, asking: fleet.owner.viewer)
        return try #require(row).progress.counts
    }

    @Test("a new attempt here while the owner is not heard is one, whatever else redeems it")
    func unheard() {
        var fleet = brokers()
        fleet.isConnected = false
        pass(1, &fleet)
        for client in [second, third] { redeem(client, &fleet.agent.bus) }
        pass(3, &fleet)
        let bindings = fleet.agent.bus.machine.tickets.bindings
        #expect(bindings[second.task(1)] == .holder(of: ticket, attempt: 2))
        #expect(bindings[third.task(1)] == .child(of: ticket))
    }

    @Test("a child of the newer attempt ends there, whatever the former one here says first")
    func child() throws {
        var fleet = brokers()
        let child = worker.description(2, "Helper", ticket: ticket)
        fleet.agent.bus.control(worker, .redemption(of: ticket, as: 2))
        fleet.agent.bus.report(worker) {
            $0.sequence = 3
            $0.descriptions = [child]
        }
        pass(5, &fleet)
        #expect(try counts(&fleet).running == 1)
        // A broker that remembers nothing hears of the child first.
        fleet.agent.bus = Bus(ownSession: SessionID(rawValue: 79))
        fleet.agent.carried = 0
        fleet.introduce()
        fleet.agent.bus.control(worker, worker.hello)
        for (index, kind) in [(2, .child), (1, .holder)] as [(UInt64, WireBindingKind)] {
            fleet.agent.bus.control(worker, .redemption(of: ticket, as: index, known: kind))
        }
        fleet.agent.bus.keyframe(worker, sequence: 4) { $0.descriptions = [former, child] }
        fleet.agent.bus.control(worker, worker.endings(5, [worker.ending(former, .failed)]))
        pass(8, &fleet)
        fleet.agent.bus.control(worker, worker.endings(6, [worker.ending(child, .succeeded)]))
        pass(3, &fleet)
        let counts = try counts(&fleet)
        #expect((counts.running, counts.succeeded) == (0, 1))
    }
}
