/// Chooses the part of a command's output that is examined, so that this costs little.
///
/// That is the first bytes of each tick, and of the rest only the newest whole lines, at the tick's
/// end: progress is printed again and again. After a tick with more output than `budget`, the first
/// bytes of the next tick are left out too, because nobody could follow progress at that speed.
struct OutputSampler: Sendable {
    /// The most bytes of a tick that are examined as they come.
    private let budget: Int
    /// The most bytes of the rest that are examined at the end of a tick.
    private let tailLimit: Int
    private var used = 0
    /// The number of bytes that came in this tick.
    private var seen = 0
    private var isFlooded = false
    private var tail: [UInt8] = []
    private var hasGap = false
    /// The last byte that came.
    private var last = UInt8(ascii: "\n")
    /// Whether the tail begins where a line does.
    private var beginsLine = false

    private static let ends = [UInt8(ascii: "\n"), UInt8(ascii: "\r")]

    init(budget: Int = 16_384, tail: Int = 4_096) {
        self.budget = budget
        tailLimit = tail
    }

    /// Takes the next bytes.
    ///
    /// - Returns: How many of them, from the first on, are to be examined now.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        let now = hasGap || isFlooded ? 0 : min(bytes.count, budget - used)
        used += now
        seen += bytes.count
        if now > 0 { last = bytes[now - 1] }
        let rest = bytes.dropFirst(now)
        guard let newest = rest.last else { return now }
        if !hasGap { beginsLine = Self.ends.contains(last) }
        hasGap = true
        last = newest
        if rest.count > tailLimit {
            tail = Array(rest.suffix(tailLimit))
            beginsLine = false
        } else {
            tail += rest
            if tail.count > 2 * tailLimit { cutTail() }
        }
        return now
    }

    /// Ends the tick.
    ///
    /// - Returns: The bytes to be examined now, which begin where a line does.
    mutating func tick() -> [UInt8] {
        used = 0
        isFlooded = seen > budget
        seen = 0
        guard hasGap else { return [] }
        hasGap = false
        defer { tail = [] }
        if tail.count > tailLimit { cutTail() }
        // The bytes that were examined before may have ended within a line.
        let start = [UInt8(ascii: "\n")]
        if beginsLine { return start + tail }
        guard let end = tail.firstIndex(where: Self.ends.contains) else { return [] }
        return start + tail[(end + 1)...]
    }

    private mutating func cutTail() {
        tail.removeFirst(tail.count - tailLimit)
        beginsLine = false
    }
}
