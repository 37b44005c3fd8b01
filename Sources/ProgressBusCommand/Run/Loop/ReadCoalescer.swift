import TaskTree

/// Lets output that comes in many small pieces gather, so that neither we nor the command change
/// places on a processor at each of them.
///
/// The first reads of a tick are made at once, so that whoever looks sees no difference. A rest that
/// has gathered nothing was one that somebody waited for, so there is none for a second then.
struct ReadCoalescer: Sendable {
    /// How long bytes may lie there.
    static let rest = 0.002
    /// Reads of a tick that are made at once.
    private static let prompt = 8
    private static let ticksWithoutRest = 20

    /// Pieces of this size need no rest: there are few of them, and the command must not wait for room.
    private let large: Int
    private var reads = 0
    private var bytes = 0
    private var hasRested = false
    private var ticksLeft = 0

    /// - Parameter room: How much may lie there.
    init(room: Int) {
        large = room / 4
    }

    /// Notes a read that gave so many bytes.
    ///
    /// - Returns: Whether to rest before the next one.
    mutating func rests(after count: Int) -> Bool {
        guard ticksLeft == 0 else { return false }
        if hasRested {
            hasRested = false
            // Twice as much as in a piece is half as many reads.
            let isMore = count >= large || count * reads >= 2 * bytes
            if !isMore { ticksLeft = Self.ticksWithoutRest }
        } else if reads <= Self.prompt {
            reads += 1
            bytes += min(count, large)
        }
        hasRested = ticksLeft == 0 && reads > Self.prompt && count < large
        return hasRested
    }

    mutating func tick() {
        (reads, bytes, hasRested) = (0, 0, false)
        ticksLeft = max(0, ticksLeft - 1)
    }
}
