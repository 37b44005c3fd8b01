/// How long the rest of a task's work takes, from how the work went so far.
///
/// Work is gathered in blocks, about 256 of them in the life of the task. The mean rate since the
/// last change of pace counts, with its trend; changes are found by `Drift`. Protocol/TIME-LEFT.md
/// says why. Constant cost and size; the same observations always give the same numbers.
struct PaceEstimator: Sendable {
    private static let leastBlock = 0.2
    private static let blocksPerLife = 256.0
    /// A single block is no more evidence than this many standard deviations.
    private static let greatestDeviation: Float = 3
    /// A silence of more mean gaps than this is unusual.
    private static let longestSilence: Float = 3
    /// A trend changes the rate at most by this factor, downwards.
    private static let greatestFall: Float = 3
    /// Fewer blocks than this say nothing about silences.
    private static let earlyBlocks: Float = 8

    private var begun: Double
    /// Done so far.
    private(set) var work: Double
    private var lastAdvance: Double
    private var blockBegun: Double
    /// The unit that work is counted in, so that single precision is enough for all magnitudes.
    private let unit: Double
    private var blockWork: Float = 0
    private var stretch = Stretch()
    private var faster = Drift()
    private var slower = Drift()
    private var scatter = Scatter()
    private var gaps = LongestGaps()

    /// Begins with work that is no evidence yet; `extent` is about how much there is altogether.
    init(time: Double, work: Double, extent: Double?) {
        begun = time
        lastAdvance = time
        blockBegun = time
        self.work = work
        unit = max(1, extent ?? work)
    }

    /// Begins with the work done since time 0 as all evidence.
    init(restored time: Double, work: Double, extent: Double?) {
        self.init(time: time, work: work, extent: extent)
        begun = 0
        guard time > 0, work > 0 else { return }
        stretch = Stretch(time: Float(time), work: Float(work / unit))
        gaps = LongestGaps(usual: stretch.meanGap)
    }

    /// Observes the work done at a time; less than before means that work is to be done again.
    ///
    /// `grain`: work below which neighbouring advances are not independent of each other.
    mutating func observe(time: Double, work: Double, grain: Double = 0) {
        guard time.isFinite, work.isFinite else { return }
        let advance = work - self.work
        self.work = work
        guard advance > 0, time >= lastAdvance else { return }
        if lastAdvance == begun, time - begun < Self.leastBlock {
            // Reported at once, as by a program that counts what it begins with: this work took no
            // time.
            (lastAdvance, blockBegun) = (time, time)
            return
        }
        blockWork += Float(advance / unit)
        lastAdvance = time
        let gap = time - blockBegun
        guard gap >= max(Self.leastBlock, (time - begun) / Self.blocksPerLife),
            Double(blockWork) * unit >= grain
        else { return }
        addBlock(gap: Float(gap), work: blockWork)
        blockBegun = time
        blockWork = 0
    }

    /// Seconds that `rest` more work will take from this time on.
    ///
    /// `nil` without evidence, or if all of it should be done by now and nothing was heard.
    func secondsLeft(for rest: Double, at time: Double) -> Double? {
        let stretch = stretchUntilNow
        guard stretch.work > 0, stretch.time >= Float(Self.leastBlock) else { return nil }
        let rest = Float(max(0, rest) / unit)
        var left = duration(of: rest, at: stretch)
        let drift = strongerDrift
        let confidence = drift.confidence
        if confidence > 0 {
            left += (rest / drift.since.rate - left) * confidence
        }
        let idle = Float(max(0, time - lastAdvance))
        guard left.isFinite, idle <= max(left, Self.longestSilence * stretch.meanGap) else {
            return nil
        }
        return Double(left - waited(idle, of: left))
    }

    /// How unevenly work is done: see `Stretch`.
    var irregularity: Float { stretch.irregularity }

    /// Whether the evidence is at most one block of work, as after the first advance.
    var isOfOneAdvance: Bool { stretchUntilNow.blocks < 2 }

