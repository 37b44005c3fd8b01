/// Tasks by state, by the host on which each runs.
package struct HostCounts: Sendable {
    /// The host that a task names, else that of the session that speaks for it.
    package enum Host: Hashable, Sendable {
        case named(String)
        case ofSession(SessionID)
    }

    package private(set) var counts: [Host: StateCounts] = [:]
    /// How many tasks were looked at.
    package fileprivate(set) var looked = 0
    /// Whether all tasks were looked at.
    package fileprivate(set) var isWhole = true

    fileprivate mutating func add(_ state: TaskState, on host: Host) {
        counts[host, default: StateCounts()].add(state, times: 1)
    }

    fileprivate mutating func add(_ fold: StoredFold, of session: SessionID) {
        counts[.ofSession(session), default: StateCounts()].add(fold.below.counts, times: 1)
    }
}

extension ProgressTree {
    /// Counts the tasks below a task in its current attempt by host, as of the last settling.
    ///
    /// Folded tasks are included: the sum of these counts is what the task's own counts say. Looks
    /// at `limit` tasks at most.
    package func countsByHost(below id: TaskID, within limit: Int) -> HostCounts {
        var found = HostCounts()
        guard let top = shownNumber(id), nodes[top].isAttached else { return found }
        var pending = [top]
        while let task = pending.popLast() {
            let speaker = speaker(of: task)
            for number in task == speaker ? [task] : [task, speaker] where nodes[number].family >= 0
            {
                let family = families[nodes[number].family]
                for (session, fold) in family.folds where fold.below.counts.sum > 0 {
                    found.add(fold, of: session)
                }
                var child = family.firstChild
                while child >= 0 {
                    guard found.looked < limit else {
                        found.isWhole = false
                        return found
                    }
                    found.looked += 1
                    if nodes[child].contribution.isPresent, isCounted(child, by: number) {
                        found.add(nodes[child].contribution.state, on: host(of: child))
                        pending.append(child)
                    }
                    child = nodes[child].nextSibling
                }
            }
        }
        return found
    }

    private func host(of number: PoolNumber) -> HostCounts.Host {
        let speaker = nodes[speaker(of: number)]
        let host = speaker.description?.host ?? ""
        return host.isEmpty ? .ofSession(speaker.id.session) : .named(host)
    }
}
