import TaskTree

/// Lets output that comes in many small pieces gather, so that neither we nor the command change
/// places on a processor at each of them.
///
/// The first reads of a tick are made at once, so that whoever looks sees no difference. A rest that
/// has gathered nothing was one that somebody waited for, so there is none for a second then.
struct ReadPace: Sendable {
    /// How long bytes may lie there.
    static let rest = 0.002
    /// Reads of a tick that are made at once.
    private static let prompt = 16
    /// Who prints pieces of this size is not read too often, and a pipe may hold no more than some.
    private static let large = 16_384
    private static let ticksWithoutRest = 20

    private var reads = 0
    private var bytes = 0
    private var hasRested = false
    private var ticksLeft = 0

    /// Notes a read that gave so many bytes.
    ///
    /// - Returns: Whether to rest before the next one.
    mutating func rests(after count: Int) -> Bool {
        guard ticksLeft == 0, count < Self.large else { return false }
        if hasRested {
            // Twice as much as in a piece is half as many reads.
            guard count * reads >= 2 * bytes else {
                ticksLeft = Self.ticksWithoutRest
                hasRested = false
                return false
            }
            return true
        }
        reads += 1
        bytes += count
        hasRested = reads > Self.prompt
        return hasRested
    }

    mutating func tick() {
        (reads, bytes, hasRested) = (0, 0, false)
        ticksLeft = max(0, ticksLeft - 1)
    }
}
