@testable import TaskTree

/// One thing said to a tree, so that tests can say it again, in another order, to another tree.
enum Saying {
    case describe(TaskID, TaskDescription, UInt64)
    case measure(TaskID, TaskAmounts, UInt64)
    case detail(TaskID, String, UInt64)
    case state(TaskID, StatedState, UInt64)
    case fold(SessionID, TaskID, FoldedChildren, UInt64)
    case bind(TaskID, Binding)

    /// Whether the order among sayings about the same thing matters: decisions have no version.
    var isDecision: Bool {
        if case .bind = self { true } else { false }
    }
}

extension ProgressTree {
    mutating func hear(_ saying: Saying) {
        switch saying {
        case .describe(let id, let description, let version):
            describe(id, description, version: version)
        case .measure(let id, let amounts, let version): measure(id, amounts, version: version)
        case .detail(let id, let detail, let version): self.detail(id, detail, version: version)
        case .state(let id, let state, let version): self.state(id, state, version: version)
        case .fold(let session, let parent, let fold, let version):
            self.fold(session, under: parent, fold, version: version)
        case .bind(let id, let binding): bind(id, to: binding)
        }
    }
}

extension ProgressTree {
    /// Nothing is heard from a session, or something is again: all that it owns is told.
    mutating func silence(_ session: SessionID, _ isSilent: Bool) {
        setSilent(session, isSilent)
        for reporter in reporters(of: session) { setSilent(reporter: reporter, isSilent) }
    }
}

func session(_ number: Int) -> SessionID {
    SessionID(rawValue: UInt64(number))
}

func task(_ index: Int, of number: Int = 1) -> TaskID {
    TaskID(index: UInt64(index), session: session(number))
}

extension TaskDescription {
    static func job(_ title: String = "job") -> TaskDescription {
        TaskDescription(parent: .none, title: title)
    }

    static func child(of parent: TaskID, share: Int64? = nil) -> TaskDescription {
        var description = TaskDescription(parent: .task(parent), title: "child")
        description.share = share
        return description
    }

    static func ticket(of parent: TaskID, share: Int64? = nil) -> TaskDescription {
        var description = TaskDescription.child(of: parent, share: share)
        description.isTicket = true
        description.title = "ticket"
        return description
    }

    static func redeemer(of ticket: TaskID) -> TaskDescription {
        TaskDescription(parent: .ticket(ticket), title: "")
    }
}

extension TaskView {
    /// Everything numeric and worded, for comparing two trees bit for bit.
    var fingerprint: String {
        "\(reporter) \(parent as Any) \(job as Any) \(depth) \(description) \(detail) \(amounts) "
            + "\(state) \(reason) \(note) \(attempt)/\(earlierAttempts) \(isIndeterminate) "
            + "\(fraction.bitPattern) \(isStalled)\(isSilent)\(needsAttention) \(counts) "
            + "\(attention) \(runningDescendants) \(stalledDescendants) \(childCount) "
            + "\(foldedChildren) \(sums)"
    }
}

extension ProgressTree {
    /// The task's fraction as its parent takes it: between 0 and 1, in units of 2⁻⁵⁰.
    func fixedFraction(of id: TaskID) -> Int64? {
        guard let number = numbers[id], nodes[number].link != .holder else { return nil }
        let children = aggregate(of: number)
        let ratio = ratio(of: number, outcome(of: number, children).state, children)
        return FixedPoint.capped(ratio.numerator, over: ratio.denominator)
    }

    /// What every job shows, as text.
    var picture: [String] {
        jobs.flatMap { subtree(of: $0) }.map { id in
            "\(id) \(fixedFraction(of: id) ?? -1) \(view(id)?.fingerprint ?? "?")"
        }
    }
}
