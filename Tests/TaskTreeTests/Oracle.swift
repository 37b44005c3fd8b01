import TaskTree

/// What a tree must show, computed from scratch in the plainest way.
struct Oracle {
    struct Said {
        var description: TaskDescription?
        var amounts = TaskAmounts()
        var state = StatedState.running
    }

    struct Shown {
        var state: TaskState
        var counts = StateCounts()
        var isSilent = false
        /// Below it: those that have ended and need attention, and silent ones below no silent one.
        var troubles = 0
        var silences = 0
        var needsAttention = false
        var children: [TaskID] = []

        var attention: Int { isSilent ? troubles : troubles + silences }
    }

    var said: [TaskID: Said] = [:]
    var bindings: [TaskID: Binding] = [:]
    var inferences: [TaskID: Inference] = [:]
    var silent: Set<SessionID> = []
    private(set) var shown: [TaskID: Shown] = [:]
    private var below: [TaskID: [TaskID]] = [:]
    private var holders: [TaskID: [(UInt32, TaskID)]] = [:]

    func holder(of id: TaskID) -> TaskID? {
        holders[id]?.last?.1
    }

    func speaker(of id: TaskID) -> TaskID { holder(of: id) ?? id }

    mutating func evaluate() {
        shown = [:]
        below = [:]
        holders = [:]
        var roots: [TaskID] = []
        for (id, words) in said {
            switch bindings[id] {
            case .holder(let ticket, let attempt):
                holders[ticket, default: []].append((attempt, id))
            case .child(let ticket): below[ticket, default: []].append(id)
            case .inert: break
            case nil:
                switch words.description?.parent {
                case .some(.none): roots.append(id)
                case .task(let parent): below[parent, default: []].append(id)
                case .ticket, nil: break
                }
            }
        }
        for ticket in holders.keys { holders[ticket]?.sort { $0 < $1 } }
        for root in roots { visit(root, ended: [], lost: []) }
    }

    /// `ended` are the sessions of tasks above that said they failed or were cancelled, `lost` is that
    /// of the parent if it is lost.
    private mutating func visit(_ id: TaskID, ended: Set<SessionID>, lost: Set<SessionID>) {
        let speaker = speaker(of: id)
        let words = said[speaker] ?? Said()
        let isUnredeemed = speaker == id && words.description?.isTicket == true
        var endedBelow = ended
        switch words.state {
        case .failed, .cancelled: endedBelow.insert(speaker.session)
        case .running, .paused, .succeeded: break
        }
        var lostBelow: Set<SessionID> = []
        if case .lost = inferences[speaker] { lostBelow.insert(speaker.session) }
        var result = Shown(state: .running)
        result.children = (below[id] ?? []) + (speaker == id ? [] : below[speaker] ?? [])
        var unfinished = 0
        var marred = false
        for child in result.children {
            // A child of the ticket itself is under its current holder's word.
            visit(child, ended: endedBelow, lost: lostBelow)
            guard let theirs = shown[child] else { continue }
            result.counts.add(theirs.counts)
            result.counts.add(theirs.state)
            let isTrouble = theirs.needsAttention && !theirs.isSilent
            result.troubles += theirs.troubles + (isTrouble ? 1 : 0)
            result.silences += theirs.isSilent ? 1 : theirs.silences
            if !theirs.state.isEnded { unfinished += 1 }
            if theirs.state == .failed || theirs.state == .lost { marred = true }
        }
        result.state = state(
            words,
            isUnredeemed,
            inferences[speaker],
            ended.contains(speaker.session),
            unfinished
        )
        let isWaitingForChildren = words.state == .succeeded && unfinished > 0
        result.isSilent =
            silent.contains(speaker.session) && !result.state.isEnded && result.state != .waiting
            && !isWaitingForChildren
        result.needsAttention =
            result.isSilent || result.state == .failed
            || result.state == .lost && !lost.contains(speaker.session)
            || result.state == .succeeded && marred
        shown[id] = result
    }

