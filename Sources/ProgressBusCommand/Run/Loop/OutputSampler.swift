/// Chooses what of a command's output is looked at, so that looking costs little.
///
/// In each tick the first bytes are, and of what comes beyond only the newest whole lines, at the
/// tick's end: progress is printed again and again. After a tick that had more than that, the next
/// one's first bytes are left out too: who prints so much prints progress nobody could follow.
struct OutputSampler: Sendable {
    /// How much is looked at as it comes, in a tick.
    private let budget: Int
    /// How much of the rest.
    private let tailLimit: Int
    private var used = 0
    /// All that came in this tick.
    private var seen = 0
    private var isFlooded = false
    private var tail: [UInt8] = []
    private var hasGap = false
    /// The last byte of all.
    private var last = UInt8(ascii: "\n")
    /// The tail begins where a line does.
    private var beginsLine = false

    private static let ends = [UInt8(ascii: "\n"), UInt8(ascii: "\r")]

    init(budget: Int = 16_384, tail: Int = 4_096) {
        self.budget = budget
        tailLimit = tail
    }

    /// Takes the next bytes.
    ///
    /// - Returns: How many of them are to be looked at now, from the beginning.
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
    /// - Returns: What is to be looked at now; it begins where a line does.
    mutating func tick() -> [UInt8] {
        used = 0
        isFlooded = seen > budget
        seen = 0
        guard hasGap else { return [] }
        hasGap = false
        defer { tail = [] }
        if tail.count > tailLimit { cutTail() }
        // What was looked at before may have ended within a line.
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
