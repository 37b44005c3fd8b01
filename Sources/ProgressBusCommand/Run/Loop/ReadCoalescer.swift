import TaskTree

/// Delays reads of output that comes in many small pieces, so that several pieces gather in one
/// read.
///
/// This spares a context switch of this process and of the command for each piece. The first reads
/// of a tick are made at once, so that a person sees no delay. If a rest has gathered nothing,
/// somebody was waiting for the output, so there are no more rests for a second.
struct ReadCoalescer: Sendable {
    /// How long bytes may wait to be read, in seconds.
    static let rest = 0.002
    /// How many reads of a tick are made at once.
    private static let prompt = 8
    private static let ticksWithoutRest = 20

    /// From this size on pieces need no rest: they are few, and the pipe must not become full.
    private let large: Int
    private var reads = 0
    private var bytes = 0
    private var hasRested = false
    private var ticksLeft = 0

    /// - Parameter room: How many bytes may wait to be read.
    init(room: Int) {
        large = room / 4
    }

    /// Notes a read of `count` bytes.
    ///
    /// - Returns: Whether to rest before the next one.
    mutating func rests(after count: Int) -> Bool {
        guard ticksLeft == 0 else { return false }
        if hasRested {
            hasRested = false
            // The rest has paid if it gathered twice a usual piece, which halves the number of
            // reads.
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
