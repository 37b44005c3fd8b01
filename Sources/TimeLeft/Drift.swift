/// Evidence that the rate has changed in one direction, and the work done since it did.
///
/// Page's cumulative sum: each block adds its deviation in standard deviations, less what chance
/// adds. At zero no change has begun. So the work since then is work at the new rate alone.
struct Drift: Sendable {
    /// A block counts as evidence only if it deviates by more than this.
    private static let allowance: Float = 0.75
    /// From this evidence on the new rate begins to count.
    private static let doubt: Float = 3
    /// From this evidence on only the new rate counts.
    private static let belief: Float = 6
    /// Above this evidence, and with enough blocks, all work before the change is forgotten.
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
