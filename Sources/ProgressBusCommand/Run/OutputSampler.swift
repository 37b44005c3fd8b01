/// Chooses what of a command's output is looked at, so that looking costs little.
///
/// In each tick the first bytes are, and of what comes beyond only the newest whole lines, at the
/// tick's end: progress is printed again and again.
struct OutputSampler: Sendable {
    /// How much is looked at as it comes, in a tick.
    private let budget: Int
    /// How much of the rest.
    private let tailLimit: Int
    private var used = 0
    private var tail: [UInt8] = []
    private var hasGap = false

    init(budget: Int = 16_384, tail: Int = 4_096) {
        self.budget = budget
        tailLimit = tail
    }

    /// Takes the next bytes.
    ///
    /// - Returns: How many of them are to be looked at now, from the beginning.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        let now = hasGap ? 0 : min(bytes.count, budget - used)
        used += now
        let rest = bytes.dropFirst(now)
        guard !rest.isEmpty else { return now }
        hasGap = true
        if rest.count >= tailLimit {
            tail = Array(rest.suffix(tailLimit))
        } else {
            tail += rest
            if tail.count > 2 * tailLimit { tail.removeFirst(tail.count - tailLimit) }
        }
        return now
    }

    /// Ends the tick.
    ///
    /// - Returns: What is to be looked at now; it begins where a line does.
    mutating func tick() -> [UInt8] {
        used = 0
        guard hasGap else { return [] }
        hasGap = false
        defer { tail = [] }
        let ends = [UInt8(ascii: "\n"), UInt8(ascii: "\r")]
        guard let end = tail.suffix(tailLimit).firstIndex(where: ends.contains) else { return [] }
        // What was looked at before may have ended within a line.
        return [UInt8(ascii: "\n")] + tail[(end + 1)...]
    }
}
