/// The tasks of a session by their index.
typealias SessionTasks = [UInt64: ReportedTask]

/// Ways through the part of the tree that is in this process.
extension SessionTasks {
    /// Notes a new child that is not acknowledged yet: its ancestors are not settled either.
    func unsettle(_ parent: ReportedTask) {
        var current: ReportedTask? = parent
        while let record = current {
            record.ownFamily.unsettled += 1
            guard record.ending.isSettled else { return }
            record.ending.isSettled = false
            current = self[record.parent]
        }
    }

    /// The children that are kept, in no particular order.
    func children(of record: ReportedTask) -> some Sequence<ReportedTask> {
        sequence(state: record.firstChild) { (next: inout UInt64) -> ReportedTask? in
            guard next != 0, let child = self[next] else { return nil }
            next = child.nextSibling
            return child
        }
    }

    /// The unfinished tasks below a task, parents before their children; none below an ended one.
    func unfinished(below root: ReportedTask) -> [ReportedTask] {
        var found = [root]
        var looked = 0
        while looked < found.count {
            found += children(of: found[looked]).filter { !$0.isEnded && !$0.isTicket }
            looked += 1
        }
        found.removeFirst()
        return found
    }

    /// Whether a task and all that is kept below it has ended, tickets left out.
    ///
    /// Stops at the first one that has not: a task with many children mostly has one that runs.
    func isOver(_ root: ReportedTask) -> Bool {
        guard root.isEnded else { return false }
        var open = [root]
        while let parent = open.popLast() {
            for child in children(of: parent) {
                guard child.isEnded || child.isTicket else { return false }
                if child.firstChild != 0 { open.append(child) }
            }
        }
        return true
    }

    /// A task and everything kept below it, parents before their children.
    func subtree(of index: UInt64) -> [ReportedTask] {
        var found: [ReportedTask] = []
        var open = self[index].map { [$0] } ?? []
        while let next = open.popLast() {
            found.append(next)
            open.append(contentsOf: children(of: next))
        }
        return found
    }
}
