// How tasks leave the tree; sums lose exactly what they held of them.
extension ProgressTree {
    /// The owner's session no longer states the task; its children remain, without a parent.
    ///
    /// What was decided about the reporter goes too. A ticket that is forgotten while somebody
    /// holds it waits as a placeholder.
    package mutating func forget(_ reporter: TaskID) {
        guard let slot = slots[reporter], !isLeaving(slot) else { return }
        clear(slot)
    }

    /// The same of all that the session has hung below the task too; returns their names.
    package mutating func forgetBranch(_ reporter: TaskID) -> [TaskID] {
        guard let slot = slots[reporter], !isLeaving(slot) else { return [] }
        return removeSubtree(slot) { $0.session == reporter.session }
    }

    /// Takes a job and everything below it out, children of earlier attempts included.
    ///
    /// It counts and is shown no more from the first call on, and neither does anything that is still
    /// said of its tasks. Each call removes `most` records at most, what is below first, and returns
    /// their names, those of redeemers among them; the last one when `isLeaving` is false. Orphans
    /// below that are shown as jobs of their own stay.
    package mutating func removeJob(_ id: TaskID, most: Int = .max) -> [TaskID] {
        guard let slot = shownSlot(id) else { return [] }
        if !leaving.contains(slot) {
            guard nodes[slot].depth == 0 else { return removeSubtree(slot) { _ in true } }
            leave(slot)
        }
        return removeLeaving(slot, most: most)
    }

    /// Whether a task is of a job that is being removed.
    package func isLeaving(_ reporter: TaskID) -> Bool {
        !leaving.isEmpty && slots[reporter].map(isLeaving) == true
    }

    func isLeaving(_ slot: Slot) -> Bool {
        !leaving.isEmpty && leaving.contains(nodes[slot].job)
    }

    private mutating func leave(_ job: Slot) {
        withdraw(job)
        roots.remove(job)
        leaving.insert(job)
        // Else it would come back with a parent that turns up.
        let up = nodes[job].up
        unhang(job)
        if up >= 0 { discardIfEmpty(up) }
    }

    private mutating func removeLeaving(_ job: Slot, most: Int) -> [TaskID] {
        var names: [TaskID] = []
        var line = [(slot: job, id: nodes[job].id)]
        while names.count < most, let (slot, id) = line.last {
            if slots[id] == slot, let below = nextLeaving(below: slot, of: job) {
                line.append((below, nodes[below].id))
                continue
            }
            line.removeLast()
            // Else it was freed with the last one below it.
            guard slots[id] == slot else { continue }
            names.append(id)
            if slot == job { leaving.remove(job) }
            clear(slot)
        }
        return names
    }

    /// A record directly below another one of a job that leaves.
    private mutating func nextLeaving(below slot: Slot, of job: Slot) -> Slot? {
        let family = nodes[slot].family
        guard family >= 0 else { return nil }
        while families[family].firstChild >= 0 {
            let child = families[family].firstChild
            if !nodes[child].isAttached || nodes[child].job == job { return child }
            // It is shown as a job of its own, and does not keep the name of this one.
            unhang(child)
        }
        return families[family].holders.last?.record
    }

    /// Nothing more is to come of a session, and nothing of it is left: what was folded away may be
    /// forgotten.
    package mutating func forgetSession(_ session: SessionID) {
        guard count(of: session) == 0 else { return }
        sessions[session] = nil
    }

    /// Clears a record and those below it whose names pass; a branch that does not is left.
    @discardableResult
    mutating func removeSubtree(_ top: Slot, where passes: (TaskID) -> Bool) -> [TaskID] {
        detach(top)
        var found: [(slot: Slot, id: TaskID)] = []
        var pending = [top]
        while let slot = pending.popLast() {
            found.append((slot, nodes[slot].id))
            let below = children(below: slot) + holders(of: slot)
            pending += below.filter {
                $0 != top && !nodes[$0].isAttached && passes(nodes[$0].id)
            }
        }
        // Children first, so that nothing is left as a placeholder for them.
        for (slot, id) in found.reversed() where slots[id] == slot { clear(slot) }
        return found.map(\.id)
    }

    /// Takes back everything said and decided about a name; frees its record if nothing needs it.
    private mutating func clear(_ slot: Slot) {
        let id = nodes[slot].id
        detach(slot)
        unlink(slot)
        units.release(nodes[slot].unit)
        setStated(slot, .running)
        bindings[slot] = nil
        clearFolds(slot)
        disown(slot)
        let old = nodes[slot]
        var node = Node(id: id)
        node.family = old.family
        node.flags = old.flags.intersection(.silent)
        nodes[slot] = node
        discardIfEmpty(slot)
        if slots[id] == slot { noteAttachment(slot) }
    }

    private mutating func clearFolds(_ slot: Slot) {
        let family = nodes[slot].family
        guard family >= 0 else { return }
        for fold in families[family].folds.values {
            families[family].aggregate.add(fold, times: -1)
            for sum in fold.sums { units.release(sum.unit) }
        }
        families[family].folds = [:]
    }
}
