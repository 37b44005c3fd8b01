package import TaskTree

// A field is set only if the value is not its type's default: setting a generated field costs
// several times what the comparison does, and there are forty in a row.

extension WireRowDescription {
    /// Takes what the tree knows of a task; slot, place, cell and process are left out.
    package init(_ view: TaskView) {
        self.init()
        let description = view.description
        if let above = view.parent {
            parent = WireTaskRef(above)
            share = description.effectiveShare
        }
        if let root = view.job { job = WireTaskRef(root) }
        if !description.key.isEmpty { key = description.key }
        title = description.title
        if !description.unit.isEmpty { unit = description.unit }
        set(description.options)
        attempt = view.attempt
        depth = UInt32(clamping: view.depth)
        if view.parent == nil, description.parent != .none { orphan = true }
        if view.earlierAttempts > 0 { earlierAttempts = UInt32(clamping: view.earlierAttempts) }
    }
}

extension WireRowProgress {
    /// Takes what the tree knows of a task, without what one broker has seen of it over time.
    package init(_ view: TaskView) {
        self.init()
        state = view.state.wire
        if view.isStalled { stalled = true }
        if view.isSilent { silent = true }
        if view.needsAttention { needsAttention = true }
        if view.isIndeterminate { indeterminate = true }
        if view.description.options.totalIsEstimate { totalIsEstimate = true }
        fraction = view.fraction
        completed = view.amounts.completed
        if let amount = view.amounts.total { total = amount }
        if !view.detail.isEmpty { detail = view.detail }
        if !view.reason.isEmpty { reason = view.reason }
        counts = WireCounts(view.counts)
        if view.attention > 0 { attention = WireCounts.count(view.attention) }
        if view.foldedChildren > 0 { childrenLeftOut = WireCounts.count(view.foldedChildren) }
        if !view.note.isEmpty { note = view.note }
        guard !view.sums.isEmpty else { return }
        sums = view.sums.prefix(ProtocolLimits.unitSums).map(WireUnitSum.init)
    }
}
