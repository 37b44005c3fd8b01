import BusProtocol

/// Refusals since the last second, for a line of log for each code, however many there are.
struct RefusalCounts {
    private var counts: [RefusalCode: (count: Int, last: String)] = [:]

    var isEmpty: Bool { counts.isEmpty }

    mutating func add(_ code: RefusalCode, _ sentence: String) {
        counts[code, default: (0, "")].count += 1
        counts[code]?.last = sentence
    }

    /// Those of each code, and the sentence that was said last.
    mutating func take() -> [(code: RefusalCode, count: Int, last: String)] {
        defer { counts = [:] }
        return counts.map { ($0.key, $0.value.count, $0.value.last) }
            .sorted { $0.code.rawValue < $1.code.rawValue }
    }
}
