/// The tasks of a session by their index.
typealias SessionTasks = [UInt64: ReportedTask]

/// Ways through the part of the tree that is in this process.
extension SessionTasks {
    /// A child with something to be acknowledged has appeared: its ancestors are not done either.
    func unsettle(_ parent: ReportedTask) {
        var current: ReportedTask? = parent
        while let record = current {
            record.unsettledChildren += 1
            guard record.ending.isSettled else { return }
            record.ending.isSettled = false
            current = self[record.parent]
        }
    }

    /// The children that are kept, in no particular order.
    func children(of record: ReportedTask) -> [ReportedTask] {
        var children: [ReportedTask] = []
        var child = record.firstChild
        while child != 0, let record = self[child] {
            children.append(record)
            child = record.nextSibling
        }
        return children
    }

    /// What goes on below a task, parents before their children; nothing below what has ended.
    func unfinished(below root: ReportedTask) -> [ReportedTask] {
        var found: [ReportedTask] = []
        var parent = root
        var looked = 0
        while true {
            var child = parent.firstChild
            while child != 0, let record = self[child] {
                if !record.isEnded, !record.isTicket { found.append(record) }
                child = record.nextSibling
            }
            guard looked < found.count else { return found }
            parent = found[looked]
            looked += 1
        }
    }

    /// Whether a task and all that is kept below it has ended, tickets left out.
    ///
    /// Ends with the first one that has not: who has many children mostly has one that runs.
    func isOver(_ root: ReportedTask) -> Bool {
        guard root.isEnded else { return false }
        var open = [root]
        while let parent = open.popLast() {
            var child = parent.firstChild
            while child != 0, let record = self[child] {
                guard record.isEnded || record.isTicket else { return false }
                if record.firstChild != 0 { open.append(record) }
                child = record.nextSibling
            }
        }
        return true
    }

    /// A task and everything kept below it, parents before their children.
    func subtree(of index: UInt64) -> [UInt64] {
        guard let root = self[index] else { return [] }
        var found: [UInt64] = []
        var open = [root]
        while let next = open.popLast() {
            found.append(next.index)
            open.append(contentsOf: children(of: next))
        }
        return found
    }
}
