/// The rate that viewers are shown: the recent rate mixed with the mean over everything.
///
/// The time left does not follow from it: see `PaceEstimator`. Time is active time in seconds, so
/// that pauses count for nothing. Recent is the last quarter of the whole, but no less than ten
/// seconds; older movement fades out.
struct ShownRate: Sendable {
    /// How much of the rate comes from recent movement.
    private static let recentWeight = 0.6
    /// In less time than this, in seconds, there is no rate: an early first step could give any.
    private static let leastTime = 1.0

    private var start: (time: Double, value: Double)
    private var last: (time: Double, value: Double)
    // Fading sums: single precision is more than anybody sees of a rate.
    private var recentTime: Float = 0
    private var recentValue: Float = 0

    /// Begins with a value that is no evidence yet.
    init(time: Double, value: Double) {
        start = (time, value)
        last = start
    }

    /// Observes the value at a time; a step back takes its evidence with it.
    mutating func observe(time: Double, value: Double) {
        guard value.isFinite, time.isFinite else { return }
        let elapsed = max(0, time - last.time)
        let decay = Self.decay(elapsed / window(at: time))
        if value < last.value {
            // A step back: the work that is still done took the same time.
            let ratio = last.value > 0 ? value / last.value : 0
            recentValue *= Float(ratio)
            start.value *= ratio
            last.value = value
        }
        recentTime = Float(Double(recentTime) * decay + elapsed)
        recentValue = Float(Double(recentValue) * decay + (value - last.value))
        last = (max(time, last.time), value)
    }

    /// Takes the value reached since time 0 as all evidence.
    mutating func restore(time: Double, value: Double) {
        start = (0, 0)
        last = (time, value)
        recentTime = 0
        recentValue = 0
    }

    /// Units per active second at this time; `nil` without evidence, and in the first second.
    func rate(at time: Double) -> Double? {
        let wholeTime = time - start.time
        let wholeValue = last.value - start.value
        guard wholeTime >= Self.leastTime, wholeValue > 0 else { return nil }
        let mean = wholeValue / wholeTime
        let idle = max(0, time - last.time)
        let span = Double(recentTime) + idle
        guard recentTime > 0, span > 0 else { return Self.positive(mean) }
        let recent = Double(recentValue) / span
        // Little recent evidence weighs little.
        let weight = Self.recentWeight * min(1, span / window(at: time) * 2)
        return Self.positive(weight * recent + (1 - weight) * mean)
    }

    private func window(at time: Double) -> Double {
        max(10, (time - start.time) / 4)
    }

    private static func positive(_ rate: Double) -> Double? {
        rate > 0 && rate.isFinite ? rate : nil
    }

    /// Near exp(−x) for x ≥ 0, without a mathematics library.
    private static func decay(_ x: Double) -> Double {
        1 / (1 + x + x * x / 2 + x * x * x / 6)
    }
}
