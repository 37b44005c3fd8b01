// Which task is below which.
extension ProgressTree {
    /// The shown task a reporter speaks for; `nil` if it is shown nowhere or not known.
    package func taskID(of reporter: TaskID) -> TaskID? {
        guard let number = numbers[reporter], nodes[number].link != .inert else { return nil }
        return nodes[shown(number)].id
    }

    /// The name under which the owner of a shown task speaks; `nil` if the task is not known.
    package func reporter(of id: TaskID) -> TaskID? {
        guard let number = shownNumber(id) else { return nil }
        return nodes[speaker(of: number)].id
    }

    /// The roots, in order of id; orphans, which are shown as jobs, are among them.
    package var jobs: [TaskID] {
        roots.map { nodes[$0].id }.sorted()
    }

    /// Children in the current attempt, in order of id.
    package func children(of id: TaskID) -> [TaskID] {
        guard let number = shownNumber(id) else { return [] }
        return shownChildren(of: number).map { nodes[$0].id }
    }

    /// The children of a task that is in a job; `nil` if it is in none.
    package func childrenInJob(
        of id: TaskID,
        near cursor: inout TaskTable.Cursor
    ) -> [TaskID]? {
        guard let number = numbers.number(of: id, near: &cursor) else { return nil }
        let task = shown(number)
        guard nodes[task].isAttached else { return nil }
        return nodes[task].family < 0 ? [] : shownChildren(of: task).map { nodes[$0].id }
    }

    /// Whether the first one is among the children of the other.
    package func isChild(_ id: TaskID, of parent: TaskID) -> Bool {
        guard let child = shownNumber(id), let number = shownNumber(parent) else { return false }
        let up = nodes[child].up
        guard up >= 0, up == number || up == speaker(of: number) else { return false }
        return isCounted(child, by: up)
    }

    /// Whether some task names this one, or the task that it speaks for, as its parent.
    package func hasChildren(_ reporter: TaskID) -> Bool {
        guard let number = numbers[reporter] else { return false }
        return firstChild(of: number) >= 0 || firstChild(of: shown(number)) >= 0
    }

    /// The names of all who redeemed a ticket and were its holders, in order of attempt.
    package func attempts(of ticket: TaskID) -> [TaskID] {
        guard let number = numbers[ticket] else { return [] }
        return holders(of: number).map { nodes[$0].id }
    }

    /// Children of the attempt before the current one.
    package func formerAttemptChildren(of id: TaskID) -> [TaskID] {
        guard let number = shownNumber(id), let former = holders(of: number).dropLast().last else {
            return []
        }
        return children(countedBy: former).map { nodes[$0].id }
    }

    /// The children in the attempt of a redeemer.
    ///
    /// For the current attempt, and for a task that is no ticket, these are all children of the
    /// task.
    package func children(ofAttempt reporter: TaskID) -> [TaskID] {
        guard let number = numbers[reporter] else { return [] }
        guard nodes[number].link == .holder, speaker(of: shown(number)) != number else {
            return children(of: reporter)
        }
        return children(countedBy: number).map { nodes[$0].id }
    }

    /// The reporter of the parent task; `nil` for a job, which has no parent.
    ///
    /// Below a ticket's task it is the redeemer that the task names as its parent; where the task
    /// names the ticket itself, it is the current redeemer.
    package func attempt(above id: TaskID) -> TaskID? {
        guard let number = shownNumber(id), shownParent(of: number) >= 0 else { return nil }
        let above = nodes[number].up
        return nodes[nodes[above].link == .holder ? above : speaker(of: above)].id
    }

    /// The shown task above; `nil` for a job, and for an orphan, which is shown as one.
    package func parent(of id: TaskID) -> TaskID? {
        guard let number = shownNumber(id) else { return nil }
        let parent = shownParent(of: number)
        return parent < 0 ? nil : nodes[parent].id
    }

    /// Levels below its job, 0 for the job itself; `nil` for a task in no job.
    package func depth(of id: TaskID) -> Int? {
        guard let number = shownNumber(id), nodes[number].isAttached else { return nil }
        return Int(nodes[number].depth)
    }

    /// The root a task or reporter is counted under; `nil` if none is reached.
    package func job(of id: TaskID) -> TaskID? {
        guard let number = numbers[id], nodes[number].job >= 0 else { return nil }
        return nodes[nodes[number].job].id
    }

    /// The task and all below it in current attempts, each parent before its children.
    package func subtree(of id: TaskID) -> [TaskID] {
        guard let top = shownNumber(id), nodes[top].isAttached else { return [] }
        var found: [TaskID] = []
        var pending = [top]
        while let number = pending.popLast() {
            found.append(nodes[number].id)
            pending += shownChildren(of: number).reversed()
        }
        return found
    }

