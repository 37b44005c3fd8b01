import TaskTree

@testable import TimeLeft
import TestSupport
import Testing

/// How good the time left is for each kind of work; the limits are a quarter above what it reaches.
@Suite struct TimeLeftTests {
    /// A kind of work, and how wrong (share of the rest) and how restless the estimate may be.
    struct Kind: CustomTestStringConvertible, Sendable {
        var name: String
        var error: Double
        var jitter: Double
        /// At most this share of the error of the plain average.
        var besideAverage: Double
        var make: @Sendable (UInt64) -> Trace
        var testDescription: String { name }
    }

    static let kinds = [
        Kind(name: "steady", error: 0.05, jitter: 0.22, besideAverage: 1.4) { seed in
            .flowing(seconds: 200, seed: seed) { _ in 1 }
        },
        Kind(name: "faster and faster", error: 0.5, jitter: 2.2, besideAverage: 0.45) { seed in
            .flowing(seconds: 200, seed: seed) { 1 + 4 * $0 }
        },
        Kind(name: "slower and slower", error: 0.31, jitter: 0.8, besideAverage: 0.6) { seed in
            .flowing(seconds: 200, seed: seed) { 5 - 4 * $0 }
        },
        Kind(name: "suddenly slow", error: 0.37, jitter: 0.5, besideAverage: 0.55) { seed in
            .flowing(seconds: 300, seed: seed) { $0 < 0.4 ? 5 : 1 }
        },
        Kind(name: "one silence", error: 0.17, jitter: 0.45, besideAverage: 0.5) { seed in
            .flowing(seconds: 200, seed: seed, silent: [0.3...0.5]) { _ in 1 }
        },
        Kind(name: "few steps", error: 0.44, jitter: 0.6, besideAverage: 0.95) { seed in
            .items(12, seed: seed) { .random(in: 4...16, using: &$0) }
        },
        Kind(name: "items of all sizes", error: 0.43, jitter: 1.45, besideAverage: 1.2) { seed in
            .items(100, seed: seed) { $0.oneIn(8) ? 8 : .random(in: 0.2...1.8, using: &$0) }
        },
    ]

    @Test(arguments: kinds)
    func `the time left is as right and as calm as it was`(kind: Kind) {
        var (error, jitter, average) = (0.0, 0.0, 0.0)
        for seed in UInt64(1)...6 {
            let trace = kind.make(seed)
            let told = trace.replayed()
            error += told.error / 6
            jitter += told.jitter / 6
            average += trace.averaged().error / 6
        }
        #expect(error <= kind.error, "seeds 1 to 6")
        #expect(jitter <= kind.jitter, "seeds 1 to 6")
        #expect(error <= kind.besideAverage * average, "seeds 1 to 6, average \(average)")
    }

    @Test func `soon after a change of pace the estimate is near the truth, and stays there`() {
        let trace = Trace.flowing(seconds: 300, seed: 7) { $0 < 0.4 ? 5 : 1 }
        var task = TaskObservation(at: trace.moment(0))
        for (place, report) in trace.reports.enumerated() {
            trace.observe(&task, report: place)
            guard report.time > 138, report.time < 290 else { continue }
            let left = task.secondsLeft(at: trace.moment(report.time)) ?? 0
            let rest = trace.end - report.time
            #expect(abs(left - rest) <= 0.3 * rest + 2, "at \(report.time)")
        }
    }

    @Test func `the same observations give the same numbers, and none later than asked for`() {
        let trace = Trace.flowing(seconds: 100, seed: 3, silent: [0.5...0.6]) { 1 + $0 }
        var whole = TaskObservation(at: trace.moment(0))
        var asked = whole
        for place in trace.reports.indices {
            trace.observe(&whole, report: place)
            trace.observe(&asked, report: place)
            // Asking changes nothing.
            for later in 0..<3 {
                _ = asked.secondsLeft(at: trace.moment(trace.reports[place].time + Double(later)))
            }
            let now = trace.moment(trace.reports[place].time)
            #expect(whole.secondsLeft(at: now) == asked.secondsLeft(at: now))
            #expect(whole.displayFraction(at: now) == asked.displayFraction(at: now))
        }
    }

    @Test func `regular steps come nearer between reports`() throws {
        let trace = Trace.items(20, seed: 1) { _ in 10 }
        var task = TaskObservation(at: trace.moment(0))
        for place in 0...10 { trace.observe(&task, report: place) }
        let before = try #require(task.secondsLeft(at: trace.moment(100)))
        let after = try #require(task.secondsLeft(at: trace.moment(108)))
        #expect(abs(before - 100) < 3)
        #expect(before - after > 6)
    }

    @Test func `pauses count for nothing`() throws {
        var task = TaskObservation(at: Moment(nanoseconds: 0))
        func see(_ completed: Int64, _ state: TaskState, at seconds: Double) {
            task.observe(
                completed: completed,
                total: 100,
                fraction: Double(completed) / 100,
                load: Workload(done: Double(completed), extent: 100),
                state: state,
                advanced: true,
                at: Moment(nanoseconds: 0).advanced(bySeconds: seconds)
            )
        }
        for second in 0...20 { see(Int64(second), .running, at: Double(second)) }
        see(20, .paused, at: 20)
        see(20, .running, at: 5_020)
        for second in 21...25 { see(Int64(second), .running, at: 5_000 + Double(second)) }
        let now = Moment(nanoseconds: 0).advanced(bySeconds: 5_025)
        let left = try #require(task.secondsLeft(at: now))
        #expect(abs(left - 75) < 8)
    }

    @Test func `work without a total has no time left until there is one`() throws {
        var task = TaskObservation(at: Moment(nanoseconds: 0))
        for second in 0...30 {
            let total: Int64? = second < 20 ? nil : 300
            task.observe(
                completed: Int64(second) * 3,
                total: total,
                fraction: total == nil ? 0 : Double(second) / 100,
                load: Workload(done: Double(second) * 3, extent: total.map(Double.init)),
                state: .running,
                advanced: true,
                at: Moment(nanoseconds: 0).advanced(bySeconds: Double(second))
            )
            let now = Moment(nanoseconds: 0).advanced(bySeconds: Double(second))
            let left = task.secondsLeft(at: now)
            #expect((left == nil) == (second < 20), "at \(second)")
            if second == 30 { #expect(abs((left ?? 0) - 70) < 5) }
        }
    }
}
