/// Evidence that the rate has changed in one direction, and the work done since it did.
///
/// Page's cumulative sum: each block adds how much it deviates, in standard deviations, less what
/// chance adds; at zero the change has not begun. So the work since is that at the new rate alone.
struct Drift: Sendable {
    /// What a block has to deviate by to count as evidence at all.
    private static let allowance: Float = 0.75
    /// From here on the new rate is believed, a little at first.
    private static let doubt: Float = 3
    /// From here on altogether.
    private static let belief: Float = 6
    /// From here on nothing before the change counts any more, if so many blocks agree.
    private static let certainty: Float = 8
    private static let leastBlocks: Float = 8

    private var evidence: Float = 0
    private(set) var since = Stretch()

    /// How far the new rate is believed, from 0 to 1.
    var confidence: Float {
        since.work > 0 ? Confidence.grown(evidence, from: Self.doubt, to: Self.belief) : 0
    }

    var isSuspected: Bool { evidence >= Self.doubt }
    var isCertain: Bool {
        evidence > Self.certainty && since.blocks >= Self.leastBlocks && since.work > 0
    }

    func isStronger(than other: Drift) -> Bool { evidence > other.evidence }

    /// `deviation`: how far the block points in the direction, in standard deviations.
    mutating func add(deviation: Float, gap: Float, work: Float) {
        evidence += deviation - Self.allowance
        if evidence > 0 {
            since.add(gap: gap, work: work)
        } else {
            self = Drift()
        }
    }
}
