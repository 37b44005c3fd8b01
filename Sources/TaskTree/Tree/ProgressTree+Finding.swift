// Which task is below which.
extension ProgressTree {
    /// The shown task a reporter speaks for; `nil` if it is shown nowhere or not known.
    package func taskID(of reporter: TaskID) -> TaskID? {
        guard let slot = slots[reporter], nodes[slot].link != .inert else { return nil }
        return nodes[shown(slot)].id
    }

    /// The name under which the owner of a shown task speaks; `nil` if the task is not known.
    package func reporter(of id: TaskID) -> TaskID? {
        guard let slot = shownSlot(id) else { return nil }
        return nodes[speaker(of: slot)].id
    }

    /// The roots, in order of id; orphans, which are shown as jobs, are among them.
    package var jobs: [TaskID] {
        roots.map { nodes[$0].id }.sorted()
    }

    /// Children in the current attempt, in order of id.
    package func children(of id: TaskID) -> [TaskID] {
        guard let slot = shownSlot(id) else { return [] }
        return shownChildren(of: slot).map { nodes[$0].id }
    }

    /// The same of a task that is in a job; `nil` if it is in none.
    package func childrenInJob(
        of id: TaskID,
        near cursor: inout TaskTable.Cursor
    ) -> [TaskID]? {
        guard let slot = slots.number(of: id, near: &cursor) else { return nil }
        let task = shown(slot)
        guard nodes[task].isAttached else { return nil }
        return nodes[task].family < 0 ? [] : shownChildren(of: task).map { nodes[$0].id }
    }

    /// Whether the first one is among the children of the other.
    package func isChild(_ id: TaskID, of parent: TaskID) -> Bool {
        guard let child = shownSlot(id), let slot = shownSlot(parent) else { return false }
        let up = nodes[child].up
        guard up >= 0, up == slot || up == speaker(of: slot) else { return false }
        return nodes[child].depth == (nodes[up].isAttached ? nodes[up].depth + 1 : -1)
    }

    /// Whether some task names this one, or the task that it speaks for, as its parent.
    package func hasChildren(_ reporter: TaskID) -> Bool {
        guard let slot = slots[reporter] else { return false }
        return firstChild(of: slot) >= 0 || firstChild(of: shown(slot)) >= 0
    }

    /// The names of all who redeemed a ticket and were its holders, in order of attempt.
    package func attempts(of ticket: TaskID) -> [TaskID] {
        guard let slot = slots[ticket] else { return [] }
        return holders(of: slot).map { nodes[$0].id }
    }

    /// Children of the attempt before the current one.
    package func formerAttemptChildren(of id: TaskID) -> [TaskID] {
        guard let slot = shownSlot(id), let former = holders(of: slot).dropLast().last else {
            return []
        }
        return children(countedBy: former).map { nodes[$0].id }
    }

    /// What hangs from the name of an attempt's redeemer.
    ///
    /// Of the current attempt, and of a task that is no ticket, all children.
    package func children(ofAttempt reporter: TaskID) -> [TaskID] {
        guard let slot = slots[reporter] else { return [] }
        guard nodes[slot].link == .holder, speaker(of: shown(slot)) != slot else {
            return children(of: reporter)
        }
        return children(countedBy: slot).map { nodes[$0].id }
    }

    /// The reporter of the parent task; `nil` for a job, which has no parent.
    ///
    /// Below a ticket's task it is the redeemer that the task names as its parent; where the task names
    /// the ticket itself, it is the current redeemer.
    package func attempt(above id: TaskID) -> TaskID? {
        guard let slot = shownSlot(id), shownParent(of: slot) >= 0 else { return nil }
        let above = nodes[slot].up
        return nodes[nodes[above].link == .holder ? above : speaker(of: above)].id
    }

    /// The shown task above; `nil` for a job, and for an orphan, which is shown as one.
    package func parent(of id: TaskID) -> TaskID? {
        guard let slot = shownSlot(id) else { return nil }
        let parent = shownParent(of: slot)
        return parent < 0 ? nil : nodes[parent].id
    }

    /// Levels below its job, 0 for the job itself; `nil` for what is in none.
    package func depth(of id: TaskID) -> Int? {
        guard let slot = shownSlot(id), nodes[slot].isAttached else { return nil }
        return Int(nodes[slot].depth)
    }

    /// The root a task or reporter is counted under; `nil` if none is reached.
    package func job(of id: TaskID) -> TaskID? {
        guard let slot = slots[id], nodes[slot].job >= 0 else { return nil }
        return nodes[nodes[slot].job].id
    }

    /// The task and all below it in current attempts, each parent before its children.
    package func subtree(of id: TaskID) -> [TaskID] {
        guard let top = shownSlot(id), nodes[top].isAttached else { return [] }
        var found: [TaskID] = []
        var pending = [top]
        while let slot = pending.popLast() {
            found.append(nodes[slot].id)
            pending += shownChildren(of: slot).reversed()
        }
        return found
    }

