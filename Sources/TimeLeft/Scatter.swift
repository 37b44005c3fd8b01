/// How much work scatters over batches of blocks.
///
/// Blocks that resemble their neighbours tell less than as many independent ones.
struct Scatter: Sendable {
    private static let batch: Float = 5

    private var time: Float = 0
    private var spread: Float = 0
    private var batchTime: Float = 0
    private var batchDeviation: Float = 0
    private var batchBlocks: Float = 0

    mutating func add(deviation: Float, gap: Float) {
        batchDeviation += deviation
        batchTime += gap
        batchBlocks += 1
        guard batchBlocks >= Self.batch else { return }
        spread += batchDeviation * batchDeviation
        time += batchTime
        (batchTime, batchDeviation, batchBlocks) = (0, 0, 0)
    }

    /// Squared deviations per second, at least as many as single blocks show.
    ///
    /// What single blocks show counts as one more batch.
    func perSecond(of stretch: Stretch) -> Float {
        let single = stretch.scatter
        let weight = Self.batch * stretch.meanGap
        return max(single, (spread + single * weight) / (time + weight))
    }
}
