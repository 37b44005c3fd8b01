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
        fleet.owner.bus.issueTickets(of: issuer, tickets)
        for client in [worker, second] { fleet.agent.bus.control(client, client.hello) }
        fleet.pass(0.5, [worker, second], [issuer])
        return fleet
    }

    private func redeem(_ bus: inout Bus, _ client: Client, tickets: UInt64 = 1) {
        for index in 1...tickets {
            bus.control(client, .redemption(of: issuer.task(index + 1), as: index))
        }
        bus.keyframe(client) {
            for index in 1...tickets {
                let ticket = issuer.task(index + 1)
                $0.descriptions.append(client.description(index, "Render", ticket: ticket))
                $0.add(index, completed: 0, total: 100)
            }
        }
    }

    /// A session says all that it has: one task.
    private func begin(_ task: WireDescription, of client: Client, _ bus: inout Bus) {
        bus.keyframe(client) {
            $0.descriptions = [task]
        }
    }

    private func progress(_ fleet: inout TwoBrokers) throws -> WireRowProgress {
        let row = fleet.owner.bus.row(ticket, asking: fleet.owner.viewer)
        return try #require(row).progress
    }

    @Test("an owner that answers late is the owner", arguments: [(5.0, true), (7, false)])
    func lateOwner(seconds: Double, isHeard: Bool) throws {
        var fleet = brokers()
        fleet.areAnswersLost = true
        redeem(&fleet.agent.bus, worker)
        fleet.pass(1, [worker], [issuer])
        let asked = fleet.agent.bus.answers(to: fleet.agent.bridge).compactMap {
            if case .fleetQuestion(let question) = $0 { question } else { nil }
        }
        var answer = WireFleetAnswer()
        answer.broker = fleet.owner.number
        var found = WireFoundTask()
        found.task = WireTaskRef(ticket)
        answer.found.tasks = [found]
        answer.request = try #require(asked.first).request
        fleet.pass(seconds - 1, [worker], [issuer])
        fleet.agent.bus.control(fleet.agent.bridge, .fleetAnswer(answer))
        fleet.pass(3, [worker], [issuer])
        #expect(try progress(&fleet).state == (isHeard ? .running : .waiting))
    }

    @Test("an owner that has answered nothing for a while is asked again soon")
    func busyOwner() throws {
        var fleet = brokers()
        fleet.areAnswersLost = true
        redeem(&fleet.agent.bus, worker)
        fleet.pass(12, [worker], [issuer])
        fleet.areAnswersLost = false
        fleet.pass(6, [worker], [issuer])
        #expect(try progress(&fleet).state == .running)
    }

    @Test("an owner that could not be asked, as many questions waited, is asked once there is room")
    func lateQuestion() throws {
        var configuration = CoreConfiguration()
        configuration.fleetQuestions = 2
        var fleet = TwoBrokers(
            agent: Bus(configuration: configuration, ownSession: SessionID(rawValue: 79))
        )
        fleet.owner.bus.issueTickets(of: issuer)
        fleet.agent.bus.control(worker, worker.hello)
        fleet.agent.bus.control(second, second.hello)
        fleet.pass(0.5, [worker, second], [issuer])
        // Nobody has what this one hangs under, so that its question takes the room for 6 s.
        let lost = second.description(1, "Lost", parent: Client(8).task(1))
        begin(lost, of: second, &fleet.agent.bus)
        fleet.pass(1, [worker, second], [issuer])
        redeem(&fleet.agent.bus, worker)
        fleet.pass(8, [worker, second], [issuer])
        #expect(try progress(&fleet).state == .running)
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
        fleet.restart(\.agent)
        fleet.agent.bus.control(worker, worker.hello)
        fleet.agent.bus.control(worker, failed)
        fleet.isConnected = true
        fleet.pass(12, [worker], [issuer])
        let row = fleet.owner.bus.row(worker.task(1), asking: fleet.owner.viewer)
        #expect(try #require(row).progress.state == .failed)
    }

    @Test(
        "what begins and ends while nobody is heard is told once somebody is",
        arguments: [false, true]
    )
    func endsUnheard(isRestarted: Bool) throws {
        var fleet = brokers()
        fleet.isConnected = false
        redeem(&fleet.agent.bus, worker)
        let part = worker.description(1, "Render", ticket: ticket)
        fleet.agent.bus.control(worker, worker.endings(2, [worker.ending(part, .succeeded)]))
        fleet.agent.bus.control(worker, .goodbye(WireGoodbye()))
        fleet.pass(5, [], [issuer])
        if isRestarted { fleet.restart(\.agent) }
        fleet.pass(40, [], [issuer])
        #expect(fleet.agent.bus.machine.tree.view(ticket) != nil)
        fleet.isConnected = true
        fleet.pass(10, [], [issuer])
        #expect(try progress(&fleet).state == .succeeded)
        fleet.pass(20, [], [issuer])
        #expect(fleet.agent.bus.machine.tables["parts"] == 0)
    }

    @Test("what nobody says is a part of its job leaves once all were asked")
    func nobodysPart() throws {
        var fleet = brokers()
        fleet.agent.bus.control(worker, .redemption(of: Client(7).task(2)))
        let part = worker.description(1, "Render", ticket: Client(7).task(2))
        fleet.agent.bus.control(worker, worker.endings(2, [worker.ending(part, .succeeded)]))
        fleet.pass(10, [worker], [issuer])
        #expect(fleet.agent.bus.machine.tree.view(Client(7).task(2)) != nil)
        fleet.pass(60, [worker], [issuer])
        #expect(fleet.agent.bus.machine.tables["parts"] == 0)
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

    @Test("one that has ended with trouble below it is no job after a restart of its broker")
    func endedBeforeRestart() throws {
        var fleet = brokers()
        redeem(&fleet.agent.bus, worker)
        let frame = worker.description(2, "Frame", parent: worker.task(1))
        let part = worker.description(1, "Render", ticket: ticket)
        fleet.agent.bus.control(worker, worker.endings(2, [worker.ending(frame, .failed)]))
        fleet.agent.bus.control(worker, worker.endings(3, [worker.ending(part, .succeeded)]))
        fleet.pass(15, [worker], [issuer])
        #expect(fleet.agent.bus.machine.tree.view(worker.task(2)) != nil, "it can be looked at")
        fleet.agent.bus.control(worker, .goodbye(WireGoodbye()))
        fleet.pass(1, [], [issuer])
        fleet.isConnected = false
        fleet.restart(\.agent)
        fleet.pass(15, [], [issuer])
        let board = fleet.agent.bus.rows(of: .board(page: 0), asking: fleet.agent.viewer)
        #expect(board.isEmpty, "its job may have left")
        let shown = try progress(&fleet)
        #expect(shown.state == .succeeded && shown.counts.failed == 1)
    }

    @Test(
        "what has ended below a part is known after a restart, whatever the clock says",
        arguments: [0, 3_600, -3_600]
    )
    func endedBelowBeforeRestart(clockAhead: Double) throws {
        var fleet = brokers()
        redeem(&fleet.agent.bus, worker)
        fleet.pass(3, [worker, second], [issuer])
        func end(_ index: UInt64, at sequence: UInt64) {
            let frame = worker.description(index, "Frame", parent: worker.task(1))
            var ending = worker.ending(frame, .succeeded)
            let now = fleet.agent.bus.now
            ending.time = 1_800_000_000 + Double(now.nanoseconds) / 1e9
            fleet.agent.bus.control(worker, worker.endings(sequence, [ending]))
        }
        for index in 2...4 as ClosedRange<UInt64> { end(index, at: index) }
        fleet.pass(1, [worker, second], [issuer])
        fleet.restart(\.agent, clockAhead: clockAhead)
        fleet.agent.bus.control(worker, worker.hello)
        fleet.agent.bus.keyframe(worker, sequence: 5) {
            $0.descriptions = [worker.description(1, "Render", ticket: ticket)]
            $0.add(1, completed: 3, total: 100)
        }
        fleet.pass(3, [worker], [issuer])
        let between = try progress(&fleet)
        #expect(between.state == .running && between.counts.succeeded == 3)
        end(5, at: 6)
        let part = worker.description(1, "Render", ticket: ticket)
        fleet.agent.bus.control(worker, worker.endings(7, [worker.ending(part, .succeeded)]))
        fleet.pass(3, [worker], [issuer])
        let done = try progress(&fleet)
        #expect(done.state == .succeeded && done.counts.succeeded == 4)
        fleet.restart(\.agent)
        fleet.pass(15, [], [issuer])
        let after = try progress(&fleet)
        #expect(after.state == .succeeded && after.counts.succeeded == 4)
        let board = fleet.agent.bus.rows(of: .board(page: 0), asking: fleet.agent.viewer)
        #expect(board.isEmpty)
    }

    @Test("a part whose process dies with its broker is lost, and what ended below it is no job")
    func diesWithItsBroker() throws {
        var fleet = brokers()
        redeem(&fleet.agent.bus, worker)
        fleet.pass(3, [worker, second], [issuer])
        let frame = worker.description(2, "Frame", parent: worker.task(1))
        fleet.agent.bus.control(worker, worker.endings(2, [worker.ending(frame, .failed)]))
        fleet.pass(1, [worker, second], [issuer])
        fleet.restart(\.agent)
        fleet.pass(40, [], [issuer])
        let shown = try progress(&fleet)
        #expect(shown.state == .lost && shown.counts.failed == 1)
        let board = fleet.agent.bus.rows(of: .board(page: 0), asking: fleet.agent.viewer)
        #expect(board.map(\.description_p.title).isEmpty)
    }

    @Test("what is begun below a part that has left its broker is in the tree of the job")
    func belowWhatHasLeft() throws {
        var fleet = brokers()
        redeem(&fleet.agent.bus, worker)
        fleet.pass(3, [worker, second], [issuer])
        let part = worker.description(1, "Render", ticket: ticket)
        fleet.agent.bus.control(worker, worker.endings(2, [worker.ending(part, .succeeded)]))
        fleet.pass(15, [worker, second], [issuer])
        #expect(fleet.agent.bus.machine.tables["parts"] == 0)
        let late = second.description(1, "Late", parent: worker.task(1))
        begin(late, of: second, &fleet.agent.bus)
        fleet.pass(40, [worker, second], [issuer])
        let shown = try progress(&fleet)
        #expect(shown.state == .running && shown.counts.running == 1)
        #expect(shown.note == "waiting for 1 child")
    }

    @Test("what goes on below a part whose session has left is lost where its host is not heard")
    func leftAndUnheard() throws {
        var fleet = brokers()
        redeem(&fleet.agent.bus, worker)
        begin(second.description(1, "Helper", parent: worker.task(1)), of: second, &fleet.agent.bus)
        fleet.pass(3, [worker, second], [issuer])
        let part = worker.description(1, "Render", ticket: ticket)
        fleet.agent.bus.control(worker, worker.endings(2, [worker.ending(part, .succeeded)]))
        fleet.agent.bus.control(worker, .goodbye(WireGoodbye()))
        fleet.pass(15, [second], [issuer])
        fleet.isConnected = false
        fleet.owner.bus = fleet.owner.bus.restarted()
        fleet.owner.carried = 0
        fleet.owner.bus.issueTickets(of: issuer)
        fleet.owner.bus.control(fleet.owner.viewer, fleet.owner.viewer.hello)
        fleet.pass(20, [second], [issuer])
        let unheard = try progress(&fleet)
        #expect(unheard.state == .succeeded && unheard.counts.lost == 1)
        fleet.isConnected = true
        fleet.introduce()
        fleet.pass(3, [second], [issuer])
        let heard = try progress(&fleet)
        #expect(heard.state == .running && heard.counts.running == 1)
    }

    @Test("of what went on below a former attempt nothing keeps the job once it has ended")
    func belowFormerAttempt() throws {
        var fleet = brokers()
        redeem(&fleet.agent.bus, worker)
        let third = Client(5)
        fleet.agent.bus.control(third, third.hello)
        let helper = third.description(1, "Helper", parent: worker.task(1))
        begin(helper, of: third, &fleet.agent.bus)
        fleet.pass(3, [worker, second, third], [issuer])
        let part = worker.description(1, "Render", ticket: ticket)
        fleet.agent.bus.control(worker, worker.endings(2, [worker.ending(part, .failed)]))
        fleet.agent.bus.control(worker, .goodbye(WireGoodbye()))
        fleet.pass(3, [second, third], [issuer])
        redeem(&fleet.agent.bus, second)
        fleet.pass(3, [second, third], [issuer])
        #expect(fleet.owner.bus.machine.tree.hasLiveDescendants(ticket), "the helper goes on")
        fleet.agent.bus.control(third, third.endings(2, [third.ending(helper, .succeeded)]))
        let again = second.description(1, "Render", ticket: ticket)
        fleet.agent.bus.control(second, second.endings(2, [second.ending(again, .succeeded)]))
        fleet.pass(4, [second, third], [issuer])
        let shown = try progress(&fleet)
        #expect(shown.state == .succeeded)
        #expect(!fleet.owner.bus.machine.tree.hasLiveDescendants(ticket))
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

    @Test(
        "what the job's host has below a part counts once, and ends once",
        arguments: [false, true]
    )
    func backAtTheOwner(isToldFirst: Bool) throws {
        var fleet = brokers()
        let helper = Client(5)
        func begin(_ bus: inout Bus) {
            bus.control(helper, helper.hello)
            let task = helper.description(1, "Helper", parent: worker.task(1))
            self.begin(task, of: helper, &bus)
        }
        // Questions are answered, but nothing is told of the part itself.
        if isToldFirst { fleet.isLost = { [worker] in $0.session == worker.session.rawValue } }
        redeem(&fleet.agent.bus, worker)
        if !isToldFirst { fleet.pass(3, [worker, second], [issuer]) }
        begin(&fleet.owner.bus)
        fleet.pass(5, [worker, second], [issuer, helper])
        fleet.isLost = { _ in false }
        func expect(_ running: UInt64, _ succeeded: UInt64, _ when: String) throws {
            let shown = try progress(&fleet)
            #expect(shown.counts.running == running, "\(when)")
            #expect(shown.counts.succeeded == succeeded, "\(when)")
            let below = Topic.children(ticket, block: 0)
            let children = fleet.agent.bus.rows(of: below, asking: fleet.agent.viewer)
            #expect(children.map { $0.task.taskID() } == [helper.task(1)], "\(when)")
            let (before, viewer) = (fleet.owner.bus.sent.count, fleet.owner.viewer)
            var request = WireSnapshotRequest()
            request.request = 9
            request.topic = below.name
            fleet.owner.bus.control(viewer, .snapshot(request))
            fleet.pass(0.2, [worker, second], [issuer])
            let seen = fleet.owner.bus.sent[before...].filter { $0.route == viewer.route }
                .flatMap(\.frame.snapshot.rows)
            #expect(seen.map { $0.task.taskID() } == [helper.task(1)], "\(when), at the owner")
        }
        fleet.pass(6, [worker, second], [issuer, helper])
        try expect(1, 0, "at work")
        fleet.restart(\.owner)
        fleet.owner.bus.issueTickets(of: issuer)
        begin(&fleet.owner.bus)
        fleet.pass(6, [worker, second], [issuer, helper])
        try expect(1, 0, "once the owner has begun anew")
        let task = helper.description(1, "Helper", parent: worker.task(1))
        fleet.owner.bus.control(helper, helper.endings(2, [helper.ending(task, .succeeded)]))
        fleet.owner.bus.control(helper, .goodbye(WireGoodbye()))
        fleet.pass(15, [worker, second], [issuer])
        try expect(0, 1, "at its end")
    }

    @Test("two tasks on two hosts that name each other as parent stay on both boards")
    func circle() throws {
        var fleet = brokers()
        let other = Client(5)
        fleet.owner.bus.control(other, other.hello)
        let (near, far) = (worker.task(1), other.task(1))
        begin(worker.description(1, "Near", parent: far), of: worker, &fleet.agent.bus)
        begin(other.description(1, "Far", parent: near), of: other, &fleet.owner.bus)
        fleet.pass(40, [worker, second], [issuer, other])
        let sides = [(fleet.agent, near), (fleet.owner, far)]
        for (side, task) in sides {
            let view = try #require(side.bus.machine.tree.view(task))
            #expect(view.parent == nil && view.counts.sum <= 2, "\(view.counts)")
            #expect(side.bus.machine.records[task]?.slot != nil, "\(task)")
        }
    }

    @Test("what ended below a part is not forgotten with its broker while the process works on")
    func endedThenRestart() throws {
        var fleet = brokers()
        redeem(&fleet.agent.bus, worker)
        let open = worker.description(2, "Frame", parent: worker.task(1), isTicket: true)
        fleet.agent.bus.report(worker) {
            $0.sequence = 2
            $0.descriptions = [open]
        }
        fleet.agent.bus.control(second, .redemption(of: worker.task(2)))
        let frame = second.description(1, "Frame", ticket: worker.task(2))
        begin(frame, of: second, &fleet.agent.bus)
        fleet.pass(3, [worker, second], [issuer])
        fleet.agent.bus.control(second, second.endings(2, [second.ending(frame, .succeeded)]))
        let render = worker.description(1, "Render", ticket: ticket)
        fleet.agent.bus.control(worker, worker.endings(3, [worker.ending(render, .succeeded)]))
        fleet.pass(2, [worker, second], [issuer])
        #expect(try progress(&fleet).state == .succeeded)
        fleet.restart(\.agent)
        fleet.agent.bus.control(worker, worker.hello)
        fleet.agent.bus.keyframe(worker, sequence: 4) {
            $0.descriptions = [render, open]
        }
        fleet.agent.bus.control(worker, worker.endings(5, [worker.ending(render, .succeeded)]))
        fleet.pass(15, [worker, second], [issuer])
        let shown = try progress(&fleet)
        #expect(shown.state == .succeeded && shown.counts.waiting == 0, "\(shown.note)")
    }

    @Test(
        "what the job's host has below a part is asked to stop once, also where that has failed",
        arguments: [false, true]
    )
    func askedOnce(hasFailed: Bool) throws {
        var fleet = brokers()
        let helper = Client(5)
        redeem(&fleet.agent.bus, worker)
        fleet.owner.bus.control(helper, helper.hello)
        let task = helper.description(1, "Helper", parent: worker.task(1))
        begin(task, of: helper, &fleet.owner.bus)
        fleet.pass(8, [worker, second], [issuer, helper])
        if hasFailed {
            let part = worker.description(1, "Render", ticket: ticket)
            fleet.agent.bus.control(worker, worker.endings(2, [worker.ending(part, .failed)]))
            // What is below it is asked to stop for that.
            fleet.pass(2, [worker, second], [issuer, helper])
        }
        let before = fleet.owner.bus.sent.count
        var command = WireCommandRequest()
        command.request = 4
        command.verb = .cancel
        command.target = WireTaskRef(issuer.task(1))
        fleet.owner.bus.control(fleet.owner.viewer, .command(command))
        fleet.pass(1, [worker, second], [issuer, helper])
        // Each is said again until it is answered.
        let deliveries = fleet.owner.bus.sent[before...].filter { $0.route == helper.route }
            .map(\.frame.command.delivery).filter { $0 > 0 }
        #expect(Set(deliveries).count == 1)
    }
}
