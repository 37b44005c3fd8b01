/// Tasks by state, by where each runs.
package struct PlaceCounts: Sendable {
    /// Where tasks run: on the host that they name, else on that of the session that speaks for them.
    package enum Place: Hashable, Sendable {
        case host(String)
        case session(SessionID)
    }

    package private(set) var counts: [Place: StateCounts] = [:]
    /// At how many tasks was looked.
    package fileprivate(set) var looked = 0
    /// Whether there are no more.
    package fileprivate(set) var isWhole = true

    fileprivate mutating func add(_ state: TaskState, at place: Place) {
        counts[place, default: StateCounts()].add(state, times: 1)
    }

    fileprivate mutating func add(_ fold: StoredFold, of session: SessionID) {
        counts[.session(session), default: StateCounts()].add(fold.counts, times: 1)
    }
}

extension ProgressTree {
    /// Those below a task in its current attempt, folded ones included, as of the last settling: the
    /// same that the task's own counts are the sum of.
    ///
    /// Looks at `limit` tasks at most.
    package func countsByPlace(below id: TaskID, within limit: Int) -> PlaceCounts {
        var found = PlaceCounts()
        guard let top = shownSlot(id), nodes[top].isAttached else { return found }
        var pending = [top]
        while let task = pending.popLast() {
            let speaker = speaker(of: task)
            for slot in task == speaker ? [task] : [task, speaker] where nodes[slot].family >= 0 {
                let family = families[nodes[slot].family]
                for (session, fold) in family.folds where fold.counts.sum > 0 {
                    found.add(fold, of: session)
                }
                var child = family.firstChild
                while child >= 0 {
                    guard found.looked < limit else {
                        found.isWhole = false
                        return found
                    }
                    found.looked += 1
                    if nodes[child].contribution.isPresent {
                        found.add(nodes[child].contribution.state, at: place(of: child))
                        pending.append(child)
                    }
                    child = nodes[child].nextSibling
                }
            }
        }
        return found
    }

    private func place(of slot: PoolNumber) -> PlaceCounts.Place {
        let speaker = nodes[speaker(of: slot)]
        let host = speaker.description?.host ?? ""
        return host.isEmpty ? .session(speaker.id.session) : .host(host)
    }
}
