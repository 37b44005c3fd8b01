/// One measured thing: the median of several samples, the least and the greatest.
struct Figure: Codable {
    let name: String
    let unit: String
    let median: Double
    let least: Double
    let greatest: Double
    let samples: Int
    /// What it should be at most (`isAtLeast`: at least); `nil` for what is told beside the targets.
    let target: Double?
    let isAtLeast: Bool

    init(
        _ name: String,
        unit: String,
        _ samples: [Double],
        target: Double? = nil,
        isAtLeast: Bool = false
    ) {
        let sorted = samples.sorted()
        self.name = name
        self.unit = unit
        median = sorted.isEmpty ? .nan : sorted[sorted.count / 2]
        least = sorted.first ?? .nan
        greatest = sorted.last ?? .nan
        self.samples = sorted.count
        self.target = target
        self.isAtLeast = isAtLeast
    }

    var isReached: Bool? {
        target.map { isAtLeast ? median >= $0 : median <= $0 }
    }

    /// One line for people.
    var line: String {
        let goal = target.map { "  (\(isAtLeast ? "≥" : "≤") \(Self.text($0)))" } ?? ""
        let verdict = isReached.map { $0 ? "  reached" : "  MISSED" } ?? ""
        return "\(name): \(Self.text(median)) \(unit)"
            + "  [\(Self.text(least)) … \(Self.text(greatest)), \(samples)]\(goal)\(verdict)"
    }

    private static func text(_ number: Double) -> String {
        guard number.isFinite else { return "–" }
        let digits = abs(number) >= 100 ? 1.0 : abs(number) >= 1 ? 100.0 : 10_000.0
        return "\((number * digits).rounded() / digits)"
    }
}
