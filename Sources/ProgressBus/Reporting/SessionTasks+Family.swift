/// Ways through the part of the tree that is in this process.
//
// Of the table alone: called on the machine, the compiler copies all of that first.
extension SessionTasks {
    /// A child with something to be acknowledged has appeared: its ancestors are not done either.
    func unsettle(_ parent: TaskRecord) {
        var current: TaskRecord? = parent
        while let record = current {
            record.unsettledChildren += 1
            guard record.isSettled else { return }
            record.isSettled = false
            current = self[record.parent]
        }
    }

    /// The children that are kept, in no particular order.
    func children(of record: TaskRecord) -> [TaskRecord] {
        var children: [TaskRecord] = []
        var child = record.firstChild
        while child != 0, let record = self[child] {
            children.append(record)
            child = record.nextSibling
        }
        return children
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
