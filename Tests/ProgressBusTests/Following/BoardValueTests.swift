import BusProtocol
import TaskTree
import Testing

@testable import ProgressBus

@Suite("A tree from value to value")
struct BoardValueTests {
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

    @Test("a time left goes on without a word, and is not known once it has passed by ten seconds")
    func passedTimeLeft() throws {
        var network = Network()
        let jobs = ["short", "long", "news"].map { network.broker.begin($0) }
        for (job, left) in zip(jobs, [2.0, 60, 60]) {
            network.broker.change(job) { $0.secondsLeft = left }
        }
        network.followBoard(depth: 0)  // runs for half a second
        func shown(after seconds: Double) throws -> [Double?] {
            network.run(seconds: seconds)
            network.broker.change(jobs[2]) { $0.completed += 1 }
            network.run(seconds: 0.1)
            return try network.requireBoard(1).jobs.map { $0.secondsLeft?.rounded() }
        }
        #expect(try shown(after: 0) == [1, 59, 60])
        #expect(try shown(after: 6) == [0, 53, 60])
        #expect(try shown(after: 6) == [nil, 47, 60])
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
}
