import TaskTree
import TestSupport
import Testing

@testable import ProgressBus

@Suite("A follower of a changing tree")
struct ConvergenceTests {
    @Test(
        "ends up with the broker's state, whatever was lost, repeated or reordered",
        arguments: UInt64(1)...60
    )
    func convergesAfterFaults(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var network = Network(seed: seed)
        network.machine.follow(1, .board(depth: nil, messages: false), at: network.now)
        network.isFaulty = true
        network.run(seconds: 6) { Self.disturb(&$0, &random) }
        if seed.isMultiple(of: 3) {
            network.broker.restart(epoch: seed + 1_000) { $0.index.isMultiple(of: 2) || seed > 30 }
            network.reconnect()
            network.run(seconds: 3) { Self.disturb(&$0, &random) }
        }
        network.isFaulty = false
        network.run(seconds: 8)

        let board = network.board(1)
        #expect(board?.connection == .live, "seed \(seed)")
        let expected = Self.shape(of: network.broker)
        #expect(board.map(Self.shape) == expected, "seed \(seed)")
    }

    @Test("that was stopped for ten seconds ends up with the right picture")
    func convergesAfterStop() throws {
        var random = SplitMix64(seed: 9)
        var network = Network()
        network.machine.follow(1, .board(depth: nil, messages: false), at: network.now)
        network.run(seconds: 2) { Self.disturb(&$0, &random) }
        network.sleep(seconds: 10) { Self.disturb(&$0, &random) }
        network.run(seconds: 3)
        let board = try network.requireBoard(1)
        #expect(board.connection == .live)
        #expect(Self.shape(board) == Self.shape(of: network.broker))
    }

    @Test("that asks once gets the same picture as one that follows")
    func onceAgreesWithFollowing() throws {
        var random = SplitMix64(seed: 10)
        var network = Network()
        network.run(seconds: 2) { Self.disturb(&$0, &random) }
        var once = Network(broker: network.broker, isOnce: true)
        once.machine.follow(1, .board(depth: nil, messages: false), at: once.now)
        once.run(seconds: 1)
        #expect(once.machine.isOnceComplete)
        #expect(once.subscribed.isEmpty)
        network.followBoard(depth: nil)
        let one = try once.requireBoard(1)
        let other = try network.requireBoard(1)
        #expect(Self.shape(one) == Self.shape(other))
        #expect(one.broker?.version == "1.2.3")
    }

    /// A random change of the tree, sometimes.
    private static func disturb(_ broker: inout SimulatedBroker, _ random: inout SplitMix64) {
        guard random.oneIn(3) else { return }
        let ids = broker.tasks.keys.sorted()
        switch Int.random(in: 0..<10, using: &random) {
        case 0 where broker.jobs.count < 5:
            _ = broker.begin("job \(ids.count)")
        case 1, 2:
            guard ids.count < 40, let parent = ids.randomElement(using: &random) else { return }
            _ = broker.begin("child \(ids.count)", below: parent)
        case 3:
            guard let id = ids.randomElement(using: &random) else { return }
            // Whatever hangs below a child that goes keeps no parent and is not in the picture.
            guard !broker.tasks.values.contains(where: { $0.parent == id }) || id.isJob(in: broker)
            else { return }
            broker.remove(id, reason: "forgotten")
        case 4:
            guard let id = ids.randomElement(using: &random) else { return }
            broker.change(id) { $0.title += "'" }
        default:
            guard let id = ids.randomElement(using: &random) else { return }
            broker.change(id) { $0.completed += 1 }
        }
    }

    /// What must agree: who is below whom, with which title and amount.
    private static func shape(_ board: Board) -> [String] {
        func lines(_ task: TaskSnapshot) -> [String] {
            ["\(task.id) \(task.parent.map(String.init) ?? "-") \(task.title) \(task.completed)"]
                + task.children.flatMap(lines)
        }
        return board.jobs.flatMap(lines).sorted()
    }

    private static func shape(of broker: SimulatedBroker) -> [String] {
        func isReachable(_ id: TaskID) -> Bool {
            guard let known = broker.tasks[id] else { return false }
            return known.parent.map(isReachable) ?? true
        }
        return broker.tasks.filter { isReachable($0.key) }.map { id, known in
            "\(id) \(known.parent.map(String.init) ?? "-") \(known.title) \(known.completed)"
        }.sorted()
    }
}

extension TaskID {
    fileprivate func isJob(in broker: SimulatedBroker) -> Bool { broker.tasks[self]?.parent == nil }
}
