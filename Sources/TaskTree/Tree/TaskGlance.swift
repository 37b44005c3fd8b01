/// What the broker looks at whenever a task changes: numbers only, and of a childless task nothing
/// but its own record is touched.
package struct TaskGlance: Sendable {
    /// The name under which its owner speaks.
    package var reporter: TaskID
    /// The shown task above; `nil` for a job.
    package var parent: TaskID?
    package var state: TaskState
    package var attempt: UInt32
    package var amounts: TaskAmounts
    /// Another one than before: the detail is another text.
    package var detailRevision: UInt32
    /// Not clamped.
    package var fraction: Double
    /// What it is worth to its parent.
    package var share: Int64
    package var load: Workload
    package var isStalled: Bool
    package var isSilent: Bool
    package var needsAttention: Bool
    package var runningDescendants: Int
    package var childCount: Int
}

extension ProgressTree {
    /// The frequent part of `view(_:)`, for the same tasks.
    package func glance(_ id: TaskID, near cursor: inout TaskTable.Cursor) -> TaskGlance? {
        guard let slot = slots.number(of: id, near: &cursor), nodes[slot].link != .holder,
            nodes[slot].link != .inert
        else { return nil }
        let flags = nodes[slot].flags
        let isSettled =
            nodes[slot].family < 0 && nodes[slot].contribution.isPresent
            && flags.contains(.described) && flags.isDisjoint(with: [.dirty, .ticket])
        return isSettled ? settledGlance(slot) : glance(slot)
    }

    /// That of a childless task, from what it has put into its parent's sums.
    @inline(__always)
    private func settledGlance(_ slot: Slot) -> TaskGlance {
        let flags = nodes[slot].flags
        let amounts = nodes[slot].amounts
        let state = nodes[slot].contribution.state
        let total = amounts.total.map(Double.init) ?? 0
        var fraction = total > 0 ? Double(amounts.completed) / total : 0
        if state == .succeeded || amounts.total == 0 { fraction = 1 }
        return TaskGlance(
            reporter: nodes[slot].id,
            parent: nodes[shown(nodes[slot].up)].id,
            state: state,
            attempt: 1,
            amounts: amounts,
            detailRevision: nodes[slot].detailRevision,
            fraction: fraction,
            share: nodes[slot].contribution.share,
            load: Workload(done: Double(amounts.completed), extent: total),
            isStalled: nodes[slot].contribution.isStalled,
            isSilent: flags.contains(.silent) && !state.isEnded && state != .waiting,
            needsAttention: nodes[slot].contribution.needsAttention,
            runningDescendants: 0,
            childCount: 0
        )
    }

    private func glance(_ slot: Slot) -> TaskGlance? {
        let speaker = speaker(of: slot)
        guard nodes[slot].flags.contains(.described) || nodes[speaker].flags.contains(.described)
        else { return nil }
        let children = childSums(of: slot)
        let outcome = outcome(of: slot, children)
        let ratio = ratio(of: slot, outcome.state, children)
        let isUnredeemed = speaker == slot && nodes[slot].flags.contains(.ticket)
        let parent = shownParent(of: slot)
        return TaskGlance(
            reporter: nodes[speaker].id,
            parent: parent < 0 ? nil : nodes[parent].id,
            state: outcome.state,
            attempt: isUnredeemed ? 0 : attempt(of: slot),
            amounts: isUnredeemed ? TaskAmounts() : nodes[speaker].amounts,
            detailRevision: nodes[speaker].detailRevision,
            fraction: FixedPoint.double(ratio.numerator, over: ratio.denominator),
            share: share(of: slot),
            load: load(of: slot, ratio, children),
            isStalled: outcome.isStalled,
            isSilent: outcome.isSilent,
            needsAttention: outcome.needsAttention,
            runningDescendants: children.running,
            childCount: children.children
        )
    }

    /// Seconds between advances that the owner of a shown task considers usual.
    package func expectedGap(
        of id: TaskID,
        near cursor: inout TaskTable.Cursor
    ) -> Double? {
        guard let slot = slots.number(of: id, near: &cursor) else { return nil }
        return words[Int(describing(shown(slot)))].description?.expectedGap
    }

    /// From 1; that of the last one who redeemed it, if it is a ticket.
    func attempt(of slot: Slot) -> UInt32 {
        let family = nodes[slot].family
        return family < 0 ? 1 : families[family].holders.last?.attempt ?? 1
    }
}
