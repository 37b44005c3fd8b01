import TaskTree

@testable import TimeLeft
import Testing

/// Time left of tasks whose children work side by side.
@Suite struct ParallelismTests {
    /// A tree and what is observed of it, as a broker keeps them.
    private struct Bus {
        var tree = ProgressTree()
        var seen: [TaskID: TaskObservation] = [:]
        var version: UInt64 = 0
        let job = task(0)

        func moment(_ seconds: Double) -> Moment {
            Moment(nanoseconds: 0).advanced(bySeconds: seconds)
        }

        mutating func begin(_ id: TaskID, _ description: TaskDescription, total: Int64?) {
            version += 1
            tree.describe(id, description, version: version)
            measure(id, 0, of: total)
        }

        mutating func measure(_ id: TaskID, _ completed: Int64, of total: Int64?) {
            version += 1
            let amounts = TaskAmounts(completed: completed, total: total)
            tree.measure(id, amounts, version: version)
        }

        mutating func succeed(_ id: TaskID) {
            version += 1
            tree.state(id, .succeeded, version: version)
        }

        mutating func settle(at seconds: Double) {
            let now = moment(seconds)
            for id in tree.settle().progressed {
                guard let view = tree.view(id) else { continue }
                var observation = seen[id] ?? TaskObservation(at: now)
                let telling = observation.observe(
                    completed: view.amounts.completed,
                    total: view.amounts.total,
                    fraction: view.fraction,
                    load: view.load,
                    state: view.state,
                    advanced: true,
                    at: now
                )
                seen[id] = observation
                guard let parent = view.parent, case .seconds(let left) = telling else { continue }
                seen[parent]?.noteChild(id, secondsLeft: left, at: now)
            }
        }

        func left(at seconds: Double) -> Double? { seen[job]?.secondsLeft(at: moment(seconds)) }
    }

    @Test func `a job lasts as long as its slowest child`() throws {
        var bus = Bus()
        bus.begin(bus.job, .job(), total: 2)
        bus.begin(task(1), .child(of: bus.job), total: 1_000)
        bus.begin(task(2), .child(of: bus.job), total: 1_000)
        for second in 0...30 {
            bus.measure(task(1), Int64(second) * 5, of: 1_000)
            bus.measure(task(2), Int64(second) * 25, of: 1_000)
            bus.settle(at: Double(second))
        }
        // The first needs 200 s, the second 40 s; the mean of both would say 37 s.
        let left = try #require(bus.left(at: 30))
        #expect(abs(left - 170) < 20)
    }

    @Test func `when its slowest child ends early, a job looks at the others`() throws {
        var bus = Bus()
        bus.begin(bus.job, .job(), total: 2)
        bus.begin(task(1), .child(of: bus.job), total: 1_000)
        bus.begin(task(2), .child(of: bus.job), total: 1_000)
        for second in 0...35 {
            if second < 20 { bus.measure(task(1), Int64(second) * 5, of: 1_000) }
            if second == 20 { bus.succeed(task(1)) }
            bus.measure(task(2), Int64(second) * 25, of: 1_000)
            bus.settle(at: Double(second))
        }
        let left = try #require(bus.left(at: 35))
        #expect(abs(left - 5) < 4)
    }

    @Test func `what has not begun is done by as many as work now`() throws {
        var bus = Bus()
        bus.begin(bus.job, .job(), total: 40)
        var running: [Int: Int64] = [:]
        var next = 1
        for second in 0...60 {
            while running.count < 4 {
                bus.begin(task(next), .child(of: bus.job), total: 20)
                running[next] = 0
                next += 1
            }
            for (child, done) in running.sorted(by: { $0.key < $1.key }) {
                running[child] = done + 1
                if done + 1 >= 20 {
                    bus.succeed(task(child))
                    running[child] = nil
                } else {
                    bus.measure(task(child), done + 1, of: 20)
                }
            }
            bus.settle(at: Double(second))
        }
        // 40 children of 20 s, four at a time: 200 s in all.
        let left = try #require(bus.left(at: 60))
        #expect(abs(left - 139) < 15)
    }

    @Test func `children that were begun before their turn are as fast as they are then`() throws {
        var bus = Bus()
        bus.begin(bus.job, .job(), total: 6)
        for child in 1...6 { bus.begin(task(child), .child(of: bus.job), total: 20) }
        // One after the other, 10 s each.
        for half in 1...110 {
            let (child, done) = ((half - 1) / 20 + 1, Int64((half - 1) % 20 + 1))
            bus.measure(task(child), done, of: 20)
            if done == 20 { bus.succeed(task(child)) }
            let time = Double(half) / 2
            bus.settle(at: time)
            guard time >= 10 else { continue }
            let left = try #require(bus.left(at: time))
            #expect(left < 2 * (60 - time) + 10, "\(left) s at \(time) s")
        }
    }

    @Test func `children that tell nothing have done something`() throws {
        var bus = Bus()
        bus.begin(bus.job, .job(), total: 8)
        for second in 0...35 {
            // One after the other, 10 s each.
            if second % 10 == 0 {
                if second > 0 { bus.succeed(task(second / 10)) }
                bus.begin(task(second / 10 + 1), .child(of: bus.job), total: nil)
            }
            bus.settle(at: Double(second))
        }
        let left = try #require(bus.left(at: 35))
        #expect(abs(left - 45) < 12)
        let load = try #require(bus.tree.view(bus.job)?.load)
        #expect(load.running == 1)
        #expect(load.mute == 1)
        #expect(load.underWay == 1)
        #expect(load.activeWorkers == 1)
    }

    @Test func `activeWorkers are counted at the bottom of the tree`() throws {
        var bus = Bus()
        bus.begin(bus.job, .job(), total: 2)
        bus.begin(task(1), .child(of: bus.job), total: 5)
        for child in 2...4 { bus.begin(task(child), .child(of: task(1)), total: 10) }
        bus.settle(at: 0)
        #expect(bus.tree.view(bus.job)?.load.unmovedWorkers == 4)
        #expect(bus.tree.view(task(1))?.load.running == 3)
        bus.succeed(task(2))
        bus.measure(task(3), 5, of: 10)
        bus.settle(at: 1)
        let load = try #require(bus.tree.view(task(1))?.load)
        #expect(load.activeWorkers == 1 && load.unmovedWorkers == 1)
        #expect(load.hands(before: 1) == 1 && load.hands(before: 3) == 2)
        #expect(load.underWay == 0.5)
        #expect(load.done == 1.5)
        for child in 3...4 { bus.succeed(task(child)) }
        bus.settle(at: 2)
        #expect(bus.tree.view(bus.job)?.load.activeWorkers == 1)
    }
}
