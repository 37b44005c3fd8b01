// What the broker decides or concludes: not versioned, the newest call wins.
extension ProgressTree {
    /// Decides what the redeemer of a ticket is, and so its place in the tree.
    ///
    /// Returns false if the name was folded away, or if its session has no room for one more.
    @discardableResult
    package mutating func bind(_ reporter: TaskID, to binding: Binding) -> Bool {
        guard let number = ownRecord(reporter) else { return false }
        guard bindings[number] != binding else { return true }
        bindings[number] = binding
        // The redeemer of a ticket is no ticket, whatever its owner says.
        nodes[number].flags.remove(.ticket)
        relink(number)
        noteAttachment(number)
        mark(number, news: true)
        return true
    }

    /// Whether a redeemer hangs at its ticket as the holder of an attempt.
    package func isHolder(_ reporter: TaskID) -> Bool {
        numbers[reporter].map { nodes[$0].link == .holder } ?? false
    }

    /// Sets a conclusion from silence; `nil` withdraws it.
    ///
    /// It shows while the owner has stated no ending. Any accepted statement of the reporter
    /// withdraws `lost`.
    package mutating func infer(_ inference: Inference?, about reporter: TaskID) {
        guard let number = numbers[reporter] else { return }
        guard nodes[number].inference != inference else { return }
        let wasLost = nodes[number].inference?.isLost ?? false
        if wasLost != inference?.isLost ?? false { markChildren(of: number) }
        nodes[number].inference = inference
        mark(number)
    }

    /// Sets whether a session is silent, for its records without statements and for those to come.
    ///
    /// Its other tasks, which may be very many, are set one by one.
    package mutating func setSilent(_ session: SessionID, _ isSilent: Bool) {
        let isKnown = numbers.hasAny(of: session) || sessions[session] != nil
        guard isKnown, sessions[session]?.isSilent ?? false != isSilent else { return }
        sessions[session, default: SessionBook()].isSilent = isSilent
        var records: [PoolNumber] = []
        numbers.forEach(of: session) { number in
            if nodes[number].flags.isDisjoint(with: .words) { records.append(number) }
        }
        for number in records { set(.silent, isSilent, of: number) }
        forgetSessionIfEmpty(session)
    }

    /// Sets whether one task is silent.
    ///
    /// It shows while the task is running, paused or cancelling, unless it only awaits children.
    package mutating func setSilent(reporter: TaskID, _ isSilent: Bool) {
        guard let number = numbers[reporter] else { return }
        set(.silent, isSilent, of: number)
    }

    /// Sets whether a running task makes no advance of its own; the tree looks at its descendants.
    package mutating func setStalled(_ id: TaskID, _ isStalled: Bool) {
        guard let number = numbers[id] else { return }
        set(.stalled, isStalled, of: speaker(of: shown(number)))
    }

    /// Sets whether a request to cancel is unanswered; shown while the task runs or is paused.
    package mutating func setCancelling(_ id: TaskID, _ isCancelling: Bool) {
        guard let number = numbers[id] else { return }
        set(.cancelling, isCancelling, of: speaker(of: shown(number)))
    }

    /// Dismisses an ended task: it needs no attention until it is retried or, if lost, heard again.
    package mutating func setDismissed(_ id: TaskID) {
        guard let number = numbers[id] else { return }
        set(.dismissed, true, of: speaker(of: shown(number)))
    }

    /// Sets whether an earlier run of a job failed and nobody has dismissed that.
    ///
    /// The job then needs attention once it has ended, however it ended.
    package mutating func setAfterFailure(_ id: TaskID, _ isAfterFailure: Bool) {
        guard let number = numbers[id] else { return }
        set(.afterFailure, isAfterFailure, of: shown(number))
    }

    /// Shows a task without reachable root as a job of its own until its parent turns up.
    ///
    /// Nothing happens to a task that is in a job.
    package mutating func adoptOrphan(_ id: TaskID) {
        guard let number = shownNumber(id), !nodes[number].isAttached, isUnattached(number),
            !isAboutToBeAttached(number)
        else { return }
        nodes[number].flags.insert(.orphan)
        attach(number, depth: 0)
    }

    /// Sets whether another broker shows a task as a part of its job, so that no total here has it.
    package mutating func setPart(_ id: TaskID, _ isPart: Bool) {
        guard let number = numbers[id] else { return }
        set(.part, isPart, of: shown(number))
    }

    /// Whether a task is shown as a job because its parent has not turned up.
    package func isOrphan(_ id: TaskID) -> Bool {
        numbers[id].map { nodes[shown($0)].flags.contains(.orphan) } ?? false
    }

    private mutating func set(_ flag: NodeFlags, _ isOn: Bool, of number: PoolNumber) {
        guard nodes[number].flags.contains(flag) != isOn else { return }
        if isOn { nodes[number].flags.insert(flag) } else { nodes[number].flags.remove(flag) }
        mark(number)
    }
}