    /// The topmost unfinished tasks at or below a task, by the sessions that speak for them; and
    /// how many tasks were looked at.
    ///
    /// A task is not among them if its parent is unfinished and of the same session. A session that
    /// has ended a task has nothing left to stop, but tasks of others may still run below it.
    /// `isLeftOut` is asked about each child, with the session of its parent or, if that has
    /// nothing left to stop, `nil`. If it says yes, all that is below the child is left out too.
    package func topmostUnfinished(
        at id: TaskID,
        leavingOut isLeftOut: (TaskID, SessionID?) -> Bool = { _, _ in false }
    ) -> (tasks: [SessionID: [UInt64]], looked: Int) {
        guard let top = shownNumber(id), nodes[top].isAttached else { return ([:], 0) }
        var tasks: [SessionID: [UInt64]] = [:]
        var looked = 0
        var pending: [(number: PoolNumber, above: SessionID?)] = [(top, nil)]
        while let (number, above) = pending.popLast() {
            looked += 1
            let speaker = speaker(of: number)
            let state = state(ofShown: number)
            var session: SessionID?
            if state.isUnderWay, !nodes[speaker].stated.isFinal {
                let reporter = nodes[speaker].id
                session = reporter.session
                if session != above { tasks[reporter.session, default: []].append(reporter.index) }
            }
            for child in shownChildren(of: number).reversed()
            where !isLeftOut(nodes[child].id, session) {
                pending.append((child, session))
            }
        }
        return (tasks, looked)
    }

    /// Whether some task below this one, in the current attempts, passes with its reporter.
    ///
    /// Looks at `limit` tasks at most: `nil` if none of them passes and there are more.
    package func hasDescendant(
        of id: TaskID,
        within limit: Int,
        where passes: (_ task: TaskID, _ reporter: TaskID) -> Bool
    ) -> Bool? {
        guard let top = shownNumber(id) else { return false }
        var pending = [top, speaker(of: top)]
        if pending[0] == pending[1] { pending.removeLast() }
        var looked = 0
        while let number = pending.popLast() {
            var child = firstChild(of: number)
            while child >= 0 {
                guard looked < limit else { return nil }
                looked += 1
                if isCounted(child, by: number) {
                    let speaker = speaker(of: child)
                    if passes(nodes[child].id, nodes[speaker].id) { return true }
                    pending.append(child)
                    if speaker != child { pending.append(speaker) }
                }
                child = nodes[child].nextSibling
            }
        }
        return false
    }

    /// The names of a session of which something was stated or decided, in order of id.
    package func reporters(of session: SessionID) -> [TaskID] {
        var found: [TaskID] = []
        numbers.forEach(of: session) { number in
            if nodes[number].flags.contains(.owned) { found.append(nodes[number].id) }
        }
        return found.sorted()
    }

    /// The described tasks that no root reaches within the greatest depth, in order of id.
    ///
    /// Tasks under an inert redeemer are not among them. Costs a walk up from each unattached task.
    package var unattached: [TaskID] {
        unattachedNumbers.filter { !hangsUnderInert($0) }.map { nodes[$0].id }.sorted()
    }

    /// An upper bound of the number of `unattached` tasks.
    package var unattachedCount: Int { unattachedNumbers.count }

    /// The tasks that have become unattached since the last call, in order of id.
    ///
    /// Tasks under an inert redeemer are among them.
    package mutating func takeNewlyUnattached() -> [TaskID] {
        guard !newlyUnattached.isEmpty else { return [] }
        defer { newlyUnattached = [] }
        return newlyUnattached.map { nodes[$0].id }.sorted()
    }

    /// The tasks without a description that have left their job since the last call, in order of
    /// id.
    ///
    /// Those that are back in a job by now are not among them.
    package mutating func takeNewlyUnshown() -> [TaskID] {
        guard !newlyUnshown.isEmpty else { return [] }
        defer { newlyUnshown = [] }
        return newlyUnshown.filter { hasRecord(of: $0) && isUnshown($0) }.sorted()
    }

    /// Whether a task is described and no root is reached.
    package func isUnattached(_ id: TaskID) -> Bool {
        numbers[id].map(unattachedNumbers.contains) ?? false
    }

    /// Whether a task hangs under a redeemer that is shown nowhere, and so is not shown either.
    package func isHidden(_ id: TaskID) -> Bool {
        guard let number = numbers[id] else { return false }
        return hangsUnderInert(number)
    }

    private func hangsUnderInert(_ number: PoolNumber) -> Bool {
        var number = number
        for _ in 0...Self.maxDepth {
            let up = nodes[number].up
            if up < 0 { return false }
            if nodes[up].link == .inert { return true }
            number = up
        }
        return false
    }

    private func shownChildren(of number: PoolNumber) -> [PoolNumber] {
        guard nodes[number].family >= 0 else { return [] }
        var found = children(countedBy: number)
        let speaker = speaker(of: number)
        if speaker != number { found += children(countedBy: speaker) }
        // The list begins with the newest child, so its reverse is nearly always in order.
        found.reverse()
        let isInOrder = zip(found, found.dropFirst()).allSatisfy {
            nodes[$0].id < nodes[$1].id
        }
        return isInOrder ? found : found.sorted { nodes[$0].id < nodes[$1].id }
    }

    /// The children that a record counts: in its job or, if it is in none, in none too.
    private func children(countedBy number: PoolNumber) -> [PoolNumber] {
        children(below: number).filter { isCounted($0, by: number) }
    }

    /// Whether the record counts a child.
    ///
    /// It does not count a child that is a job by itself, as when tasks name each other as parents.
    func isCounted(_ child: PoolNumber, by number: PoolNumber) -> Bool {
        nodes[child].depth == (nodes[number].isAttached ? nodes[number].depth + 1 : -1)
    }
}
