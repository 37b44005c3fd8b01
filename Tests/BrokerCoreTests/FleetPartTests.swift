import BusProtocol
import SwiftProtobuf
import TaskTree
import Testing

@testable import BrokerCore

/// A ticket of one broker is redeemed at another one.
@Suite("Parts of a job at another broker") struct FleetPartTests {
    private let issuer = Client(1)
    private let worker = Client(2)
    private let second = Client(3)
    private var job: TaskID { issuer.task(1) }
    private var ticket: TaskID { issuer.task(2) }

    /// With a job at the owner that has a ticket.
    private func brokers() -> TwoBrokers {
        var fleet = TwoBrokers()
        fleet.owner.bus.issueTickets(of: issuer)
        fleet.agent.bus.control(worker, worker.hello)
        fleet.agent.bus.control(second, second.hello)
        fleet.pass(0.5, [worker, second], [issuer])
        return fleet
    }

    /// The broker of the job is killed, and begins again with what it has on disk.
    private func restartOwner(_ fleet: inout TwoBrokers) {
        fleet.restart(\.owner)
        fleet.owner.bus.issueTickets(of: issuer, sequence: 2)
    }

    /// The worker redeems the ticket at this broker, under this index.
    private func redeem(_ bus: inout Bus, _ client: Client, index: UInt64 = 1) {
        bus.control(client, .redemption(of: ticket, as: index))
        bus.keyframe(client) {
            $0.descriptions = [client.description(index, "Render", ticket: ticket)]
            $0.add(index, completed: 0, total: 4)
        }
    }

    private func advance(_ bus: inout Bus, to completed: Int64, sequence: UInt64) {
        bus.report(worker) {
            $0.sequence = sequence
            $0.add(1, completed: completed, total: 4)
        }
    }

    /// A task as the owner's viewers see it.
    private func row(_ fleet: inout TwoBrokers, _ id: TaskID) throws -> WireRow {
        let row = fleet.owner.bus.row(id, asking: fleet.owner.viewer)
        return try #require(row)
    }

    private func pass(_ fleet: inout TwoBrokers, _ seconds: Double) {
        fleet.pass(seconds, [worker, second], [issuer])
    }

    @Test("it is in the tree of the job, and on no board of its own")
    func inTree() throws {
        var fleet = brokers()
        redeem(&fleet.agent.bus, worker)
        pass(&fleet, 2)
        advance(&fleet.agent.bus, to: 3, sequence: 2)
        pass(&fleet, 0.3)
        let row = try row(&fleet, ticket)
        #expect(row.progress.state == .running)
        #expect(row.progress.fraction == 0.75)
        #expect(row.description_p.title == "Render")
        #expect(row.description_p.process.pid == Int64(worker.session.rawValue))
        let page = Topic.board(page: 0)
        let board = fleet.agent.bus.rows(of: page, asking: fleet.agent.viewer)
        #expect(board.isEmpty)
        let totals = fleet.agent.bus.machine.tree.totals
        #expect(totals.tasks.sum == 0, "the owner counts it")
    }