    private func state(
        _ words: Said,
        _ isUnredeemed: Bool,
        _ inference: Inference?,
        _ parentEnded: Bool,
        _ unfinished: Int
    ) -> TaskState {
        switch words.state {
        case .failed: return .failed
        case .cancelled: return .cancelled
        case .succeeded: return unfinished > 0 ? .running : .succeeded
        case .running, .paused: break
        }
        if isUnredeemed {
            if case .cancelled = inference { return .cancelled }
            return .waiting
        }
        if parentEnded { return .cancelled }
        switch inference {
        case .lost: return .lost
        case .cancelled: return .cancelled
        case nil: return words.state == .paused ? .paused : .running
        }
    }

    /// Numerator and denominator of a shown task, its children's fractions given in any unit.
    func ratio<Number>(
        of id: TaskID,
        one: Number,
        zero: Number,
        scaled: (Int64, Number) -> Number,
        sum: (Number, Number) -> Number,
        fraction: (TaskID) -> Number
    ) -> (numerator: Number, denominator: Int64)? {
        guard let shown = shown[id] else { return nil }
        let speaker = speaker(of: id)
        let words = said[speaker] ?? Said()
        let isUnredeemed = speaker == id && words.description?.isTicket == true
        let total = isUnredeemed ? nil : words.amounts.total
        if shown.state == .succeeded || total == 0 { return (one, 1) }
        var weighted = zero
        var shares: Int64 = 0
        for child in shown.children {
            let share = share(of: child)
            shares += share
            weighted = sum(weighted, scaled(share, fraction(child)))
        }
        if let total {
            return (sum(scaled(words.amounts.completed, one), weighted), total)
        }
        guard !shown.children.isEmpty else { return (zero, 1) }
        let description = words.description ?? said[id]?.description
        let expected = Int64(description?.options.expectedChildren ?? 0)
        let denominator = shares + max(0, expected - Int64(shown.children.count))
        return denominator > 0 ? (weighted, denominator) : (zero, 1)
    }

    func share(of id: TaskID) -> Int64 {
        if case .child = bindings[id] { return 1 }
        return said[id]?.description?.effectiveShare ?? 1
    }
}

extension StateCounts {
    mutating func add(_ state: TaskState) {
        switch state {
        case .waiting: waiting += 1
        case .running, .paused, .cancelling: running += 1
        case .succeeded: succeeded += 1
        case .failed: failed += 1
        case .cancelled: cancelled += 1
        case .lost: lost += 1
        }
    }

    mutating func add(_ other: StateCounts) {
        waiting += other.waiting
        running += other.running
        succeeded += other.succeeded
        failed += other.failed
        cancelled += other.cancelled
        lost += other.lost
    }
}

/// An exact fraction; `nil` arithmetic where 128 bits do not hold it.
struct Rational {
    var numerator: Int128
    var denominator: Int128

    init?(_ numerator: Int128, _ denominator: Int128) {
        let divisor = Self.gcd(numerator.magnitude, denominator.magnitude)
        guard divisor > 0 else { return nil }
        self.numerator = numerator / Int128(divisor)
        self.denominator = denominator / Int128(divisor)
    }

    private static func gcd(_ left: UInt128, _ right: UInt128) -> UInt128 {
        var (left, right) = (left, right)
        while right != 0 { (left, right) = (right, left % right) }
        return left
    }

    func adding(_ other: Rational) -> Rational? {
        let (first, a) = numerator.multipliedReportingOverflow(by: other.denominator)
        let (second, b) = other.numerator.multipliedReportingOverflow(by: denominator)
        let (sum, c) = first.addingReportingOverflow(second)
        let (bottom, d) = denominator.multipliedReportingOverflow(by: other.denominator)
        return a || b || c || d ? nil : Rational(sum, bottom)
    }

    func scaled(by factor: Int64, over divisor: Int64) -> Rational? {
        let (top, a) = numerator.multipliedReportingOverflow(by: Int128(factor))
        let (bottom, b) = denominator.multipliedReportingOverflow(by: Int128(divisor))
        return a || b ? nil : Rational(top, bottom)
    }

    var isAboveOne: Bool { numerator > denominator }

    /// The distance to a number of units of 2⁻⁵⁰, in those units.
    func distance(toFixed fixed: Int64) -> Double? {
        let (top, a) = numerator.multipliedReportingOverflow(by: Int128(1) << 50)
        let (other, b) = denominator.multipliedReportingOverflow(by: Int128(fixed))
        return a || b ? nil : abs(Double(top - other) / Double(denominator))
    }
}
