/// How good estimates were, by the definitions of the `eta` measure: smaller is better.
struct Verdict {
    /// Mean of |told − true| over the true rest, at most 5; nothing shown counts 1.
    private(set) var error = 0.0
    /// Mean of |change of what was told per second + 1|, at most 20: 0 for a clock that runs down.
    private(set) var jitter = 0.0
    private var count = 0.0

    /// Adds a job; `estimates` belong to the sights, the last of which is the end.
    mutating func add(_ sights: [Play.Sight], _ estimates: [Double?]) {
        let end = sights.last?.time ?? 0
        guard end > 0 else { return }
        var (error, points) = (0.0, 0.0)
        var (jitter, steps) = (0.0, 0.0)
        for (place, sight) in sights.enumerated() {
            if (0.02...0.98).contains(sight.time / end) {
                let rest = end - sight.time
                error += estimates[place].map { min(5, abs($0 - rest) / rest) } ?? 1
                points += 1
            }
            let before = place - 8
            if before >= 0, let old = estimates[before], let new = estimates[place] {
                jitter += min(20, abs((new - old) / (sight.time - sights[before].time) + 1))
                steps += 1
            }
        }
        self.error += error / max(1, points)
        self.jitter += steps > 0 ? jitter / steps : 20
        count += 1
    }

    var meanError: Double { error / max(1, count) }
    var meanJitter: Double { jitter / max(1, count) }
}
