import OutputReading

/// What an adapter has found; the doctor of this program has samples too.
typealias ProgressSample = OutputReading.ProgressSample

/// What was found out since the last tick, the newest of each part.
///
/// However much a command prints about however many parts, this stays small.
struct SampleLedger: Sendable {
    /// One thing to be said on the bus.
    enum Statement: Equatable, Sendable {
        /// A part begins; it counts in the command's fraction only where that is all there is.
        case begin(part: String, unit: String?, total: Int64?, isEstimate: Bool, counts: Bool)
        /// Amounts and words; of the command itself where the part is nil.
        case update(ProgressSample)
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
    private var pending: [String?: ProgressSample] = [:]
    /// The keys of `pending` as they came.
    private var order: [String?] = []
    private var expected: Int?
    private var hasOwnAmounts = false

    init(partLimit: Int = 10_000) {
        self.partLimit = partLimit
    }

    /// Whether there is something to be said.
    var isEmpty: Bool { order.isEmpty }

    mutating func take(_ sample: ProgressSample) {
        if let part = sample.part {
            guard stages[part] != .done else { return }
            let isKnown = stages[part] != nil || pending[part] != nil
            guard isKnown || stages.count + pending.count < partLimit else { return }
        }
        if let earlier = pending[sample.part] {
            pending[sample.part] = earlier.followed(by: sample)
        } else {
            pending[sample.part] = sample
            order.append(sample.part)
        }
    }

    /// Everything that is to be said now.
    mutating func drain() -> [Statement] {
        var statements: [Statement] = []
        for part in order {
            guard let sample = pending[part] else { continue }
            if let part {
                statements += say(sample, of: part)
            } else {
                if sample.isUnknown { hasOwnAmounts = false }
                hasOwnAmounts = hasOwnAmounts || sample.completed != nil || sample.total != nil
                statements.append(.update(sample))
            }
            if let parts = sample.expectedParts, parts != expected, !hasOwnAmounts {
                expected = parts
                statements.append(.expectParts(parts))
            }
        }
        pending = [:]
        order = []
        return statements
    }

    private mutating func say(_ sample: ProgressSample, of part: String) -> [Statement] {
        var statements: [Statement] = []
        if stages[part] == nil {
            statements.append(
                .begin(
                    part: part,
                    unit: sample.unit,
                    total: sample.total,
                    isEstimate: sample.totalIsEstimate,
                    counts: expected != nil
                )
            )
        }
        statements.append(.update(sample))
        if sample.isDone { statements.append(.succeed(part: part)) }
        stages[part] = sample.isDone ? .done : .open
        return statements
    }
}

extension ProgressSample {
    /// Both in one; what the later one does not say stays.
    fileprivate func followed(by later: ProgressSample) -> ProgressSample {
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

    private func withDetail(of earlier: ProgressSample) -> ProgressSample {
        var sample = self
        sample.detail = detail ?? earlier.detail
        return sample
    }
}
