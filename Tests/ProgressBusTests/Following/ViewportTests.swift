import BusProtocol
import TaskTree
import TestSupport
import Testing

@testable import ProgressBus

@Suite("A picture of the parts that are shown")
struct PictureTests {
    private static let page = ViewportPart.board(page: 0)

    @Test("nothing is subscribed to but totals and the parts")
    func subscriptions() {
        var network = Network()
        let job = network.broker.begin("a")
        for number in 0..<70 { _ = network.broker.begin("job \(number)") }
        network.followPicture([Self.page, .children(of: job, block: 0)])
        #expect(
            network.subscribed == ["totals/", "board/0/", "children/\(job)/0/"]
        )
        network.machine.show(1, [.states(of: job, block: 0), .messages(of: job)])
        network.run(seconds: 0.1)
        #expect(
            network.subscribed == ["totals/", "states/\(job)/0/", "log/\(job)/"]
        )
    }

    @Test("the first value has all rows of the parts, later ones what has changed")
    func changes() throws {
        var network = Network()
        let jobs = ["a", "b", "c"].map { network.broker.begin($0) }
        network.followPicture([Self.page])
        let first = try network.requirePicture()
        #expect(first.connection == .live && !first.isLoading)
        #expect(first.members == [Self.page: jobs])
        #expect(Set(first.changed.map(\.id)) == Set(jobs))
        #expect(first.highestSlot == 3 && first.broker?.jobs == 3)
        #expect(network.picture() == nil)

        network.broker.change(jobs[1]) { $0.completed = 7 }
        network.run(seconds: 0.1)
        let second = try network.requirePicture()
        #expect(second.members.isEmpty && second.left.isEmpty)
        #expect(second.changed.map(\.id) == [jobs[1]])
        #expect(second.changed.map(\.completed) == [7])
    }

    @Test("a task that left is told once, with its last state and the reason")
    func departures() throws {
        var network = Network()
        let job = network.broker.begin("a")
        let other = network.broker.begin("b")
        network.followPicture([Self.page])
        _ = try network.requirePicture()
        network.broker.remove(job, reason: "dismissed")
        network.run(seconds: 0.1)
        let picture = try network.requirePicture()
        #expect(picture.members == [Self.page: [other]])
        #expect(picture.left.map(\.task.id) == [job])
        #expect(picture.left.map(\.reason) == ["dismissed"])
        network.broker.change(other) { $0.completed = 1 }
        network.run(seconds: 0.1)
        #expect(try network.requirePicture().left.isEmpty)
    }

    @Test("a task that hangs elsewhere now has not left")
    func moved() throws {
        var network = Network()
        let job = network.broker.begin("a")
        network.followPicture([Self.page])
        _ = try network.requirePicture()
        network.broker.remove(job, reason: "moved")
        network.run(seconds: 0.1)
        let picture = try network.requirePicture()
        #expect(picture.members == [Self.page: []])
        #expect(picture.left.isEmpty)
    }

    @Test("a part that comes back is delivered as a whole, also within one moment")
    func rejoining() throws {
        var network = Network()
        let job = network.broker.begin("a")
        let child = network.broker.begin("b", below: job)
        let part = ViewportPart.children(of: job, block: 0)
        network.followPicture([Self.page, part])
        _ = try network.requirePicture()

        network.machine.show(1, [Self.page])
        network.run(seconds: 0.2)
        let without = try network.requirePicture()
        #expect(without.changed.isEmpty && without.left.isEmpty && without.members.isEmpty)
        network.broker.change(child) { $0.completed = 3 }
        network.run(seconds: 0.2)
        #expect(network.picture()?.changed.isEmpty != false, "nobody looks at it")
        network.machine.show(1, [Self.page, part])
        network.run(seconds: 0.2)
        let again = try network.requirePicture()
        #expect(again.members == [part: [child]])
        #expect(again.changed.map(\.completed) == [3])

        network.machine.show(1, [])
        network.machine.show(1, [part])
        network.run(seconds: 0.2)
        let atOnce = try network.requirePicture()
        #expect(atOnce.members == [part: [child]])
        #expect(atOnce.changed.map(\.id) == [child])
    }

    @Test("a part without an answer holds up no other part")
    func loading() throws {
        var network = Network()
        let job = network.broker.begin("a")
        let child = network.broker.begin("b", below: job)
        network.followPicture([Self.page])
        _ = try network.requirePicture()
        let part = ViewportPart.children(of: job, block: 0)
        network.withheld = [part.topic.name]
        network.machine.show(1, [Self.page, part])
        network.broker.change(job) { $0.completed = 5 }
        network.run(seconds: 0.2)
        let meanwhile = try network.requirePicture()
        #expect(meanwhile.isLoading)
        #expect(meanwhile.changed.map(\.completed) == [5])
        network.withheld = []
        network.run(seconds: 4)
        var seen = false
        while let picture = network.picture() {
            seen = seen || (picture.changed.map(\.id).contains(child) && !picture.isLoading)
            network.run(seconds: 0.1)
        }
        #expect(seen)
    }

    @Test("mosaics are whole blocks, delivered when they change")
    func mosaics() throws {
        var network = Network()
        let job = network.broker.begin("a")
        let child = network.broker.begin("b", below: job)
        let part = ViewportPart.states(of: job, block: 0)
        network.followPicture([part])
        #expect(try network.requirePicture().states == [part: [2, 2]])
        network.broker.change(child) { $0.state = .failed }
        network.run(seconds: 0.1)
        #expect(try network.requirePicture().states == [part: [2, 6]])
    }

    @Test("messages: the history at first, then each line once")
    func messages() throws {
        var network = Network()
        let job = network.broker.begin("a")
        network.broker.log(job, "before")
        network.run(seconds: 0.1)
        network.followPicture([.messages(of: job)])
        #expect(try network.requirePicture().messages.map(\.text) == ["before"])
        network.broker.log(job, "after")
        network.run(seconds: 0.1)
        #expect(try network.requirePicture().messages.map(\.text) == ["after"])
        network.broker.change(job) { $0.completed = 1 }
        network.run(seconds: 0.1)
        #expect(network.picture()?.messages.isEmpty != false)
    }

    @Test("a broker that restarts: the picture stays, then what is different is delivered")
    func restart() throws {
        var network = Network()
        let jobs = ["a", "b"].map { network.broker.begin($0) }
        network.broker.change(jobs[0]) { $0.fraction = 0.6 }
        network.followPicture([Self.page])
        #expect(try network.requirePicture().changed.map(\.displayFraction).max() == 0.6)
        network.broker.change(jobs[0]) { $0.fraction = 0.2 }
        network.broker.restart(epoch: 2) { $0 == jobs[0] }
        network.broker.isSettling = true
        network.reconnect()
        network.run(seconds: 1)
        let during = try network.requirePicture()
        #expect(during.connection == .reconnecting)
        #expect(during.changed.isEmpty && during.members.isEmpty && during.left.isEmpty)
        #expect(during.highestSlot == 2)
        network.broker.isSettling = false
        network.run(seconds: 2)
        let after = try network.requirePicture()
        #expect(after.connection == .live)
        #expect(after.members == [Self.page: [jobs[0]]])
        #expect(after.left.map(\.task.id) == [jobs[1]])
        #expect(after.changed.map(\.displayFraction) == [0.6], "never backwards")
    }

    @Test("a refresh asks for every part anew; who is in it is not said again")
    func refresh() throws {
        var network = Network()
        _ = network.broker.begin("a")
        network.followPicture([Self.page])
        _ = try network.requirePicture()
        let before = network.sent.count
        network.machine.refresh(1, at: network.now)
        network.run(seconds: 0.3)
        let topics = network.sent.dropFirst(before).compactMap { frame -> String? in
            guard case .snapshot(let request)? = frame.body else { return nil }
            return request.topic
        }
        #expect(Set(topics) == ["totals/", "board/0/"])
        #expect(network.picture()?.members.isEmpty != false)
    }

    @Test("no more parts than may be followed, the same ones each time")
    func partLimit() {
        let parts = Set((0..<5_000).map { ViewportPart.board(page: $0) })
        let limited = FollowerMachine.limited(parts)
        #expect(limited.count == 1_024)
        #expect(FollowerMachine.limited(Set(parts.shuffled())) == limited)
    }

    @Test(
        "what a viewer puts together is what the broker has, whatever was lost or scrolled",
        arguments: UInt64(1)...40
    )
    func converges(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var network = Network(seed: seed)
        var viewer = Viewer()
        let jobs = (0..<3).map { network.broker.begin("job \($0)") }
        let all: [ViewportPart] = [Self.page] + jobs.map { .children(of: $0, block: 0) }
        network.machine.follow(1, .viewport([Self.page]), at: network.now)
        network.isFaulty = true
        for round in 0..<12 {
            let parts = Set(all.filter { _ in random.oneIn(2) })
            viewer.want(parts)
            network.machine.show(1, parts)
            if round == 6, seed.isMultiple(of: 3) {
                network.broker.restart(epoch: seed + 1_000)
                network.reconnect()
            }
            for _ in 0..<10 {
                network.run(seconds: 0.06) { Self.disturb(&$0, jobs, &random) }
                if let picture = network.picture() { viewer.take(picture) }
            }
        }
        network.isFaulty = false
        viewer.want(Set(all))
        network.machine.show(1, Set(all))
        for _ in 0..<60 {
            network.run(seconds: 0.1)
            if let picture = network.picture() { viewer.take(picture) }
        }
        for part in all {
            let expected = network.broker.tasks.filter { _, known in
                part == Self.page
                    ? known.parent == nil
                    : known.parent.map { part == .children(of: $0, block: 0) } ?? false
            }
            let shown = (viewer.members[part] ?? []).map { viewer.tasks[$0]?.completed }
            #expect(Set(viewer.members[part] ?? []) == Set(expected.keys), "seed \(seed)")
            #expect(
                shown.compactMap { $0 }.sorted() == expected.values.map(\.completed).sorted(),
                "seed \(seed)"
            )
        }
        #expect(viewer.steps.allSatisfy { $0 >= 0 }, "seed \(seed)")
    }

    private static func disturb(
        _ broker: inout SimulatedBroker,
        _ jobs: [TaskID],
        _ random: inout SplitMix64
    ) {
        guard let job = jobs.randomElement(using: &random) else { return }
        let children = broker.tasks.filter { $0.value.parent == job }.keys.sorted()
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where children.count < 6: _ = broker.begin("child", below: job)
        case 1:
            guard let child = children.randomElement(using: &random) else { return }
            broker.remove(child, reason: "forgotten")
        default:
            let task = (children + [job]).randomElement(using: &random) ?? job
            broker.change(task) {
                $0.completed += 1
                $0.fraction = Double.random(in: 0..<1, using: &random)
            }
        }
    }
}

/// Puts values together as a viewer does.
private struct Viewer {
    var members: [ViewportPart: [TaskID]] = [:]
    var tasks: [TaskID: TaskSnapshot] = [:]
    /// By how much what is shown of a task has risen.
    var steps: [Double] = []
    private var wanted: Set<ViewportPart> = []

    mutating func want(_ parts: Set<ViewportPart>) {
        wanted = parts
        members = members.filter { parts.contains($0.key) }
        drop()
    }

    mutating func take(_ picture: ViewportUpdate) {
        for (part, tasks) in picture.members where wanted.contains(part) { members[part] = tasks }
        for task in picture.changed {
            if let known = tasks[task.id] {
                // It may fall with what is reported.
                if task.fraction >= known.fraction {
                    steps.append(task.displayFraction - known.displayFraction)
                }
            }
            tasks[task.id] = task
        }
        drop()
    }

    private mutating func drop() {
        let shown = Set(members.values.joined())
        tasks = tasks.filter { shown.contains($0.key) }
    }
}
