// What the broker decides or concludes: not versioned, the newest call wins.
extension ProgressTree {
    /// What the redeemer of a ticket is; only this decides its place.
    ///
    /// Returns false if the name was folded away, or if its session has no room for one more.
    @discardableResult
    package mutating func bind(_ reporter: TaskID, to binding: Binding) -> Bool {
        guard let slot = ownRecord(reporter) else { return false }
        guard bindings[slot] != binding else { return true }
        bindings[slot] = binding
        // The redeemer of a ticket is no ticket, whatever its owner says.
        nodes[slot].flags.remove(.ticket)
        relink(slot)
        noteAttachment(slot)
        mark(slot, news: true)
        return true
    }

    /// Whether a redeemer hangs at its ticket as the holder of an attempt.
    package func isHolder(_ reporter: TaskID) -> Bool {
        slots[reporter].map { nodes[$0].link == .holder } ?? false
    }

    /// What has been decided about a redeemer.
    package func binding(of reporter: TaskID) -> Binding? {
        slots[reporter].flatMap { bindings[$0] }
    }

    /// A conclusion from silence; `nil` withdraws it.
    ///
    /// It shows while the owner has stated no ending. Any accepted statement of the reporter
    /// withdraws `lost`.
    package mutating func infer(_ inference: Inference?, about reporter: TaskID) {
        guard let slot = slots[reporter] else { return }
        guard nodes[slot].inference != inference else { return }
        let wasLost = nodes[slot].inference?.isLost ?? false
        if wasLost != inference?.isLost ?? false { markChildren(of: slot) }
        nodes[slot].inference = inference
        mark(slot)
    }

    /// Whether nothing is heard from a session: what it has said nothing of yet begins so.
    ///
    /// Its tasks, which may be very many, are told one by one.
    package mutating func setSilent(_ session: SessionID, _ isSilent: Bool) {
        let isKnown = slots.hasAny(of: session) || sessions[session] != nil
        guard isKnown, sessions[session]?.isSilent ?? false != isSilent else { return }
        sessions[session, default: SessionBook()].isSilent = isSilent
        var records: [PoolNumber] = []
        slots.forEach(of: session) { slot in
            if nodes[slot].flags.isDisjoint(with: .words) { records.append(slot) }
        }
        for slot in records { set(.silent, isSilent, of: slot) }
        forgetSessionIfEmpty(session)
    }

    /// Whether nothing is heard of one task; shown while it runs.
    package mutating func setSilent(reporter: TaskID, _ isSilent: Bool) {
        guard let slot = slots[reporter] else { return }
        set(.silent, isSilent, of: slot)
    }

    /// Whether a running task makes no advance of its own; its descendants are looked at here.
    package mutating func setStalled(_ id: TaskID, _ isStalled: Bool) {
        guard let slot = slots[id] else { return }
        set(.stalled, isStalled, of: speaker(of: shown(slot)))
    }

    /// Whether a request to cancel is unanswered; shown while the task runs or is paused.
    package mutating func setCancelling(_ id: TaskID, _ isCancelling: Bool) {
        guard let slot = slots[id] else { return }
        set(.cancelling, isCancelling, of: speaker(of: shown(slot)))
    }

    /// An ended task needs attention no longer, until its owner is heard again or it is retried.
    package mutating func setDismissed(_ id: TaskID) {
        guard let slot = slots[id] else { return }
        set(.dismissed, true, of: speaker(of: shown(slot)))
    }

    /// Whether an earlier run of a job failed and nobody has dismissed that: once it has ended it
    /// needs attention, however it ended.
    package mutating func setAfterFailure(_ id: TaskID, _ isAfterFailure: Bool) {
        guard let slot = slots[id] else { return }
        set(.afterFailure, isAfterFailure, of: shown(slot))
    }

    /// Shows a task without reachable root as a job of its own until its parent turns up.
    ///
    /// Nothing happens to a task that is in a job.
    package mutating func adoptOrphan(_ id: TaskID) {
        guard let slot = shownSlot(id), !nodes[slot].isAttached, isUnattached(slot),
            !isAboutToBeAttached(slot)
        else { return }
        nodes[slot].flags.insert(.orphan)
        attach(slot, depth: 0)
    }

    private mutating func set(_ flag: NodeFlags, _ isOn: Bool, of slot: PoolNumber) {
        guard nodes[slot].flags.contains(flag) != isOn else { return }
        if isOn { nodes[slot].flags.insert(flag) } else { nodes[slot].flags.remove(flag) }
        mark(slot)
    }
}
