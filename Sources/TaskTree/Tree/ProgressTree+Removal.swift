// How tasks leave the tree; sums lose exactly what they held of them.
extension ProgressTree {
    /// Forgets all that was stated and decided about a reporter; its children remain, without a
    /// parent.
    ///
    /// A ticket that is forgotten while it has a holder stays as a placeholder.
    package mutating func forget(_ reporter: TaskID) {
        guard let number = numbers[reporter] else { return }
        clear(number)
    }

    /// Forgets a reporter and all that its session has hung below it; returns the names.
    package mutating func forgetBranch(_ reporter: TaskID) -> [TaskID] {
        guard let number = numbers[reporter] else { return [] }
        return removeSubtree(number) { $0.session == reporter.session }
    }

    /// Takes a task and everything below it out, children of earlier attempts included.
    ///
    /// Returns the names of all records removed, those of redeemers among them. Orphans below that
    /// are shown as jobs of their own stay.
    package mutating func removeJob(_ id: TaskID) -> [TaskID] {
        guard let number = shownNumber(id) else { return [] }
        return removeSubtree(number) { _ in true }
    }

    /// Takes out records below a task, children before parents, until `limit` are gone; returns
    /// their names.
    ///
    /// A ticket is not left without its redeemers, even if that exceeds `limit`. If fewer are gone,
    /// ``removeJob(_:)`` takes out the rest.
    package mutating func removeLeaves(below id: TaskID, limit: Int) -> [TaskID] {
        guard let top = shownNumber(id) else { return [] }
        var removed: [TaskID] = []
        var number = top
        // A ticket whose holder is gone would seem to wait for another one.
        var wasHolder = false
        while removed.count < limit || wasHolder {
            if let below = firstRecord(below: number) {
                number = below
            } else if number == top || number == speaker(of: top) || firstChild(of: number) >= 0 {
                // The first child is a job by itself; if that job is also above the record, only
                // ``removeJob(_:)`` takes out both.
                break
            } else {
                let node = nodes[number]
                wasHolder = node.link == .holder
                clear(number)
                // The record stays as a placeholder for what still hangs under it.
                if numbers[node.id] == number { break }
                removed.append(node.id)
                number = node.up
            }
        }
        return removed
    }

    /// The first child, if it is no job by itself; without children the redeemer of the earliest
    /// attempt.
    private func firstRecord(below number: PoolNumber) -> PoolNumber? {
        guard nodes[number].family >= 0 else { return nil }
        let family = families[nodes[number].family]
        if family.firstChild >= 0 {
            return nodes[family.firstChild].depth == 0 ? nil : family.firstChild
        }
        return family.holders.first?.record
    }

    /// Forgets a session that is over and has no records, with the indices that it has folded away.
    package mutating func forgetSession(_ session: SessionID) {
        guard count(of: session) == 0 else { return }
        sessions[session] = nil
    }

    /// Clears a record and those below it whose names pass; a branch whose top does not pass is
    /// left.
    @discardableResult
    mutating func removeSubtree(_ top: PoolNumber, where passes: (TaskID) -> Bool) -> [TaskID] {
        detach(top)
        var found: [(number: PoolNumber, id: TaskID)] = []
        var pending = [top]
        while let number = pending.popLast() {
            found.append((number, nodes[number].id))
            let below = children(below: number) + holders(of: number)
            pending += below.filter {
                $0 != top && !nodes[$0].isAttached && passes(nodes[$0].id)
            }
        }
        // Children first, so that nothing is left as a placeholder for them.
        for (number, id) in found.reversed() where numbers[id] == number { clear(number) }
        return found.map(\.id)
    }

    /// Takes back everything said and decided about a name; frees its record if nothing needs it.
    private mutating func clear(_ number: PoolNumber) {
        let id = nodes[number].id
        detach(number)
        unlink(number)
        units.release(nodes[number].unit)
        setStated(number, .running)
        bindings[number] = nil
        clearFolds(number)
        disown(number)
        let old = nodes[number]
        var node = Node(id: id)
        node.family = old.family
        node.flags = old.flags.intersection(.silent)
        nodes[number] = node
        discardIfEmpty(number)
        if numbers[id] == number { noteAttachment(number) }
    }

    private mutating func clearFolds(_ number: PoolNumber) {
        let family = nodes[number].family
        guard family >= 0 else { return }
        for fold in families[family].folds.values {
            families[family].aggregate.add(fold, times: -1)
            for sum in fold.below.sums { units.release(sum.unit) }
        }
        families[family].folds = [:]
    }
}
