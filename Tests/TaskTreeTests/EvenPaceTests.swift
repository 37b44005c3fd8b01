import TaskTree
import TestSupport
import Testing

/// The fraction to draw: even, and never more than was reported.
@Suite struct EvenPaceTests {
    /// The largest distance from the share of the time, and the share of time at 99 %.
    private func drawn(_ trace: Trace) -> (farthest: Double, nearlyFull: Double) {
        var task = TaskObservation(at: trace.moment(0))
        var next = 0
        var (farthest, nearlyFull, before, reported) = (0.0, 0.0, 0.0, 0.0)
        for step in 1...Int(trace.end) {
            while next < trace.reports.count, trace.reports[next].time <= Double(step) {
                trace.observe(&task, report: next)
                reported = max(
                    reported,
                    Double(trace.reports[next].completed) / Double(trace.total)
                )
                next += 1
            }
            let shown = task.displayFraction(at: trace.moment(Double(step)))
            #expect(shown <= reported + 1e-9, "more than was reported, at \(step)")
            #expect(shown >= before, "backwards at \(step)")
            #expect(shown <= 0.99)
            before = shown
            farthest = max(farthest, abs(shown - Double(step) / trace.end))
            if shown >= 0.9899 { nearlyFull += 1 / trace.end }
        }
        return (farthest, nearlyFull)
    }

    /// The same of what was reported, drawn as it is.
    private func plain(_ trace: Trace) -> (farthest: Double, nearlyFull: Double) {
        var (farthest, nearlyFull) = (0.0, 0.0)
        for step in 1...Int(trace.end) {
            let report = trace.reports.last { $0.time <= Double(step) }
            let shown = min(0.99, Double(report?.completed ?? 0) / Double(trace.total))
            farthest = max(farthest, abs(shown - Double(step) / trace.end))
            if shown >= 0.9899 { nearlyFull += 1 / trace.end }
        }
        return (farthest, nearlyFull)
    }

    @Test func `work that slows down is drawn more evenly than it was reported`() {
        var (drawn, plain) = (0.0, 0.0)
        for seed in UInt64(1)...6 {
            let trace = Trace.flowing(seconds: 240, seed: seed) { 5 - 4 * $0 }
            drawn += self.drawn(trace).farthest
            plain += self.plain(trace).farthest
        }
        #expect(drawn < 0.92 * plain, "seeds 1 to 6")
    }

    @Test(arguments: 1...5)
    func `steady work is drawn as it is reported`(seed: Int) {
        let trace = Trace.flowing(seconds: 240, seed: UInt64(seed)) { _ in 1 }
        let drawn = drawn(trace)
        #expect(drawn.farthest < plain(trace).farthest + 0.02, "seed \(seed)")
        #expect(drawn.nearlyFull < 0.02, "seed \(seed)")
    }

    @Test func `a slow end stands at 99 percent for less of the time`() {
        var (drawn, plain) = (0.0, 0.0)
        for seed in UInt64(1)...6 {
            let trace = Trace.flowing(seconds: 300, seed: seed) { $0 < 0.5 ? 20 : 1 }
            drawn += self.drawn(trace).nearlyFull
            plain += self.plain(trace).nearlyFull
        }
        #expect(drawn < 0.6 * plain, "seeds 1 to 6")
    }
}
