import BusProtocol
import TaskTree
import Testing

@testable import ProgressBus

@Suite("Parts of a followed job that other hosts do")
struct HostPartTests {
    /// A job with a part that another broker does, and below it another one of that kind.
    private func network(isOnce: Bool = false) -> (Network, job: TaskID, parts: [TaskID]) {
        var network = Network(isOnce: isOnce)
        let job = network.broker.begin("film")
        let scene = network.broker.begin("scene", below: job)
        network.broker.change(scene) { $0.isElsewhere = true }
        let frame = network.broker.begin("frame", below: scene)
        network.broker.change(frame) { $0.isElsewhere = true }
        _ = network.broker.begin("stroke", below: frame)
        return (network, job, [scene, frame])
    }

    private func value(_ network: inout Network) throws -> TaskSnapshot {
        let value = network.machine.nextValue(for: 1, at: network.now)
        guard case .task(let update)? = value else { throw Missing() }
        return update.task
    }

    private struct Missing: Error {}

    private func titles(below task: TaskSnapshot) -> [String] {
        task.children.flatMap { [$0.title] + titles(below: $0) }
    }

    @Test(
        "what is below them is in the picture, at its depth, and nothing is left out",
        arguments: [false, true]
    )
    func listed(isOnce: Bool) throws {
        var (network, job, _) = network(isOnce: isOnce)
        network.machine.follow(1, .task(job, job: job, depth: nil), at: network.now)
        network.run(seconds: 0.5)
        let film = try value(&network)
        #expect(titles(below: film) == ["scene", "frame", "stroke"])
        let frame = try #require(film.children.first?.children.first)
        #expect(frame.children.first?.depth == 3 && frame.children.first?.job == job)
        #expect(frame.childrenLeftOut == 0)
    }

    @Test("they are asked for as deep as wanted, from when something is below until nothing is")
    func asked() throws {
        var (network, job, parts) = network()
        network.machine.follow(1, .task(job, job: job, depth: 1), at: network.now)
        network.run(seconds: 0.5)
        #expect(titles(below: try value(&network)) == ["scene"])
        #expect(!network.subscribed.contains("job/\(parts[0])/"))

        network.machine.follow(2, .task(job, job: job, depth: 2), at: network.now)
        network.run(seconds: 0.5)
        #expect(network.subscribed.contains("job/\(parts[0])/"))
        #expect(!network.subscribed.contains("job/\(parts[1])/"))

        let late = network.broker.begin("late", below: job)
        network.broker.change(late) { $0.isElsewhere = true }
        network.run(seconds: 0.5)
        #expect(!network.subscribed.contains("job/\(late)/"))
        let below = network.broker.begin("below", below: late)
        network.broker.change(late) { $0.completed = 1 }
        network.run(seconds: 0.5)
        #expect(network.subscribed.contains("job/\(late)/"))
        network.broker.remove(below, reason: "succeeded")
        network.broker.change(late) { $0.completed = 2 }
        network.run(seconds: 0.5)
        #expect(!network.subscribed.contains("job/\(late)/"))
    }

    @Test("no more are asked for than the bound, those first that run, and none that has succeeded")
    func bounded() {
        var network = Network()
        let job = network.broker.begin("film")
        let states: [WireShownState] = [.failed, .succeeded, .running]
        for number in 0..<150 {
            let part = network.broker.begin("scene", below: job)
            network.broker.change(part) {
                $0.isElsewhere = true
                $0.state = number < 120 ? states[number % 2] : states[2]
            }
            _ = network.broker.begin("frame", below: part)
        }
        network.machine.follow(1, .task(job, job: job, depth: nil), at: network.now)
        network.run(seconds: 3)
        let asked = network.subscribed.filter { $0.hasPrefix("job/") && $0 != "job/\(job)/" }
        #expect(asked.count == FollowerMachine.hostPartLimit)
        let running = network.broker.tasks.filter {
            $0.value.isElsewhere && $0.value.state == .running
        }
        #expect(running.count == 30 && running.allSatisfy { asked.contains("job/\($0.key)/") })
    }

    @Test("below a task of the job they alone are asked for that are below it")
    func belowTask() {
        var (network, job, parts) = network()
        let other = network.broker.begin("titles", below: job)
        network.machine.follow(1, .task(other, job: job, depth: nil), at: network.now)
        network.run(seconds: 0.5)
        #expect(!network.subscribed.contains("job/\(parts[0])/"))
        network.machine.follow(2, .task(parts[0], job: job, depth: nil), at: network.now)
        network.run(seconds: 0.5)
        #expect(network.subscribed.contains("job/\(parts[1])/"))
    }

    @Test("a single picture does not wait for a host that does not answer")
    func mute() throws {
        var (network, job, parts) = network(isOnce: true)
        for number in 0..<3 {
            let other = network.broker.begin("other", below: parts[0])
            network.broker.change(other) { $0.isElsewhere = true }
            _ = network.broker.begin("dot \(number)", below: other)
            if number < 2 { network.withheld.insert("job/\(other)/") }
        }
        network.withheld.insert("job/\(parts[1])/")
        network.machine.follow(1, .task(job, job: job, depth: nil), at: network.now)
        network.run(seconds: 0.5)
        #expect(!network.machine.isOnceComplete)
        network.run(seconds: 0.4)
        #expect(network.machine.isOnceComplete)
        let shown = titles(below: try value(&network))
        #expect(shown == ["scene", "frame", "other", "other", "other", "dot 2"])
    }
}
