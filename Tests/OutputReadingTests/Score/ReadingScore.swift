@testable import OutputReading

/// In which part of a program's time what was shown of it was right.
struct ReadingScore {
    /// How far off a bar may be and still be right, and beyond what it is false.
    private static let right = 0.05
    private static let farOff = 0.2

    let name: String
    private var looks = 0
    private var rightLooks = 0
    private var falseLooks = 0

    init(name: String) {
        self.name = name
    }

    /// Within five points of the truth.
    var right: Double { Double(rightLooks) / Double(max(1, looks)) }
    /// A bar more than twenty points off, or one where there is nothing to show.
    var wrong: Double { Double(falseLooks) / Double(max(1, looks)) }

    mutating func note(_ shown: Double?, truth: Double?) {
        looks += 1
        guard let shown else {
            rightLooks += truth == nil ? 1 : 0
            return
        }
        let distance = truth.map { abs($0 - shown) } ?? 1
        if distance <= Self.right { rightLooks += 1 }
        if distance > Self.farOff { falseLooks += 1 }
    }

    /// `par2   93 %   0 %`.
    var line: String {
        let column = { (text: String, width: Int) in
            String(repeating: " ", count: max(0, width - text.count)) + text
        }
        let percent = { (share: Double) in column("\(Int((share * 100).rounded())) %", 8) }
        return name + column("", 24 - name.count) + percent(right) + percent(wrong)
    }
}

/// What a viewer draws of a command: the rule of PROTOCOL.md 7.3, and that no bar runs backwards.
struct ShownBar {
    private var command = ProgressSample()
    private var parts: [String: Double] = [:]
    private var floor = 0.0

    mutating func take(_ samples: [ProgressSample]) {
        for sample in samples {
            guard let part = sample.part else {
                if sample.isUnknown { command = ProgressSample() }
                command.completed = sample.completed ?? command.completed
                command.total = sample.total ?? command.total
                command.expectedParts = sample.expectedParts ?? command.expectedParts
                continue
            }
            if let completed = sample.completed, let total = sample.total ?? totals[part] {
                totals[part] = total
                parts[part] = Double(completed) / Double(total)
            }
            if sample.isDone { parts[part] = 1 }
            if parts[part] == nil { parts[part] = 0 }
        }
        floor = max(floor, fraction ?? 0)
    }

    private var totals: [String: Int64] = [:]

    /// `nil`: a spinner.
    var fraction: Double? {
        if let total = command.total {
            return max(floor, min(0.99, Double(command.completed ?? 0) / Double(total)))
        }
        guard let expected = command.expectedParts else { return nil }
        let sum = parts.values.reduce(0, +)
        return max(floor, min(0.99, sum / Double(max(expected, parts.count))))
    }
}
