import BusProtocol
import TaskTree
import TestSupport
import Testing

@testable import ProgressBus

@Suite("A tree that is kept from value to value")
struct ComposedTreeTests {
    @Test(
        "is what composing everything anew gives, whatever happened in between",
        arguments: UInt64(1)...24
    )
    func equalsComposingAnew(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var network = Network(seed: seed)
        let depth = [nil, 0, 1, 2, nil, nil][Int(seed % 6)]
        network.machine.follow(1, .board(depth: nil, messages: false), at: network.now)
        network.isFaulty = seed.isMultiple(of: 4)
        for number in 0..<4 { _ = network.broker.begin("job \(number)") }
        network.run(seconds: 1)
        var kept: [TaskID: ComposedTree] = [:]
        var updated = 0
        for step in 0..<300 {
            if step == 200, seed.isMultiple(of: 3) {
                network.broker.restart(epoch: seed + 1_000)
                network.reconnect()
            }
            network.run(seconds: 0.01) { broker in
                for _ in 0..<Int.random(in: 0..<4, using: &random) {
                    Self.disturb(&broker, &random)
                }
            }
            // Consumers do not see every change.
            guard random.oneIn(2) else { continue }
            let now = try #require(network.machine.brokerNow(at: network.now))
            for job in network.broker.jobs {
                guard let topic = network.machine.topics[.job(job)], let held = topic.held,
                    let root = held.rows[job]
                else { continue }
                let revision = topic.revision
                let anew = ComposedTree(root, in: held, at: revision, depth: depth, now: now)
                if kept[job]?.update(to: held, revision: revision, now: now) == true {
                    updated += 1
                    let isEqual = kept[job]?.snapshot == anew.snapshot
                    try #require(isEqual, "seed \(seed), step \(step), depth \(depth ?? -1)")
                } else {
                    kept[job] = anew
                }
            }
        }
        // Where much is lost most pictures are new ones.
        #expect(updated > (network.isFaulty ? 0 : 200), "seed \(seed)")
    }

    @Test("leaves the values that were given out as they were")
    func leavesFormerValues() throws {
        var network = Network()
        let job = network.broker.begin("job")
        let child = network.broker.begin("child", below: job)
        network.followBoard(depth: nil)
        let before = try network.requireBoard(1)
        network.broker.change(child) { $0.completed = 7 }
        network.run(seconds: 0.1)
        let after = try network.requireBoard(1)
        #expect(before.jobs.first?.children.map(\.completed) == [0])
        #expect(after.jobs.first?.children.map(\.completed) == [7])
    }

    @Test("makes the durations of what has not changed new with the rest")
    func renewsDurations() throws {
        var network = Network()
        let job = network.broker.begin("job")
        let (one, other) = (
            network.broker.begin("one", below: job), network.broker.begin("other", below: job)
        )
        network.broker.change(other) { $0.state = .failed }
        network.followBoard(depth: nil)
        let before = try network.requireBoard(1).jobs[0].children
        network.run(seconds: 0.5)
        network.broker.change(job) { $0.completed = 1 }
        network.run(seconds: 0.1)
        let after = try network.requireBoard(1).jobs[0].children
        #expect(after.map(\.id) == [one, other])
        let grown = try zip(before, after).map {
            try #require($1.elapsed) - #require($0.elapsed)
        }
        #expect(abs(grown[0] - 0.6) < 0.02)
        #expect(grown[1] == 0)
    }

    /// A random change of the tree: amounts for the most part, else what there is and where.
    private static func disturb(_ broker: inout SimulatedBroker, _ random: inout SplitMix64) {
        let ids = broker.tasks.keys.sorted()
        guard let id = ids.randomElement(using: &random), let known = broker.tasks[id] else {
            return
        }
        switch Int.random(in: 0..<40, using: &random) {
        case 0 where ids.count < 40:
            _ = broker.begin("child \(ids.count)", below: id)
        case 1 where known.parent != nil:
            broker.remove(id, reason: "forgotten")
        case 2:
            broker.change(id) { $0.title += "'" }
        case 3 where known.parent != nil:
            // Below any other task of its job, were it one of its own.
            let others = ids.filter { broker.tasks[$0]?.job == known.job && $0 != id }
            let parent = others.randomElement(using: &random)
            broker.change(id) {
                $0.parent = parent
                $0.title += "."
            }
        case 4 where known.parent != nil:
            let place = UInt32.random(in: 1..<50, using: &random)
            broker.change(id) {
                $0.place = place
                $0.title += ","
            }
        case 5...12:
            let states: [WireShownState] = [
                .running, .failed, .paused, .cancelling, .succeeded, .waiting,
            ]
            let state = states.randomElement(using: &random) ?? .running
            broker.change(id) { $0.state = state }
        default:
            broker.change(id) { $0.completed += 1 }
        }
    }
}
