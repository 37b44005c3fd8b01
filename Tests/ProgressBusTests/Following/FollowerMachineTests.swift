import BusProtocol
import TaskTree
import Testing

@testable import ProgressBus

@Suite("What a follower asks for and shows")
struct FollowerMachineTests {
    @Test("jobs alone: totals, attention and one page, nothing per job")
    func boardTopics() {
        var network = Network()
        _ = network.broker.begin("a")
        network.followBoard(depth: 0)
        #expect(network.subscribed == ["totals/", "attention/", "board/0/"])
    }

    @Test("with children: each job's own topic too, until the job has left")
    func deepTopics() {
        var network = Network()
        let job = network.broker.begin("a")
        network.followBoard(depth: 1)
        #expect(network.subscribed.contains("job/\(job)/"))
        network.broker.remove(job, reason: "succeeded")
        network.run(seconds: 0.1)
        #expect(!network.subscribed.contains("job/\(job)/"))
    }

    @Test("slots beyond 64: a second page")
    func secondPage() throws {
        var network = Network()
        for number in 1...70 { _ = network.broker.begin("job \(number)") }
        network.followBoard()
        #expect(network.subscribed.contains("board/1/"))
        let board = try network.requireBoard(1)
        #expect(board.jobs.map(\.slot) == (1...70).map { $0 })
    }

    @Test("a fleet of many hosts, each with a page of its own: all of their jobs")
    func manyPages() throws {
        var network = Network()
        let slots = (0..<100).map { UInt32($0 * 64 + 1) }
        for slot in slots { _ = network.broker.begin("job \(slot)", inSlot: slot) }
        network.followBoard()
        network.run(seconds: 2)
        let board = try network.requireBoard(1)
        #expect(board.jobs.map(\.slot) == slots.map { Int($0) })
    }

    @Test("children deeper than asked for are not in the picture")
    func depthIsLimited() throws {
        var network = Network()
        let job = network.broker.begin("a")
        let child = network.broker.begin("b", below: job)
        _ = network.broker.begin("c", below: child)
        network.followBoard(depth: 1)
        let board = try network.requireBoard(1)
        #expect(board.jobs.first?.children.map(\.title) == ["b"])
        #expect(board.jobs.first?.children.first?.children.isEmpty == true)
    }

    @Test("never more than eight snapshot requests without an answer")
    func windowIsBounded() {
        var network = Network()
        network.machine.follow(1, .board(depth: 0, messages: false), at: network.now)
        var welcome = WireBrokerFrame()
        welcome.epoch = 1
        welcome.welcome = WireWelcome()
        network.machine.receive(welcome, at: network.now)
        network.machine.tick(at: network.now)
        for name in ["totals/"] + (0..<20).map({ "board/\($0)/" }) {
            var beat = WireUpdate()
            beat.epoch = 1
            beat.sequence = 4
            beat.previous = 4
            network.machine.receive(topic: name, beat, at: network.now)
            network.machine.tick(at: network.now)
            var chunk = WireBrokerFrame()
            chunk.epoch = 1
            chunk.snapshot.request = 1
            chunk.snapshot.totals.highestSlot = 20 * 64
            chunk.snapshot.last = true
            network.machine.receive(chunk, at: network.now)
            network.machine.tick(at: network.now)
        }
        let requests = network.machine.takeActions().filter {
            if case .send(let frame) = $0, case .snapshot? = frame.body { true } else { false }
        }
        // The first one is answered.
        #expect(requests.count == 1 + 8)
    }

    @Test("a broker that asks who is answered by hello, and hears a heartbeat each second")
    func heartbeats() {
        var network = Network()
        network.followBoard()
        var who = WireBrokerFrame()
        who.epoch = 1
        who.who = WireWho()
        let before = network.sent.count
        network.machine.receive(who, at: network.now)
        network.run(seconds: 3.05)
        let later = network.sent.dropFirst(before)
        let hellos = later.filter { if case .hello? = $0.body { true } else { false } }
        let beats = later.filter { if case .heartbeat? = $0.body { true } else { false } }
        #expect(hellos.count == 1)
        #expect(beats.count == 3)
        #expect(hellos.first?.hello.viewer == true)
    }

