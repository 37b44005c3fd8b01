/// What the broker looks at whenever a task changes: numbers only, and of a childless task nothing
/// but its own record is touched.
package struct TaskGlance: Sendable {
    /// The name under which its owner speaks.
    package var reporter = TaskID(index: 0, session: SessionID(rawValue: 0))
    /// The shown task above; `nil` for a job.
    package var parent: TaskID?
    package var state = TaskState.waiting
    package var attempt: UInt32 = 0
    package var amounts = TaskAmounts()
    /// Another one than before: the detail is another text.
    package var detailRevision: UInt16 = 0
    /// Not clamped.
    package var fraction = 0.0
    /// What it is worth to its parent.
    package var share: Int64 = 0
    package var load = Workload(done: 0, extent: nil)
    package var isStalled = false
    package var isSilent = false
    package var needsAttention = false
    package var runningDescendants = 0
    package var childCount = 0

    /// Of nobody yet.
    package static let blank = TaskGlance()
}

extension ProgressTree {
    // These change nothing. They are mutating because the tree is then used where it is: a value of
    // more than 200 bytes is copied for a call into another module.

    /// The frequent part of `view(_:)`, for the same tasks; returns whether there is one.
    ///
    /// Into a place that is used again, as a result would be copied twice. `number` is where the
    /// task probably is.
    package mutating func glance(
        _ id: TaskID,
        at number: TaskNumber?,
        into glance: inout TaskGlance
    ) -> Bool {
        guard let slot = slot(of: id, probably: number), nodes[slot].link != .holder,
            nodes[slot].link != .inert
        else { return false }
        let flags = nodes[slot].flags
        let isSettled =
            nodes[slot].family < 0 && nodes[slot].contribution.isPresent
            && flags.contains(.described) && flags.isDisjoint(with: [.dirty, .ticket])
        guard !isSettled else {
            settledGlance(slot, into: &glance)
            return true
        }
        guard let whole = self.glance(slot) else { return false }
        glance = whole
        return true
    }

    @inline(__always)
    private func slot(of id: TaskID, probably number: TaskNumber?) -> Slot? {
        if let number, Int(number) < nodes.capacity, nodes[number].id == id,
            nodes[number].isAttached
        {
            return number
        }
        return slots[id]
    }

    /// That of a childless task, from what it has put into its parent's sums.
    @inline(__always)
    private func settledGlance(_ slot: Slot, into glance: inout TaskGlance) {
        let flags = nodes[slot].flags
        let amounts = nodes[slot].amounts
        let state = nodes[slot].contribution.state
        let total = amounts.total.map(Double.init)
        glance.reporter = nodes[slot].id
        glance.parent = nodes[shown(nodes[slot].up)].id
        glance.state = state
        glance.attempt = 1
        glance.amounts = amounts
        glance.detailRevision = nodes[slot].detailRevision
        glance.fraction = 0
        if let total, total > 0 { glance.fraction = Double(amounts.completed) / total }
        if state == .succeeded || amounts.total == 0 { glance.fraction = 1 }
        glance.share = nodes[slot].contribution.share
        glance.load = Workload(done: Double(amounts.completed), extent: total)
        glance.isStalled = nodes[slot].contribution.isStalled
        glance.isSilent = flags.contains(.silent) && !state.isEnded && state != .waiting
        glance.needsAttention = nodes[slot].contribution.needsAttention
        glance.runningDescendants = 0
        glance.childCount = 0
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
    package mutating func expectedGap(of id: TaskID, at number: TaskNumber?) -> Double? {
        guard let slot = slot(of: id, probably: number) else { return nil }
        return words[Int(describing(shown(slot)))].expectedGap
    }

    /// From 1; that of the last one who redeemed it, if it is a ticket.
    func attempt(of slot: Slot) -> UInt32 {
        let family = nodes[slot].family
        return family < 0 ? 1 : families[family].holders.last?.attempt ?? 1
    }
}