    @Test("what is below it makes the same numbers as at one broker")
    func sums() throws {
        var fleet = brokers()
        var alone = Bus()
        alone.issueTickets(of: issuer)
        alone.control(worker, worker.hello)
        func work(_ bus: inout Bus) {
            redeem(&bus, worker)
            bus.report(worker) {
                $0.sequence = 2
                $0.descriptions = (2...5).map {
                    worker.description($0, "Frame", parent: worker.task(1), share: Int64($0))
                }
                var part = worker.description(1, "Render", ticket: ticket)
                part.expectedChildren = 6
                $0.descriptions += [part, worker.description(6, "Tile", parent: worker.task(5))]
                for index in 2...5 as ClosedRange<UInt64> { $0.add(index, completed: 1, total: 3) }
                $0.add(1, completed: 0, total: -1)
            }
            bus.control(
                worker,
                worker.endings(
                    3,
                    [
                        worker.ending(
                            worker.description(2, "Frame", parent: worker.task(1), share: 2),
                            .failed,
                            completed: 1,
                            total: 3
                        )
                    ]
                )
            )
            // It has ended, and waits for its three children: what is below these is not said of it.
            let part = worker.description(1, "Render", ticket: ticket)
            bus.control(worker, worker.endings(4, [worker.ending(part, .succeeded)]))
        }
        work(&fleet.agent.bus)
        work(&alone)
        pass(&fleet, 3)
        alone.pass(0.5)
        for id in [ticket, job] {
            let there = try row(&fleet, id).progress
            let single = alone.row(id, asking: issuer)
            let here = try #require(single).progress
            #expect(there.fraction == here.fraction, "\(id)")
            #expect(there.counts == here.counts, "\(id)")
            #expect(there.attention == here.attention, "\(id)")
            #expect(there.note == here.note, "\(id)")
            let load = fleet.owner.bus.machine.tree.view(id)?.load
            #expect(load == alone.machine.tree.view(id)?.load, "\(id)")
        }
    }

    @Test("whose it is says the broker of the session that has described it, and no other")
    func whose() {
        var fleet = brokers()
        redeem(&fleet.agent.bus, worker)
        pass(&fleet, 2)
        let part = worker.task(1)
        for (name, owner) in [(part, fleet.agent.number), (ticket, fleet.owner.number)] {
            for side in [fleet.agent, fleet.owner] {
                let found = side.bus.machine.find("owner:\(name)")
                let wanted = side.number == owner ? [ticket] : []
                #expect(found == wanted, "\(name) at \(side.number)")
            }
        }
        #expect(fleet.owner.bus.machine.find("id:\(part)") == [ticket])
    }

    @Test("its ending is written down at both brokers, and then it leaves the one without its job")
    func ending() throws {
        var fleet = brokers()
        redeem(&fleet.agent.bus, worker)
        pass(&fleet, 2)
        let description = worker.description(1, "Render", ticket: ticket)
        fleet.isConnected = false
        fleet.agent.bus.control(
            worker,
            worker.endings(2, [worker.ending(description, .succeeded, completed: 4, total: 4)])
        )
        pass(&fleet, 15)
        #expect(fleet.agent.bus.machine.tables["parts"] == 1, "its owner has not heard of it")
        fleet.isConnected = true
        pass(&fleet, 3)
        let seen1 = try row(&fleet, ticket)
        #expect(seen1.progress.state == .succeeded)
        let rows = fleet.owner.bus.journal.filter {
            if case .row(worker.task(1), _, let payload) = $0 { !payload.isEmpty } else { false }
        }
        #expect(!rows.isEmpty)
        pass(&fleet, 15)
        #expect(fleet.agent.bus.machine.tables["parts"] == 0)
        #expect(fleet.agent.bus.machine.tables["conversations"] == 0)
        #expect(fleet.agent.bus.machine.tables["tasks"] == 0)
        let seen2 = try row(&fleet, ticket)
        #expect(seen2.progress.state == .succeeded)
    }

    @Test("who cancels the job reaches it, and is answered")
    func cancel() throws {
        var fleet = brokers()
        redeem(&fleet.agent.bus, worker)
        pass(&fleet, 2)
        var command = WireCommandRequest()
        command.request = 6
        command.verb = .cancel
        command.target = WireTaskRef(ticket)
        fleet.owner.bus.control(fleet.owner.viewer, .command(command))
        pass(&fleet, 0.2)
        let deliveries = fleet.agent.bus.answers(to: worker).compactMap {
            if case .command(let delivery) = $0 { delivery } else { nil }
        }
        let delivery = try #require(deliveries.last)
        #expect(delivery.verb == .cancel && delivery.index == [1])
        var answer = WireCommandAnswer()
        answer.delivery = delivery.delivery
        answer.outcome = .accepted
        fleet.agent.bus.control(worker, .commandAnswer(answer))
        pass(&fleet, 0.2)
        let results = fleet.owner.bus.answers(to: fleet.owner.viewer).compactMap {
            if case .commandResult(let result) = $0 { result } else { nil }
        }
        #expect(results.map(\.outcome) == [.accepted])
        #expect(results.first?.process.pid == Int64(worker.session.rawValue))
        #expect(results.first?.last == true)
    }

