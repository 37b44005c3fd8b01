/// Sums over a stretch of work in blocks: how much in how long, how unevenly, and with what trend.
///
/// Single precision is enough, as a stretch has at most some thousands of blocks.
struct Stretch: Sendable {
    /// Seconds.
    private(set) var time: Float = 0
    private(set) var work: Float = 0
    /// The sum of work times the moment it was done, in seconds since the beginning of the stretch.
    private var moment: Float = 0
    /// Squares of the deviations of blocks from the mean rate so far.
    private var spread: Float = 0
    private(set) var blocks: Float = 0

    /// Nothing yet.
    init() {}

    /// Work done before anybody observed it, assumed to be as even as work usually is.
    init(time: Float, work: Float) {
        let parts: Float = 16
        let usual = work / parts / 2
        self.time = time
        self.work = work
        moment = work * time / 2
        spread = parts * usual * usual
        blocks = parts
    }

    var rate: Float { work / time }
    var meanGap: Float { time / blocks }
    /// Squared deviations per second: how much the work of a second scatters.
    var scatter: Float { spread / time }

    /// How irregular the blocks are: 0 if all are the same, 1 if advances come at random (a Poisson
    /// process).
    var irregularity: Float {
        guard blocks > 2 else { return 0.5 }
        let mean = work / blocks
        return min(1, spread / blocks / (mean * mean))
    }

    mutating func add(gap: Float, work amount: Float) {
        let deviation = amount - (work + amount) / (time + gap) * gap
        moment += amount * (time + gap / 2)
        time += gap
        work += amount
        spread += deviation * deviation
        blocks += 1
    }

    /// How fast the rate rises (per second), by least squares, as far as that is significant.
    ///
    /// Scatter makes slopes too: a slope of three standard errors counts for nothing, one of five
    /// in full.
    func trend(scatter: Float) -> Float {
        guard blocks >= 12 else { return 0 }
        let (slope, error) = slope(scatter: scatter)
        guard error > 0 else { return slope }
        return slope * Confidence.grown(abs(slope) / error, from: 3, to: 5)
    }

    /// How fast the rate may be falling (per second, negative); 0 if a fall is not suspected.
    ///
    /// In regular work a slope of one standard error counts for nothing, one of three in full.
    /// Uneven work, whose neighbouring blocks resemble each other, needs up to five times as many.
    func suspectedFall(scatter: Float) -> Float {
        guard blocks >= 20 else { return 0 }
        let (slope, error) = slope(scatter: scatter)
        guard slope < 0, error > 0 else { return min(0, slope) }
        let errors = -slope / (error * (1 + 4 * irregularity))
        return slope * Confidence.grown(errors, from: 1, to: 3)
    }

    private func slope(scatter: Float) -> (slope: Float, error: Float) {
        let leverage = time * time * time / 12
        return ((moment - work * time / 2) / leverage, (scatter / leverage).squareRoot())
    }
}

/// How firmly something is believed.
enum Confidence {
    /// Rises smoothly from 0 to 1 while the evidence grows from one bound to the other.
    static func grown(_ evidence: Float, from low: Float, to high: Float) -> Float {
        let part = min(1, max(0, (evidence - low) / (high - low)))
        return part * part * (3 - 2 * part)
    }
}
