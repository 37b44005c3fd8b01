import BusProtocol
import TaskTree
import Testing

@testable import BrokerCore

/// Who asks the broker of a job for what is below a part that another broker does.
@Suite("What is below a part of another broker") struct FleetPartListingTests {
    private let issuer = Client(1)
    private let worker = Client(2)

    /// A ticket of the owner, a job or a part of one, has been redeemed at the agent; below it is one task there.
    private func brokers(_ ticket: TaskID, isJob: Bool) -> TwoBrokers {
        var fleet = TwoBrokers()
        fleet.owner.bus.control(issuer, issuer.hello)
        fleet.owner.bus.keyframe(issuer) {
            let parent = isJob ? nil : issuer.task(1)
            $0.descriptions = [
                issuer.description(1, "Film"),
                issuer.description(2, "Scene", parent: parent, isTicket: true),
            ]
        }
        fleet.agent.bus.control(worker, worker.hello)
        fleet.agent.bus.control(worker, .redemption(of: ticket))
        fleet.agent.bus.keyframe(worker) {
            $0.descriptions = [
                worker.description(1, "Render", ticket: ticket),
                worker.description(2, "Frame", parent: worker.task(1)),
            ]
        }
        fleet.pass(3, [worker], [issuer])
        return fleet
    }

    private func rows(_ topic: Topic, _ fleet: inout TwoBrokers) throws -> [WireRow] {
        try chunk(topic, &fleet).rows
    }

    /// A topic, as the owner's viewer is answered in time.
    private func chunk(_ topic: Topic, _ fleet: inout TwoBrokers) throws -> WireSnapshotChunk {
        var request = WireSnapshotRequest()
        request.request = 5
        request.topic = topic.name
        fleet.owner.bus.control(fleet.owner.viewer, .snapshot(request))
        fleet.pass(1.7, [worker], [issuer])
        let chunks = fleet.owner.bus.answers(to: fleet.owner.viewer).compactMap {
            if case .snapshot(let chunk) = $0, chunk.topic == topic.name { chunk } else { nil }
        }
        return try #require(chunks.last)
    }

    @Test(
        "the part says that another broker does it, and its own topic has it and what is below it"
    )
    func part() throws {
        let ticket = issuer.task(2)
        var fleet = brokers(ticket, isJob: false)
        let job = try rows(.job(issuer.task(1)), &fleet)
        #expect(job.map(\.description_p.title) == ["Film", "Render"])
        #expect(job.map(\.description_p.elsewhere) == [false, true])
        let part = try rows(.job(ticket), &fleet)
        #expect(part.map(\.description_p.title) == ["Frame"])
        #expect(part.map(\.description_p.depth) == [2])
        #expect(part.allSatisfy { $0.description_p.job.taskID() == issuer.task(1) })
    }

    @Test("of a job that another broker does there is the job alone, and nobody else is asked")
    func job() throws {
        let ticket = issuer.task(2)
        var fleet = brokers(ticket, isJob: true)
        fleet.isConnected = false
        let rows = try rows(.job(ticket), &fleet)
        #expect(rows.map(\.description_p.title) == ["Render"])
        #expect(rows[0].description_p.slot == 2 && !rows[0].description_p.elsewhere)
    }

    @Test(
        "where the other broker does not answer, is not heard or there is no bridge, nothing is below it",
        arguments: 0..<3
    )
    func unheard(trouble: Int) throws {
        let ticket = issuer.task(2)
        var fleet = brokers(ticket, isJob: false)
        fleet.areAnswersLost = true
        if trouble == 1 { fleet.isConnected = false }
        fleet.pass(1, [worker], [issuer])
        if trouble == 2 { fleet.owner.bus.control(fleet.owner.bridge, .goodbye(WireGoodbye())) }
        let chunk = try chunk(.job(ticket), &fleet)
        #expect(chunk.rows.isEmpty && chunk.unheard && chunk.last)
    }
}
