extension ProgressTree {
    /// Recomputes all marked tasks, deepest first, and returns what changed since the last
    /// settling.
    ///
    /// It first takes in about `marks` records of `pendingWork` at most; `hasPending` stays true
    /// while there are more.
    package mutating func settle(marks: Int = .max) -> TreeChanges {
        var changes = TreeChanges()
        takeWork(marks)
        changes.progressed.reserveCapacity(markedCount)
        for depth in stride(from: Self.maxDepth, through: 0, by: -1) where !dirty[depth].isEmpty {
            let waiting = dirty[depth]
            dirty[depth].removeAll()
            var marked = noNumber
            for number in waiting {
                // The list may still have a record that was freed or moved, or have one twice.
                guard nodes[number].flags.contains(.dirty), nodes[number].depth == depth else {
                    continue
                }
                nodes[number].flags.remove(.dirty)
                if nodes[number].link == .holder { continue }
                let isPassedOn = settle(number, &changes)
                // Siblings mostly come one after the other, so their parent is marked only once.
                guard isPassedOn, nodes[number].up != marked else { continue }
                marked = nodes[number].up
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

    /// Updates what one task adds to its parent's sums, or to the totals.
    ///
    /// Returns whether this changed the sums of a parent.
    private mutating func settle(
        _ number: PoolNumber,
        _ changes: inout TreeChanges
    ) -> Bool {
        let children = aggregate(of: number)
        let outcome = outcome(of: number, children)
        note(number, outcome.state, &changes)
        let own = contribution(of: number, outcome, children)
        let below =
            nodes[number].family < 0 ? nil : passedOn(by: number, outcome, children)
        return contribute(own, below, of: number) && nodes[number].depth > 0
    }

    /// Replaces what a task adds to its parent's sums, or a job to the totals; returns whether it
    /// changed.
    ///
    /// `below` is what it adds from its descendants, `nil` for a task without a family.
    mutating func contribute(
        _ own: Contribution,
        _ below: Descendants?,
        of number: PoolNumber
    ) -> Bool {
        let isJob = nodes[number].depth == 0
        let parents = isJob ? noNumber : nodes[nodes[number].up].family
        let old = nodes[number].contribution
        if own != old {
            if isJob {
                totals.add(old, times: -1)
                totals.add(own, times: 1)
            } else {
                families[parents].aggregate.replace(old, by: own)
            }
            nodes[number].contribution = own
        }
        let family = nodes[number].family
        guard let below, families[family].contributed != below else { return own != old }
        let former = families[family].contributed
        if isJob {
            totals.add(former, times: -1)
            totals.add(below, times: 1)
        } else {
            families[parents].aggregate.add(former, times: -1)
            families[parents].aggregate.add(below, times: 1)
        }
        families[family].contributed = below
        return true
    }

    private mutating func note(
        _ number: PoolNumber,
        _ state: TaskState,
        _ changes: inout TreeChanges
    ) {
        let id = nodes[number].id
        let flags = nodes[number].flags
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
        nodes[number].flags = shown
    }

    /// The records that name this one as parent.
    func children(below number: PoolNumber) -> [PoolNumber] {
        var children: [PoolNumber] = []
        var child = firstChild(of: number)
        while child >= 0 {
            children.append(child)
            child = nodes[child].nextSibling
        }
        return children
    }

    /// The records that speak or spoke for this ticket, in order of attempt.
    func holders(of number: PoolNumber) -> [PoolNumber] {
        let family = nodes[number].family
        return family < 0 ? [] : families[family].holders.map(\.record)
    }
}

extension ProgressTree {
    mutating func doLater(_ kind: PendingWork.Kind, to number: PoolNumber) {
        guard nodes[number].flags.isDisjoint(with: kind.flag) else { return }
        nodes[number].flags.insert(kind.flag)
        pendingWork.append(PendingWork(record: number, kind: kind))
    }

    /// Takes in about `most` records of `pendingWork`.
    mutating func takeWork(_ most: Int) {
        var left = most
        while left > 0, let next = pendingWork.popLast() {
            let number = next.record
            // If the flag is gone, the record was freed in the meantime.
            guard Int(number) < nodes.capacity, nodes[number].flags.contains(next.kind.flag) else {
                continue
            }
            nodes[number].flags.remove(next.kind.flag)
            left -= 1
            switch next.kind {
            case .record: mark(number)
            case .subtree: markSubtree(number)
            case .attachment:
                let before = moves
                attachToParent(number)
                left -= moves - before
            }
        }
    }

    private mutating func markSubtree(_ number: PoolNumber) {
        guard nodes[number].isAttached else { return }
        mark(number)
        let depth = nodes[number].depth + 1
        for child in children(below: number) where nodes[child].depth == depth {
            doLater(.subtree, to: child)
        }
        for holder in holders(of: number) { doLater(.subtree, to: holder) }
    }

    private mutating func attachToParent(_ number: PoolNumber) {
        // If tasks name each other as parents in a circle, the link that leads back into the same
        // job is not followed.
        guard isAboutToBeAttached(number), nodes[number].job != nodes[nodes[number].up].job else {
            return
        }
        if nodes[number].isAttached {
            // It was shown as a job until this parent came.
            detach(number)
            nodes[number].flags.remove(.orphan)
        }
        attach(number, depth: Int(nodes[nodes[number].up].depth) + 1)
    }

    /// Whether a record is to be attached, as its parent is in a job.
    func isAboutToBeAttached(_ number: PoolNumber) -> Bool {
        let up = nodes[number].up
        guard up >= 0, nodes[number].link == .child || nodes[number].link == .concurrentRedeemer
        else {
            return false
        }
        return nodes[up].isAttached && nodes[up].depth < Self.maxDepth
    }
}
