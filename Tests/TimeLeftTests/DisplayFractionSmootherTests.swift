import TaskTree

@testable import TimeLeft
import TestSupport
import Testing

/// The fraction to draw: even, and never more than was reported.
@Suite struct DisplayFractionSmootherTests {
    /// How even a fraction ran.
    private struct Evenness {
        /// The largest distance from the share of the time that has passed.
        var farthest = 0.0
        var atFull = 0.0
        /// The share of seconds in which it did not move.
        var still = 0.0
        private var before = 0.0

        mutating func see(_ shown: Double, at time: Double, of trace: Trace) {
            farthest = max(farthest, abs(shown - time / trace.end))
            if shown >= 0.9899 { atFull += 1 / trace.end }
            if shown - before < 0.0001 { still += 1 / trace.end }
            before = shown
        }
    }

    /// How even what viewers see runs.
    private func drawn(_ trace: Trace) -> Evenness {
        var evenness = Evenness()
        var task = TaskObservation(at: trace.moment(0))
        var next = 0
        var (before, reported, last) = (0.0, 0.0, 0.0)
        for step in 1...Int(trace.end) {
            while next < trace.reports.count, trace.reports[next].time <= Double(step) {
                trace.observe(&task, report: next)
                reported = max(reported, trace.reported(at: trace.reports[next].time))
                next += 1
            }
            let shown = task.displayFraction(at: trace.moment(Double(step)))
            #expect(shown <= reported + 1e-9, "more than was reported, at \(step)")
            let said = trace.reported(at: Double(step))
            #expect(shown >= before || said < last || shown == said, "backwards at \(step)")
            last = said
            #expect(shown <= 0.99)
            before = shown
            evenness.see(shown, at: Double(step), of: trace)
        }
        return evenness
    }

    /// The same of what was reported, drawn as it is, but never backwards.
    private func plain(_ trace: Trace) -> Evenness {
        var evenness = Evenness()
        var shown = 0.0
        for step in 1...Int(trace.end) {
            shown = max(shown, min(0.99, trace.reported(at: Double(step))))
            evenness.see(shown, at: Double(step), of: trace)
        }
        return evenness
    }

    @Test func `work that slows down is drawn more evenly than it was reported`() {
        var (drawn, plain) = (0.0, 0.0)
        for seed in UInt64(1)...6 {
            let trace = Trace.flowing(seconds: 240, seed: seed) { 5 - 4 * $0 }
            drawn += self.drawn(trace).farthest
            plain += self.plain(trace).farthest
        }
        #expect(drawn < 0.7 * plain, "seeds 1 to 6: \(drawn / plain)")
    }

    @Test(arguments: 1...5)
    func `steady work is drawn as it is reported`(seed: Int) {
        let trace = Trace.flowing(seconds: 240, seed: UInt64(seed)) { _ in 1 }
        let drawn = drawn(trace)
        #expect(drawn.farthest < plain(trace).farthest + 0.02, "seed \(seed)")
        #expect(drawn.atFull < 0.02, "seed \(seed)")
    }

    @Test func `a slow end stands at 99 percent for less of the time`() {
        var (drawn, plain) = (0.0, 0.0)
        for seed in UInt64(1)...6 {
            let trace = Trace.flowing(seconds: 300, seed: seed) { $0 < 0.5 ? 20 : 1 }
            drawn += self.drawn(trace).atFull
            plain += self.plain(trace).atFull
        }
        #expect(drawn < 0.6 * plain, "seeds 1 to 6")
    }

    @Test(arguments: 1...5)
    func `work that becomes faster is drawn as it is reported`(seed: Int) {
        let shapes: [(Double) -> Double] = [{ 1 + 4 * $0 }, { $0 < 0.4 ? 1 : 4 }]
        for (shape, speed) in shapes.enumerated() {
            let trace = Trace.flowing(seconds: 240, seed: UInt64(seed), speed: speed)
            let (drawn, plain) = (drawn(trace).farthest, plain(trace).farthest)
            #expect(drawn < plain + 0.01, "shape \(shape), seed \(seed): \(drawn), \(plain)")
        }
    }

    @Test func `a total that goes on growing is expected to grow`() {
        var (drawn, plain) = (0.0, 0.0)
        for seed in UInt64(1)...6 {
            let trace = Trace.flowing(seconds: 240, seed: seed) { _ in 1 }
                .growing(from: 0.2, steps: 16, until: 0.5)
            drawn += self.drawn(trace).farthest
            plain += self.plain(trace).farthest
        }
        #expect(drawn < 0.6 * plain, "seeds 1 to 6: \(drawn / plain)")
    }

    @Test(arguments: 1...5)
    func `a total that was found out at the beginning is believed`(seed: Int) {
        let trace = Trace.flowing(seconds: 240, seed: UInt64(seed)) { _ in 1 }
            .growing(from: 0.2, steps: 10, until: 0.01)
        let (drawn, plain) = (drawn(trace).farthest, plain(trace).farthest)
        #expect(drawn < plain + 0.01, "seed \(seed): \(drawn), \(plain)")
    }

    @Test(arguments: 1...5)
    func `a total that grew once, late, holds little back`(seed: Int) {
        var trace = Trace.flowing(seconds: 240, seed: UInt64(seed)) { _ in 1 }
        trace.totals = [(0, trace.total * 9 / 10), (120, trace.total)]
        let (drawn, plain) = (drawn(trace).farthest, plain(trace).farthest)
        #expect(drawn < plain + 0.04, "seed \(seed): \(drawn), \(plain)")
    }

    @Test func `what comes in bursts is drawn evenly and not later`() {
        var (still, farther) = (0.0, 0.0)
        for seed in UInt64(1)...6 {
            let pauses = (0..<20).map { (number: Int) -> ClosedRange<Double> in
                let start = Double(number) / 20
                return start + 0.015...start + 0.045
            }
            let trace = Trace.flowing(seconds: 240, seed: seed, silent: pauses) { _ in 1 }
            let (drawn, plain) = (drawn(trace), plain(trace))
            still += drawn.still / plain.still
            farther += drawn.farthest - plain.farthest
        }
        #expect(still / 6 < 0.6, "seeds 1 to 6: \(still / 6)")
        #expect(farther / 6 < 0.005, "seeds 1 to 6: \(farther / 6)")
    }

    @Test func `a leap is drawn to within a twentieth at once`() {
        var task = TaskObservation(at: .init(nanoseconds: 0))
        let steps = Trace.items(10, seed: 1) { _ in 20 }
        for step in 0...3 { steps.observe(&task, report: step) }
        let shown = task.displayFraction(at: steps.moment(60))
        #expect(shown >= 0.25 && shown <= 0.3, "\(shown)")
    }
}