    @Test("without a broker the first value says connecting, and nothing is an error")
    func connecting() {
        var network = Network()
        network.isBrokerAlive = false
        network.machine.follow(1, .board(depth: 0, messages: false), at: network.now)
        network.run(seconds: 0.1)
        let value1 = network.board(1)
        #expect(value1 == nil)
        network.run(seconds: 0.2)
        let value2 = network.board(1)
        #expect(value2?.connection == .connecting)
        network.run(seconds: 5)
        let value3 = network.board(1)
        #expect(value3 == nil)
    }

    @Test("beats missed for three seconds: reconnecting, with the former picture")
    func reconnecting() throws {
        var network = Network()
        _ = network.broker.begin("a")
        network.followBoard()
        let value4 = network.board(1)
        #expect(value4?.connection == .live)
        network.isBrokerAlive = false
        network.run(seconds: 2.5)
        let value5 = network.board(1)
        #expect(value5 == nil)
        network.run(seconds: 1)
        let board = try network.requireBoard(1)
        #expect(board.connection == .reconnecting)
        #expect(board.jobs.map(\.title) == ["a"])
        network.isBrokerAlive = true
        network.reconnect()
        network.run(seconds: 2)
        let value6 = network.board(1)
        #expect(value6?.connection == .live)
    }

    @Test("a broker that settles after a restart: the former picture until it has")
    func settling() throws {
        var network = Network()
        let kept = network.broker.begin("kept")
        _ = network.broker.begin("late")
        network.followBoard()
        _ = network.board(1)
        network.broker.restart(epoch: 2) { $0 == kept }
        network.broker.isSettling = true
        network.reconnect()
        network.run(seconds: 1)
        let during = try network.requireBoard(1)
        #expect(during.connection == .reconnecting)
        #expect(during.jobs.map(\.title) == ["kept", "late"])
        _ = network.broker.begin("late again")
        network.broker.isSettling = false
        network.run(seconds: 2)
        let after = try network.requireBoard(1)
        #expect(after.connection == .live)
        #expect(after.jobs.map(\.title) == ["kept", "late again"])
        #expect(after.left.map(\.reason) == ["unseen"])
    }

    @Test("the shown fraction does not fall when a restarted broker knows less")
    func floorSurvivesRestart() throws {
        var network = Network()
        let job = network.broker.begin("a")
        network.broker.change(job) { $0.fraction = 0.6 }
        network.followBoard()
        let value7 = network.board(1)
        #expect(value7?.jobs.first?.displayFraction == 0.6)
        network.broker.change(job) { $0.fraction = 0.2 }
        network.broker.restart(epoch: 2)
        network.reconnect()
        network.run(seconds: 2)
        let board = try network.requireBoard(1)
        #expect(board.jobs.first?.displayFraction == 0.6)
        #expect(board.jobs.first?.fraction == 0.2)
    }

    @Test("a job that leaves is told once, with its last state and the reason")
    func departures() throws {
        var network = Network()
        let job = network.broker.begin("a")
        network.followBoard()
        _ = network.board(1)
        network.broker.change(job) { $0.state = .succeeded }
        network.run(seconds: 0.1)
        network.broker.remove(job, reason: "succeeded")
        network.run(seconds: 0.1)
        let board = try network.requireBoard(1)
        #expect(board.jobs.isEmpty)
        #expect(board.left.map(\.task.state) == [.succeeded])
        #expect(board.left.map(\.reason) == ["succeeded"])
        _ = network.broker.begin("b")
        network.run(seconds: 0.1)
        let value8 = network.board(1)
        #expect(value8?.left.isEmpty == true)
    }

    @Test("the final state waits for a consumer that is slower than the job's stay")
    func finalStateIsDelivered() throws {
        var network = Network()
        let job = network.broker.begin("a")
        network.machine.follow(1, .task(job, job: job, depth: nil), at: network.now)
        network.run(seconds: 0.5)
        guard case .task(let first)? = network.machine.nextValue(for: 1, at: network.now) else {
            Issue.record("no first value")
            return
        }
        #expect(first.state == .running)
        network.broker.change(job) { $0.state = .failed }
        network.run(seconds: 0.1)
        network.broker.remove(job, reason: "dismissed")
        network.run(seconds: 5)
        guard case .final(let last)? = network.machine.nextValue(for: 1, at: network.now) else {
            Issue.record("no final value")
            return
        }
        #expect(last.state == .failed)
        guard case .finished? = network.machine.nextValue(for: 1, at: network.now) else {
            Issue.record("something after the final value")
            return
        }
    }

