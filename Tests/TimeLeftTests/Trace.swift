import TaskTree

@testable import TimeLeft
import TestSupport

/// Progress of one task over time as it might really go, with the moment of its end known.
struct Trace {
    var reports: [(time: Double, completed: Int64)] = []
    let total: Int64
    /// What the total is said to be from a time on, until which less was known.
    var totals: [(time: Double, total: Int64)] = []
    var end: Double { reports.last?.time ?? 0 }

    /// Advances of random size every 0.3 s or so, with this mean speed at each part of the time.
    static func flowing(
        seconds: Double,
        seed: UInt64,
        silent: [ClosedRange<Double>] = [],
        speed: (Double) -> Double
    ) -> Trace {
        var random = SplitMix64(seed: seed)
        var (time, work) = (0.0, 0.0)
        var points = [(0.0, 0.0)]
        while time < seconds {
            let step = Double.random(in: 0.1...0.5, using: &random)
            let isSilent = silent.contains { $0.contains(time / seconds) }
            if !isSilent {
                work += step * speed(time / seconds) * Double.random(in: 0.5...1.5, using: &random)
            }
            time += step
            if !isSilent { points.append((time, work)) }
        }
        let total: Int64 = 1_000_000
        let scale = Double(total) / work
        var trace = Trace(total: total)
        trace.reports = points.map { ($0.0, min(total, Int64($0.1 * scale))) }
        trace.reports[trace.reports.count - 1].completed = total
        return trace
    }

    /// Items one after the other, each taking a random time.
    static func items(_ count: Int, seed: UInt64, duration: (inout SplitMix64) -> Double) -> Trace {
        var random = SplitMix64(seed: seed)
        var trace = Trace(reports: [(0, 0)], total: Int64(count))
        var time = 0.0
        for item in 1...count {
            time += duration(&random)
            trace.reports.append((time, Int64(item)))
        }
        return trace
    }

    /// Mean error of what is told, as a share of the true rest, between 2 and 98 % of the time;
    /// and how much it moves against a clock that runs down, per second.
    func judged(by tell: (_ time: Double) -> Double?) -> (error: Double, jitter: Double) {
        var (error, jitter, points) = (0.0, 0.0, 0.0)
        var before: Double?
        var time = 0.02 * end
        let step = max(0.5, end / 400)
        while time < 0.98 * end {
            let rest = end - time
            let told = tell(time)
            error += told.map { min(5, abs($0 - rest) / rest) } ?? 1
            if let told, let before { jitter += min(20, abs((told - before) / step + 1)) }
            before = told
            points += 1
            time += step
        }
        return (error / points, jitter / points)
    }

    /// What the estimator tells along the way.
    func replayed() -> (error: Double, jitter: Double) {
        var task = TaskObservation(at: moment(0))
        var next = 0
        return judged { time in
            while next < reports.count, reports[next].time <= time {
                observe(&task, report: next)
                next += 1
            }
            return task.secondsLeft(at: moment(time))
        }
    }

    /// What the mean over everything tells: elapsed time times rest over done.
    func averaged() -> (error: Double, jitter: Double) {
        judged { time in
            let done = Double(reports.last { $0.time <= time }?.completed ?? 0)
            return done > 0 ? time * (Double(total) - done) / done : nil
        }
    }

    /// This trace, while its total is found out in so many even steps until a part of the time.
    func growing(from first: Double, steps: Int, until part: Double) -> Trace {
        var trace = self
        trace.totals = (0...steps).map { step in
            let known = first + (1 - first) * Double(step) / Double(steps)
            return (end * part * Double(step) / Double(steps), Int64(Double(total) * known))
        }
        return trace
    }

    /// What the total is said to be at a time.
    func total(at time: Double) -> Int64 {
        totals.last { $0.time <= time }?.total ?? total
    }

    /// The fraction that was reported last.
    func reported(at time: Double) -> Double {
        guard let report = reports.last(where: { $0.time <= time }) else { return 0 }
        return min(1, Double(report.completed) / Double(total(at: report.time)))
    }

    func observe(_ task: inout TaskObservation, report: Int) {
        let (time, completed) = reports[report]
        let total = total(at: time)
        task.observe(
            completed: completed,
            total: total,
            fraction: Double(completed) / Double(total),
            load: Workload(done: Double(completed), extent: Double(total)),
            state: .running,
            advanced: report > 0,
            at: moment(time)
        )
    }

    func moment(_ seconds: Double) -> Moment {
        Moment(nanoseconds: 0).advanced(bySeconds: seconds)
    }
}