    /// The unfinished tasks at or below this one, by the sessions that speak for them, without those
    /// whose parent is of the same session; and how many tasks were looked at.
    ///
    /// A session that has ended a task has nothing left to stop; others may still work below it.
    package func topmostUnfinished(at id: TaskID) -> (tasks: [SessionID: [UInt64]], looked: Int) {
        guard let top = shownSlot(id), nodes[top].isAttached else { return ([:], 0) }
        var tasks: [SessionID: [UInt64]] = [:]
        var looked = 0
        var pending: [(slot: PoolNumber, above: SessionID?)] = [(top, nil)]
        while let (slot, above) = pending.popLast() {
            looked += 1
            let speaker = speaker(of: slot)
            let state = state(ofShown: slot)
            var session: SessionID?
            if !state.isEnded, state != .waiting, !nodes[speaker].stated.isFinal {
                let reporter = nodes[speaker].id
                session = reporter.session
                if session != above { tasks[reporter.session, default: []].append(reporter.index) }
            }
            for child in shownChildren(of: slot).reversed() { pending.append((child, session)) }
        }
        return (tasks, looked)
    }

    /// Whether some task below this one, in the current attempts, passes with its reporter.
    ///
    /// Looks at `limit` tasks at most: `nil` if none of these passes and there are more.
    package func hasDescendant(
        of id: TaskID,
        within limit: Int,
        where passes: (_ task: TaskID, _ reporter: TaskID) -> Bool
    ) -> Bool? {
        guard let top = shownSlot(id) else { return false }
        var pending = [top, speaker(of: top)]
        if pending[0] == pending[1] { pending.removeLast() }
        var looked = 0
        while let slot = pending.popLast() {
            var child = firstChild(of: slot)
            while child >= 0 {
                guard looked < limit else { return nil }
                looked += 1
                let speaker = speaker(of: child)
                if passes(nodes[child].id, nodes[speaker].id) { return true }
                pending.append(child)
                if speaker != child { pending.append(speaker) }
                child = nodes[child].nextSibling
            }
        }
        return false
    }

    /// Everything a session has stated or that was decided about its names, in order of id.
    package func reporters(of session: SessionID) -> [TaskID] {
        var found: [TaskID] = []
        slots.forEach(of: session) { slot in
            if nodes[slot].flags.contains(.owned) { found.append(nodes[slot].id) }
        }
        return found.sorted()
    }

    /// Described, but no root is reached within the greatest depth; in order of id.
    ///
    /// What hangs under a redeemer that is shown nowhere is not among them. Costs a walk up from
    /// each such task, not from others.
    package var unattached: [TaskID] {
        unattachedSlots.filter { !hangsUnderInert($0) }.map { nodes[$0].id }.sorted()
    }

    /// Those that have become so since somebody last asked, in order of id; without a look at what
    /// they hang under.
    package mutating func takeNewlyUnattached() -> [TaskID] {
        guard !newlyUnattached.isEmpty else { return [] }
        defer { newlyUnattached = [] }
        return newlyUnattached.map { nodes[$0].id }.sorted()
    }

    /// The tasks without a description that have left their job since the last call; in order of id.
    ///
    /// Those that are back in a job by now are not among them.
    package mutating func takeNewlyUnshown() -> [TaskID] {
        guard !newlyUnshown.isEmpty else { return [] }
        defer { newlyUnshown = [] }
        return newlyUnshown.filter { hasRecord(of: $0) && isUnshown($0) }.sorted()
    }

    /// Whether a task is described and no root is reached.
    package func isUnattached(_ id: TaskID) -> Bool {
        slots[id].map(unattachedSlots.contains) ?? false
    }

    /// Whether a task hangs under a redeemer that is shown nowhere, and so is not shown either.
    package func isHidden(_ id: TaskID) -> Bool {
        guard let slot = slots[id] else { return false }
        return hangsUnderInert(slot)
    }

    private func hangsUnderInert(_ slot: PoolNumber) -> Bool {
        var slot = slot
        for _ in 0...Self.maxDepth {
            let up = nodes[slot].up
            if up < 0 { return false }
            if nodes[up].link == .inert { return true }
            slot = up
        }
        return false
    }

    private func shownChildren(of slot: PoolNumber) -> [PoolNumber] {
        guard nodes[slot].family >= 0 else { return [] }
        var found = children(countedBy: slot)
        let speaker = speaker(of: slot)
        if speaker != slot { found += children(countedBy: speaker) }
        // The newest is first in the list, so that this is nearly always the order already.
        found.reverse()
        let isInOrder = zip(found, found.dropFirst()).allSatisfy {
            nodes[$0].id < nodes[$1].id
        }
        return isInOrder ? found : found.sorted { nodes[$0].id < nodes[$1].id }
    }

    /// Children that are in the same job, or in none like their parent.
    private func children(countedBy slot: PoolNumber) -> [PoolNumber] {
        let parent = nodes[slot]
        let depth = parent.isAttached ? parent.depth + 1 : -1
        return children(below: slot).filter { nodes[$0].depth == depth }
    }
}