    @Test("what was said before the final state and comes after it is given")
    func lastMessages() throws {
        for line in ["broken", nil] {
            var network = Network()
            let job = network.broker.begin("a")
            network.machine.follow(1, .task(job, job: job, depth: nil), at: network.now)
            network.run(seconds: 0.5)
            network.broker.change(job) { $0.state = .failed }
            network.run(seconds: 0.02)
            guard case .task(let ended)? = network.machine.nextValue(for: 1, at: network.now) else {
                Issue.record("no final state at once")
                return
            }
            #expect(ended.state == .failed)
            if let line { network.broker.log(job, line) }
            network.run(seconds: 0.05)
            #expect(network.machine.nextValue(for: 1, at: network.now) == nil)
            network.run(seconds: 0.05)
            switch (line, network.machine.nextValue(for: 1, at: network.now)) {
            case (nil, .finished?): break
            case (let line?, .final(let last)?):
                #expect(last.state == .failed)
                #expect(last.messages.map(\.text) == [line])
            case (_, let other):
                Issue.record("\(line ?? "nothing said"): \(String(describing: other))")
            }
            #expect(network.machine.follows.isEmpty)
        }
    }

    @Test("a task that left while nobody could look is an error that says what was last seen")
    func leftUnseen() throws {
        var network = Network()
        let job = network.broker.begin("a")
        network.machine.follow(1, .task(job, job: job, depth: nil), at: network.now)
        network.run(seconds: 0.5)
        _ = network.machine.nextValue(for: 1, at: network.now)
        network.sleep(seconds: 20) { $0.remove(job, reason: "succeeded") }
        network.run(seconds: 2)
        guard case .failed(let error)? = network.machine.nextValue(for: 1, at: network.now) else {
            Issue.record("no error")
            return
        }
        #expect(error.code == .left)
        #expect(error.description.contains("last seen running"))
    }

    @Test("a consumer gets at most one value per tick")
    func pacing() {
        var network = Network()
        let job = network.broker.begin("a")
        network.followBoard()
        _ = network.board(1)
        var values = 0
        network.run(seconds: 1) { $0.change(job) { $0.completed += 1 } }
        for _ in 0..<100 {
            network.run(seconds: 0.01) { $0.change(job) { $0.completed += 1 } }
            if network.board(1) != nil { values += 1 }
        }
        #expect((18...20).contains(values), "\(values) values in a second")
    }

    @Test("a failure within a tick is given at once, ordinary progress is not, nor a flood of them")
    func earlyValues() throws {
        var network = Network()
        let job = network.broker.begin("a")
        let parts = (1...9).map { network.broker.begin("part \($0)", below: job) }
        network.followBoard(depth: nil)
        network.run(seconds: 1) { $0.change(job) { $0.completed += 1 } }
        _ = network.board(1)
        network.run(seconds: 0.01) { $0.change(parts[0]) { $0.completed = 1 } }
        #expect(network.board(1) == nil)
        var given = 0
        for part in parts {
            network.now = network.now.advanced(bySeconds: 0.001)
            network.broker.change(part) { $0.state = .failed }
            network.publish()
            guard let board = network.board(1) else { continue }
            given += 1
            #expect(board.jobs[0].children.filter { $0.state == .failed }.count == given)
        }
        #expect(given == 4)
        network.run(seconds: 0.1)
        let last = try network.requireBoard(1)
        #expect(last.jobs[0].children.allSatisfy { $0.state == .failed })
    }

    @Test("a question without a broker fails when its time is over, one without time waits")
    func inquiries() {
        var network = Network()
        network.isBrokerAlive = false
        _ = network.broker.begin("a")
        network.machine.ask(
            1,
            .find(TaskSelector("a")),
            deadline: network.now.advanced(bySeconds: 1)
        )
        network.machine.ask(2, .find(TaskSelector("a")), deadline: nil)
        network.run(seconds: 2)
        guard case .failed(let error)? = network.answers[1] else {
            Issue.record("no failure")
            return
        }
        #expect(error.code == .noBroker)
        #expect(network.answers[2] == nil)
        network.isBrokerAlive = true
        network.run(seconds: 1)
        guard case .found(let matches)? = network.answers[2] else {
            Issue.record("no answer")
            return
        }
        #expect(matches.map(\.title) == ["a"])
    }
}
