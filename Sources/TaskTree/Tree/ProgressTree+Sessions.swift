/// Tasks by state, by the session that speaks for each.
package struct SessionCounts: Sendable {
    package private(set) var counts: [SessionID: StateCounts] = [:]
    /// At how many tasks was looked.
    package fileprivate(set) var looked = 0
    /// Whether there are no more.
    package fileprivate(set) var isWhole = true

    fileprivate mutating func add(_ state: TaskState, of session: SessionID) {
        counts[session, default: StateCounts()].add(state, times: 1)
    }

    fileprivate mutating func add(_ fold: StoredFold, of session: SessionID) {
        counts[session, default: StateCounts()].add(fold.counts, times: 1)
    }
}

extension ProgressTree {
    /// Those below a task in its current attempt, folded ones included, as of the last settling: the
    /// same that the task's own counts are the sum of.
    ///
    /// Looks at `limit` tasks at most.
    package func countsBySession(below id: TaskID, within limit: Int) -> SessionCounts {
        var found = SessionCounts()
        guard let top = shownSlot(id), nodes[top].isAttached, !isLeaving(top) else {
            return found
        }
        var pending = [top]
        while let task = pending.popLast() {
            let speaker = speaker(of: task)
            for slot in task == speaker ? [task] : [task, speaker] where nodes[slot].family >= 0 {
                let family = families[nodes[slot].family]
                for (session, fold) in family.folds { found.add(fold, of: session) }
                var child = family.firstChild
                while child >= 0 {
                    guard found.looked < limit else {
                        found.isWhole = false
                        return found
                    }
                    found.looked += 1
                    if nodes[child].contribution.isPresent {
                        let owner = nodes[self.speaker(of: child)].id.session
                        found.add(nodes[child].contribution.state, of: owner)
                        pending.append(child)
                    }
                    child = nodes[child].nextSibling
                }
            }
        }
        return found
    }
}