    /// Seconds left to draw by, where the estimate for the rest is told.
    ///
    /// A suspected fall of the rate counts here with less evidence than in the estimate. A sudden
    /// change for the worse counts only when it is certain: otherwise a bar would lag after a mere
    /// silence.
    func cautious(_ estimate: Double, for rest: Double) -> Double {
        let whole = stretchUntilNow
        let rest = Float(max(0, rest) / unit)
        let even = Double(rest / whole.rate)
        var seconds = even < estimate ? even : estimate
        let fall = whole.suspectedFall(scatter: scatter.perSecond(of: stretch))
        if fall < 0 { seconds = max(seconds, Double(duration(of: rest, at: whole, trend: fall))) }
        return seconds.isFinite ? seconds : estimate
    }

    /// How much of the time left has passed since the last advance.
    ///
    /// Regular advances come nearer during a silence; irregular ones do not.
    private func waited(_ idle: Float, of left: Float) -> Float {
        min(idle, stretch.meanGap, left) * (1 - stretch.irregularity)
    }

    /// The stretch with the block that is not yet full.
    private var stretchUntilNow: Stretch {
        var stretch = stretch
        let gap = lastAdvance - blockBegun
        if blockWork > 0, gap > 0 { stretch.add(gap: Float(gap), work: blockWork) }
        return stretch
    }

    private var strongerDrift: Drift { faster.isStronger(than: slower) ? faster : slower }

    private mutating func addBlock(gap: Float, work: Float) {
        let gap = gaps.counted(gap, isEarly: stretch.blocks < Self.earlyBlocks)
        if stretch.blocks == 1 { correctFirst(expected: gap / work * stretch.work) }
        if stretch.blocks >= 2 { compare(gap: gap, work: work) }
        stretch.add(gap: gap, work: work)
        let drift = strongerDrift
        if drift.isCertain { begin(with: drift.since) }
        if !stretch.work.isFinite || !stretch.time.isFinite { begin(with: Stretch()) }
    }

    /// Corrects the time of the first block: the task may have waited for its turn, or reported
    /// work that it begins with.
    ///
    /// That time counts at least as long as the second block lets expect, and at most twice as
    /// long.
    private mutating func correctFirst(expected: Float) {
        let (gap, work) = (min(max(stretch.time, expected), 2 * expected), stretch.work)
        stretch = Stretch()
        stretch.add(gap: gap, work: work)
    }

    /// Compares a block with what the ones before it let expect.
    private mutating func compare(gap: Float, work: Float) {
        let scattered = scatter.perSecond(of: stretch)
        let rate = presentRate(stretch.trend(scatter: scattered))
        let deviation = work - rate * gap
        scatter.add(deviation: deviation, gap: gap)
        // Few blocks show too little scatter: one more is assumed that deviates by half its work.
        let mean = stretch.meanGap
        let doubt = rate * mean / 2
        let variance = (scattered * stretch.time + doubt * doubt) / (stretch.time + mean)
        let standard = deviation / (variance * gap).squareRoot()
        guard standard.isFinite else { return }
        let limit = Self.greatestDeviation
        let held = min(limit, max(-limit, standard))
        faster.add(deviation: held, gap: gap, work: work)
        slower.add(deviation: -held, gap: gap, work: work)
    }

    private mutating func begin(with stretch: Stretch) {
        self.stretch = stretch
        faster = Drift()
        slower = Drift()
        scatter = Scatter()
        gaps = LongestGaps(usual: stretch.blocks > 0 ? stretch.meanGap : 0)
    }

    /// The rate at the end of the stretch.
    private func presentRate(_ trend: Float) -> Float {
        max(stretch.rate / Self.greatestFall, stretch.rate + trend * stretch.time / 2)
    }

    /// How long the work takes if the trend goes on for as long as it has gone on, but no longer.
    private func duration(of rest: Float, at stretch: Stretch) -> Float {
        let trend = stretch.trend(scatter: scatter.perSecond(of: stretch))
        guard trend != 0, !faster.isSuspected, !slower.isSuspected else {
            return rest / stretch.rate
        }
        return duration(of: rest, at: stretch, trend: trend)
    }

    private func duration(of rest: Float, at stretch: Stretch, trend: Float) -> Float {
        let rate = presentRate(trend)
        var horizon = stretch.time
        if trend < 0 { horizon = min(horizon, rate * (1 - 1 / Self.greatestFall) / -trend) }
        let then = rate + trend * horizon
        let within = (rate + then) / 2 * horizon
        guard within < rest else {
            return 2 * rest / (rate + max(0, rate * rate + 2 * trend * rest).squareRoot())
        }
        return horizon + (rest - within) / then
    }
}