    @Test("who redeems it while it runs elsewhere is a child, and after its success counts nowhere")
    func taken() throws {
        var fleet = brokers()
        fleet.owner.bus.control(second, second.hello)
        redeem(&fleet.owner.bus, second)
        redeem(&fleet.agent.bus, worker)
        fleet.pass(4, [worker], [issuer, second])
        let child = try row(&fleet, worker.task(1))
        #expect(child.description_p.parent == WireTaskRef(ticket))
        let kinds = fleet.agent.bus.answers(to: worker).compactMap {
            if case .binding(let binding) = $0 { binding.kind } else { nil }
        }
        #expect(kinds.last == .child)
        let description = second.description(1, "Render", ticket: ticket)
        fleet.owner.bus.control(
            second,
            second.endings(2, [second.ending(description, .succeeded)])
        )
        let third = Client(4)
        fleet.agent.bus.control(third, third.hello)
        redeem(&fleet.agent.bus, third)
        fleet.pass(4, [worker, third], [issuer, second])
        let codes = fleet.agent.bus.answers(to: third).compactMap {
            if case .refusal(let refusal) = $0 { refusal.code } else { nil }
        }
        #expect(codes.contains(RefusalCode.ticketUsed.rawValue))
        #expect(fleet.owner.bus.machine.tree.taskID(of: third.task(1)) == nil)
    }

