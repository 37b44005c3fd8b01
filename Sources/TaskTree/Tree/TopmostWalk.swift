/// The way through a task and all below it, to the topmost unfinished tasks of each session.
///
/// There may be very many: whoever goes it looks at some, and goes on later. What is moved or removed
/// meanwhile may be missed, or found twice.
package struct TopmostWalk: Sendable {
    /// The indices of each session by its own names; of very many the first that it came to.
    package private(set) var found: [SessionID: [UInt64]] = [:]
    /// How many those are.
    package private(set) var count = 0
    /// The lists of children that it is in, each below the one before.
    fileprivate var line: [Step] = []
    fileprivate var restarts = 0

    fileprivate struct Step {
        let parent: Slot
        let parentID: TaskID
        /// Whose unfinished task they are below: those of the same session are not topmost.
        let session: SessionID?
        /// The child to be looked at next.
        var next: Slot
        var nextID: TaskID
    }

    /// Whether all has been looked at.
    package var isOver: Bool { line.isEmpty }

    /// What it has found since somebody took that last.
    package mutating func takeFound() -> [SessionID: [UInt64]] {
        defer { (found, count) = ([:], 0) }
        return found
    }

    fileprivate mutating func find(_ reporter: TaskID) {
        guard found[reporter.session, default: []].count < Self.mostOfSession else { return }
        found[reporter.session, default: []].append(reporter.index)
        count += 1
    }

    /// So many fit into a frame.
    private static var mostOfSession: Int { 65_536 }
}

extension ProgressTree {
    /// Begins at a task in a job; is over at once if it is in none.
    package func topmostTasks(below id: TaskID) -> TopmostWalk {
        var walk = TopmostWalk()
        if let top = shownSlot(id), nodes[top].isAttached { look(at: top, above: nil, &walk) }
        return walk
    }

    /// Begins at the children of a ticket's attempts before the current one.
    package func topmostTasksOfEarlierAttempts(of ticket: TaskID) -> TopmostWalk {
        var walk = TopmostWalk()
        guard let slot = shownSlot(ticket), nodes[slot].isAttached else { return walk }
        for holder in holders(of: slot).dropLast() { descend(into: holder, nil, &walk) }
        return walk
    }

    /// Goes on with a walk; takes the number of tasks that it looks at from `looks`.
    package func advance(_ walk: inout TopmostWalk, looks: inout Int) {
        resume(&walk)
        while looks > 0, let step = walk.line.last {
            let child = step.next
            guard child >= 0 else {
                walk.line.removeLast()
                continue
            }
            looks -= 1
            walk.line[walk.line.count - 1].next = nodes[child].nextSibling
            guard nodes[child].depth == nodes[step.parent].depth + 1 else { continue }
            look(at: child, above: step.session, &walk)
        }
        for place in walk.line.indices where walk.line[place].next >= 0 {
            walk.line[place].nextID = nodes[walk.line[place].next].id
        }
    }

    /// Finds the place again where the tree has changed meanwhile.
    private func resume(_ walk: inout TopmostWalk) {
        for (place, step) in walk.line.enumerated() {
            guard slots[step.parentID] == step.parent, nodes[step.parent].isAttached else {
                walk.line.removeSubrange(place...)
                return
            }
            guard step.next >= 0 else { continue }
            if slots[step.nextID] == step.next, nodes[step.next].up == step.parent { continue }
            // Not again and again: its owner may move it as often as it likes.
            walk.restarts += 1
            walk.line[place].next =
                walk.restarts <= Self.maxDepth ? firstChild(of: step.parent) : noSlot
        }
    }

    private func look(at task: Slot, above session: SessionID?, _ walk: inout TopmostWalk) {
        let speaker = speaker(of: task)
        let state = state(of: task)
        // A session that has ended the task has nothing left to stop; others may still work below it.
        let isUnfinished = !state.isEnded && state != .waiting && !nodes[speaker].stated.isFinal
        let owner = nodes[speaker].id.session
        if isUnfinished, session != owner { walk.find(nodes[speaker].id) }
        var (live, strangers) = unfinished(below: task)
        if speaker != task {
            let theirs = unfinished(below: speaker)
            live += theirs.live
            strangers += theirs.strangers
        }
        // Its owner passes the request on to all that it has itself below its own.
        guard live > 0, strangers > 0 || !isUnfinished else { return }
        let above = isUnfinished ? owner : nil
        descend(into: task, above, &walk)
        if speaker != task { descend(into: speaker, above, &walk) }
    }

    private func descend(into slot: Slot, _ session: SessionID?, _ walk: inout TopmostWalk) {
        let first = firstChild(of: slot)
        guard first >= 0, unfinished(below: slot).live > 0 else { return }
        walk.line.append(
            TopmostWalk.Step(
                parent: slot,
                parentID: nodes[slot].id,
                session: session,
                next: first,
                nextID: nodes[first].id
            )
        )
    }

    private func unfinished(below slot: Slot) -> (live: Int, strangers: Int) {
        let family = nodes[slot].family
        guard family >= 0 else { return (0, 0) }
        return (families[family].aggregate.below.live, families[family].aggregate.below.strangers)
    }
}
