import OutputReading

/// What an adapter has found; the doctor of this program has findings too.
typealias OutputFinding = OutputReading.Finding

/// What was found out since the last tick, the newest of each part.
///
/// However much a command prints about however many parts, this stays small.
struct FindingLedger: Sendable {
    /// One thing to be said on the bus.
    enum Statement: Equatable, Sendable {
        /// A part begins; it counts in the command's fraction only where that is all there is.
        case begin(part: String, unit: String?, total: Int64?, isEstimate: Bool, counts: Bool)
        /// Amounts and words; of the command itself where the part is nil.
        case update(OutputFinding)
        case succeed(part: String)
        /// Of the command itself.
        case expectParts(Int)
    }

    private enum Stage {
        case open, done
    }

    /// More parts than that are not told apart: they are not begun.
    private let partLimit: Int
    private var stages: [String: Stage] = [:]
    private var pending: [String?: OutputFinding] = [:]
    /// The keys of `pending` as they came.
    private var order: [String?] = []
    private var expected: Int?
    private var hasOwnAmounts = false

    init(partLimit: Int = 10_000) {
        self.partLimit = partLimit
    }

    /// Whether there is something to be said.
    var isEmpty: Bool { order.isEmpty }

    mutating func take(_ finding: OutputFinding) {
        if let part = finding.part {
            guard stages[part] != .done else { return }
            let isKnown = stages[part] != nil || pending[part] != nil
            guard isKnown || stages.count + pending.count < partLimit else { return }
        }
        if let earlier = pending[finding.part] {
            pending[finding.part] = earlier.followed(by: finding)
        } else {
            pending[finding.part] = finding
            order.append(finding.part)
        }
    }

    /// Everything that is to be said now.
    mutating func drain() -> [Statement] {
        var statements: [Statement] = []
        for part in order {
            guard let finding = pending[part] else { continue }
            if let part {
                statements += say(finding, of: part)
            } else {
                if finding.isUnknown { hasOwnAmounts = false }
                hasOwnAmounts = hasOwnAmounts || finding.completed != nil || finding.total != nil
                statements.append(.update(finding))
            }
            if let parts = finding.expectedParts, parts != expected, !hasOwnAmounts {
                expected = parts
                statements.append(.expectParts(parts))
            }
        }
        pending = [:]
        order = []
        return statements
    }

    private mutating func say(_ finding: OutputFinding, of part: String) -> [Statement] {
        var statements: [Statement] = []
        if stages[part] == nil {
            statements.append(
                .begin(
                    part: part,
                    unit: finding.unit,
                    total: finding.total,
                    isEstimate: finding.totalIsEstimate,
                    counts: expected != nil
                )
            )
        }
        statements.append(.update(finding))
        if finding.isDone { statements.append(.succeed(part: part)) }
        stages[part] = finding.isDone ? .done : .open
        return statements
    }
}

extension OutputFinding {
    /// Both in one; what the later one does not say stays.
    fileprivate func followed(by later: OutputFinding) -> OutputFinding {
        if later.isUnknown { return later.withDetail(of: self) }
        var both = self
        both.completed = later.completed ?? completed
        if let total = later.total {
            both.total = total
            both.totalIsEstimate = later.totalIsEstimate
        }
        both.unit = later.unit ?? unit
        both.detail = later.detail ?? detail
        both.isDone = isDone || later.isDone
        both.expectedParts = later.expectedParts ?? expectedParts
        return both
    }

    private func withDetail(of earlier: OutputFinding) -> OutputFinding {
        var finding = self
        finding.detail = detail ?? earlier.detail
        return finding
    }
}
