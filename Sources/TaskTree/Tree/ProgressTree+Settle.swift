extension ProgressTree {
    /// Computes what is pending, deepest first, and says what changed since the last time.
    ///
    /// Of what is to be settled again for a word above it, `marks` records are taken in at most; while
    /// there are more, `hasPending` stays true.
    package mutating func settle(marks: Int = .max) -> TreeChanges {
        var changes = TreeChanges()
        takeWork(marks)
        changes.progressed.reserveCapacity(markedCount)
        for depth in stride(from: Self.maxDepth, through: 0, by: -1) where !dirty[depth].isEmpty {
            let waiting = dirty[depth]
            dirty[depth].removeAll()
            var marked = noNumber
            for slot in waiting {
                // Freed, moved or settled already: its place may be in the list twice.
                guard nodes[slot].flags.contains(.dirty), nodes[slot].depth == depth else {
                    continue
                }
                nodes[slot].flags.remove(.dirty)
                if nodes[slot].link == .holder { continue }
                let isPassedOn = settle(slot, &changes)
                // Children of one parent follow each other mostly: they mark it once.
                guard isPassedOn, nodes[slot].up != marked else { continue }
                marked = nodes[slot].up
                mark(marked)
            }
        }
        changes.described.reverse()
        changes.begun.reverse()
        changes.detached = departed.sorted()
        departed.removeAll()
        #if PROGRESSBUS_INTERNAL_CHECKS
        checkInvariants(after: changes)
        #endif
        return changes
    }

    /// Brings one task's part in its parent's sums up to date; returns whether it is another now.
    private mutating func settle(
        _ slot: PoolNumber,
        _ changes: inout TreeChanges
    ) -> Bool {
        let children = aggregate(of: slot)
        let outcome = outcome(of: slot, children)
        note(slot, outcome.state, &changes)
        guard nodes[slot].depth > 0 else {
            settleJob(slot, outcome)
            return false
        }
        let up = nodes[slot].up
        let parents = nodes[up].family
        var isChanged = false
        let own = contribution(of: slot, outcome, children)
        let old = nodes[slot].contribution
        if own != old {
            families[parents].aggregate.replace(old, by: own)
            nodes[slot].contribution = own
            isChanged = true
        }
        let family = nodes[slot].family
        if family >= 0 {
            let below = passedOn(by: slot, outcome, children)
            if families[family].contributed != below {
                families[parents].aggregate.add(families[family].contributed, times: -1)
                families[parents].aggregate.add(below, times: 1)
                families[family].contributed = below
                isChanged = true
            }
        }
        return isChanged
    }

    /// Brings one job's part in the totals up to date.
    private mutating func settleJob(_ slot: PoolNumber, _ outcome: Outcome) {
        let own = jobContribution(of: slot, outcome)
        if own != nodes[slot].contribution {
            totals.add(nodes[slot].contribution, times: -1)
            totals.add(own, times: 1)
            nodes[slot].contribution = own
        }
        guard nodes[slot].family >= 0 else { return }
        let below = jobDescendants(of: slot, outcome)
        let family = nodes[slot].family
        if below != families[family].contributed {
            totals.add(families[family].contributed, times: -1)
            totals.add(below, times: 1)
            families[family].contributed = below
        }
    }

    private mutating func note(_ slot: PoolNumber, _ state: TaskState, _ changes: inout TreeChanges)
    {
        let id = nodes[slot].id
        let flags = nodes[slot].flags
        changes.progressed.append(id)
        if flags.contains(.news) { changes.described.append(id) }
        let hasLeft = !departed.isEmpty && departed.remove(id) != nil
        if !flags.contains(.shown), !hasLeft { changes.begun.append(id) }
        let wasEnded = (flags.contains(.shown) || hasLeft) && flags.contains(.shownEnded)
        if state.isEnded != wasEnded {
            if wasEnded { changes.reopened.append(id) } else { changes.ended.append(id) }
        }
        var shown = flags.subtracting([.news, .shownEnded]).union(.shown)
        if state.isEnded { shown.insert(.shownEnded) }
        nodes[slot].flags = shown
    }

    /// The records that name this one as parent.
    func children(below slot: PoolNumber) -> [PoolNumber] {
        var children: [PoolNumber] = []
        var child = firstChild(of: slot)
        while child >= 0 {
            children.append(child)
            child = nodes[child].nextSibling
        }
        return children
    }

    /// The records that speak or spoke for this ticket, in order of attempt.
    func holders(of slot: PoolNumber) -> [PoolNumber] {
        let family = nodes[slot].family
        return family < 0 ? [] : families[family].holders.map(\.record)
    }
}