    @Test("a child of a ticket that is held there later counts once")
    func childThenHolder() throws {
        var fleet = brokers()
        fleet.owner.bus.control(second, second.hello)
        redeem(&fleet.owner.bus, second)
        redeem(&fleet.agent.bus, worker)
        fleet.pass(4, [worker], [issuer, second])
        let description = second.description(1, "Render", ticket: ticket)
        fleet.owner.bus.control(second, second.endings(2, [second.ending(description, .failed)]))
        let third = Client(4)
        fleet.agent.bus.control(third, third.hello)
        redeem(&fleet.agent.bus, third)
        fleet.pass(4, [worker, third], [issuer, second])
        let held = try row(&fleet, ticket)
        #expect(held.description_p.attempt == 2)
        #expect(held.progress.counts.running == 1, "the child, and nothing twice")
        let last = third.description(1, "Render", ticket: ticket)
        fleet.agent.bus.control(third, third.endings(2, [third.ending(last, .succeeded)]))
        fleet.pass(25, [worker, third], [issuer, second])
        let child = try row(&fleet, worker.task(1))
        #expect(
            child.progress.state == .running,
            "it stays at the agent, though the ticket is done"
        )
    }

    @Test("what nobody in the fleet knows is a job of its own, as without a fleet")
    func unknown() throws {
        var fleet = TwoBrokers()
        fleet.agent.bus.control(worker, worker.hello)
        redeem(&fleet.agent.bus, worker)
        pass(&fleet, 12)
        let rows = fleet.agent.bus.rows(of: .board(page: 0), asking: fleet.agent.viewer)
        #expect(rows.map(\.description_p.title) == ["Render"])
        #expect(rows.first?.description_p.orphan == true)
    }

    @Test("it is silent and lost with its host, and back with it")
    func silence() throws {
        var fleet = brokers()
        redeem(&fleet.agent.bus, worker)
        pass(&fleet, 2)
        fleet.isConnected = false
        pass(&fleet, 6)
        let seen3 = try row(&fleet, ticket)
        #expect(seen3.progress.silent)
        pass(&fleet, 8)
        let seen4 = try row(&fleet, ticket)
        #expect(seen4.progress.state == .lost)
        advance(&fleet.agent.bus, to: 2, sequence: 2)
        fleet.isConnected = true
        pass(&fleet, 4)
        let back = try row(&fleet, ticket).progress
        #expect(back.state == .running && back.completed == 2)
    }

    @Test("a worker that is lost there is lost here, and who goes on with it is the next attempt")
    func workerGone() throws {
        var fleet = brokers()
        redeem(&fleet.agent.bus, worker)
        pass(&fleet, 2)
        fleet.pass(12, [second], [issuer])
        let seen5 = try row(&fleet, ticket)
        #expect(seen5.progress.state == .lost)
        redeem(&fleet.agent.bus, second)
        fleet.pass(4, [second], [issuer])
        let again = try row(&fleet, ticket)
        #expect(again.progress.state == .running)
        #expect(again.description_p.attempt == 2)
    }

    @Test(
        "a broker that is killed and begins again, on either side, changes nothing",
        arguments: [true, false]
    )
    func restart(ofOwner: Bool) throws {
        var fleet = brokers()
        redeem(&fleet.agent.bus, worker)
        pass(&fleet, 2)
        if ofOwner {
            restartOwner(&fleet)
        } else {
            fleet.restart(\.agent)
            fleet.agent.bus.control(worker, worker.hello)
            fleet.agent.bus.keyframe(worker, sequence: 2) {
                $0.descriptions = [worker.description(1, "Render", ticket: ticket)]
                $0.add(1, completed: 1, total: 4)
            }
        }
        pass(&fleet, 5)
        advance(&fleet.agent.bus, to: 2, sequence: 3)
        pass(&fleet, 1)
        let row = try row(&fleet, ticket)
        #expect(row.progress.state == .running && row.progress.fraction == 0.5)
        #expect(row.description_p.attempt == 1)
        let board = fleet.agent.bus.rows(of: .board(page: 0), asking: fleet.agent.viewer)
        #expect(board.isEmpty)
    }

    @Test("an ending that its job's broker has not heard survives the death of the other one")
    func restartBeforeHeard() throws {
        var fleet = brokers()
        redeem(&fleet.agent.bus, worker)
        pass(&fleet, 2)
        fleet.isConnected = false
        let description = worker.description(1, "Render", ticket: ticket)
        fleet.agent.bus.control(
            worker,
            worker.endings(2, [worker.ending(description, .succeeded, completed: 4, total: 4)])
        )
        fleet.agent.bus.control(worker, .goodbye(WireGoodbye()))
        fleet.pass(1, [], [issuer])
        fleet.restart(\.agent)
        fleet.pass(5, [], [issuer])
        fleet.isConnected = true
        fleet.pass(8, [], [issuer])
        let row = try row(&fleet, ticket)
        #expect(row.progress.state == .succeeded)
        fleet.pass(15, [], [issuer])
        #expect(fleet.agent.bus.machine.tables["parts"] == 0)
        #expect(fleet.agent.bus.machine.tables["tasks"] == 0)
    }

    @Test("where the job's broker has left the fleet, it is a job of its own again")
    func ownerLeaves() throws {
        var fleet = brokers()
        redeem(&fleet.agent.bus, worker)
        pass(&fleet, 2)
        var left = WireFleetRows()
        left.broker = fleet.owner.number
        left.left = true
        fleet.agent.bus.control(fleet.agent.bridge, .fleetRows(left))
        fleet.agent.bus.pass(1, hearing: [worker, fleet.agent.bridge])
        let board = fleet.agent.bus.rows(of: .board(page: 0), asking: fleet.agent.viewer)
        #expect(board.map(\.description_p.title) == ["Render"])
        pass(&fleet, 5)
        let later = fleet.agent.bus.rows(of: .board(page: 0), asking: fleet.agent.viewer)
        #expect(later.isEmpty)
    }

    @Test("where the job's broker knows nothing of it any more, it is a job of its own again")
    func ownerForgets() throws {
        var fleet = brokers()
        redeem(&fleet.agent.bus, worker)
        pass(&fleet, 2)
        let now = fleet.owner.bus.now
        fleet.owner.bus = Bus()
        fleet.owner.bus.now = now
        fleet.owner.carried = 0
        fleet.introduce()
        fleet.pass(4, [worker], [])
        #expect(fleet.agent.bus.machine.board.parts.isTaken(ticket), "it may have just begun")
        fleet.pass(62, [worker], [])
        let board = fleet.agent.bus.rows(of: .board(page: 0), asking: fleet.agent.viewer)
        #expect(board.map(\.description_p.title) == ["Render"])
    }

    @Test("an owner may ask for nothing but cancel, pause and resume, and of its parts alone")
    func hostileOwner() throws {
        var fleet = brokers()
        redeem(&fleet.agent.bus, worker)
        pass(&fleet, 2)
        fleet.agent.bus.report(worker) {
            $0.sequence = 5
            $0.descriptions = [worker.description(9, "Mine")]
        }
        func say(_ build: (inout WireBrokerFrame) -> Void) {
            var frame = WireBrokerFrame()
            frame.epoch = 7
            build(&frame)
            var envelope = WireFleetSession()
            envelope.broker = fleet.owner.number
            envelope.session = worker.session.rawValue
            envelope.frameBytes = Frame.encode(frame)
            fleet.agent.bus.control(fleet.agent.bridge, .fleetSession(envelope))
        }
        say { $0.command = .with { ($0.delivery, $0.verb, $0.index) = (1, .dismiss, [1]) } }
        say { $0.command = .with { ($0.delivery, $0.verb, $0.index) = (2, .cancel, [9]) } }
        say {
            $0.refusal = .with { ($0.code, $0.index) = (RefusalCode.superseded.rawValue, 9) }
        }
        say { $0.binding = .with { ($0.index, $0.kind) = (9, .inert) } }
        say { $0.endingsJournalled.sequence = .max }
        say { $0.welcome.sequence = .max }
        pass(&fleet, 3)
        let asked = fleet.agent.bus.answers(to: worker).contains {
            if case .command = $0 { true } else { false }
        }
        #expect(!asked)
        let isSuperseded = fleet.agent.bus.answers(to: worker).contains {
            if case .refusal = $0 { true } else { false }
        }
        #expect(!isSuperseded, "of a task that is no part")
        #expect(fleet.agent.bus.machine.tree.state(of: worker.task(9)) == .running)
        let part = try row(&fleet, ticket)
        #expect(part.progress.state == .running)
    }

    @Test("two that redeem it at one broker are one part, whoever is heard first")
    func twoRedeemers() throws {
        var fleet = brokers()
        redeem(&fleet.agent.bus, worker)
        redeem(&fleet.agent.bus, second)
        pass(&fleet, 4)
        let part = try row(&fleet, ticket).progress
        #expect(part.state == .running && part.counts.running == 1)
        let film = try row(&fleet, job).progress
        #expect(film.counts.running == 2)
        #expect(fleet.agent.bus.machine.tables["parts"] == 1)
    }

    @Test("what runs below it after it has failed is told until it has ended")
    func worksOn() throws {
        var fleet = brokers()
        redeem(&fleet.agent.bus, worker)
        fleet.agent.bus.keyframe(second) {
            $0.descriptions = [second.description(1, "Helper", parent: worker.task(1))]
        }
        pass(&fleet, 3)
        let description = worker.description(1, "Render", ticket: ticket)
        fleet.agent.bus.control(
            worker,
            worker.endings(2, [worker.ending(description, .failed, reason: "no paper")])
        )
        pass(&fleet, 2)
        let failed = try row(&fleet, ticket).progress
        #expect(failed.state == .failed && failed.counts.running == 1)
        let helper = second.description(1, "Helper", parent: worker.task(1))
        fleet.agent.bus.control(second, second.endings(2, [second.ending(helper, .succeeded)]))
        pass(&fleet, 2)
        let done = try row(&fleet, ticket).progress
        #expect(done.counts.running == 0 && done.counts.succeeded == 1)
        #expect(fleet.agent.bus.machine.board.parts[ticket]?.isOver == true)
    }

    @Test("the broker of the job begins anew while the other one is away: it goes on all the same")
    func ownerRestartsAlone() throws {
        var fleet = brokers()
        redeem(&fleet.agent.bus, worker)
        pass(&fleet, 2)
        fleet.isConnected = false
        restartOwner(&fleet)
        pass(&fleet, 14)
        fleet.isConnected = true
        advance(&fleet.agent.bus, to: 2, sequence: 3)
        pass(&fleet, 4)
        let part = try row(&fleet, ticket).progress
        #expect(part.state == .running && part.fraction == 0.5)
    }

    @Test("an ending waits for its job's broker, also where that has not heard of the part")
    func endedUnheard() throws {
        var fleet = brokers()
        fleet.pass(0.5, [worker], [issuer])
        redeem(&fleet.agent.bus, worker)
        pass(&fleet, 0.6)
        fleet.isConnected = false
        let description = worker.description(1, "Render", ticket: ticket)
        fleet.agent.bus.control(
            worker,
            worker.endings(2, [worker.ending(description, .succeeded, completed: 4, total: 4)])
        )
        pass(&fleet, 40)
        fleet.isConnected = true
        pass(&fleet, 4)
        let part = try row(&fleet, ticket).progress
        #expect(part.state == .succeeded)
    }

    @Test("whatever envelope is lost, all arrives in the end", arguments: 0..<6)
    func losses(kept: Int) throws {
        var fleet = brokers()
        let seen = Counter()
        fleet.isLost = { _ in
            seen.count += 1
            return seen.count % 3 != kept % 3 && seen.count < 20 + 4 * kept
        }
        redeem(&fleet.agent.bus, worker)
        pass(&fleet, 6)
        let description = worker.description(1, "Render", ticket: ticket)
        fleet.agent.bus.control(
            worker,
            worker.endings(2, [worker.ending(description, .failed, completed: 3, total: 4)])
        )
        pass(&fleet, 30)
        let row = try row(&fleet, ticket)
        #expect(row.progress.state == .failed && row.progress.completed == 3)
        #expect(fleet.agent.bus.machine.tables["sessions of the fleet"] ?? 0 <= 2)
    }

    /// Counts what goes over, for a closure that is kept.
    private final class Counter {
        var count = 0
    }

    @Test("an envelope begins no job, speaks for no other session, and comes by the bridge alone")
    func forged() throws {
        var fleet = brokers()
        func envelope(_ client: Client, _ body: WireClientFrame.OneOf_Body) -> WireFleetSession {
            var frame = WireClientFrame()
            frame.credentialBytes = client.credential.bytes
            frame.body = body
            var envelope = WireFleetSession()
            envelope.broker = fleet.agent.number
            envelope.session = client.session.rawValue
            envelope.frameBytes = Frame.encode(frame)
            return envelope
        }
        let jobs = fleet.owner.bus.machine.tables["jobs"]
        let bridge = fleet.owner.bridge
        fleet.owner.bus.control(bridge, .fleetSession(envelope(worker, worker.hello)))
        let begin = worker.endings(1, [worker.ending(worker.description(5, "Forged"), .running)])
        fleet.owner.bus.control(bridge, .fleetSession(envelope(worker, begin)))
        let end = issuer.endings(9, [issuer.ending(issuer.description(1, "Film"), .succeeded)])
        fleet.owner.bus.control(bridge, .fleetSession(envelope(issuer, end)))
        fleet.owner.bus.control(issuer, .fleetSession(envelope(worker, worker.hello)))
        pass(&fleet, 0.5)
        #expect(fleet.owner.bus.machine.tables["jobs"] == jobs)
        let seen6 = try row(&fleet, job)
        #expect(seen6.progress.state == .running)
        let refused = fleet.owner.bus.answers(to: issuer).contains {
            if case .refusal(let refusal) = $0 {
                refusal.code == RefusalCode.notPermitted.rawValue
            } else {
                false
            }
        }
        #expect(refused)
    }
}
