/// What is still to be done to a record because of a word above it.
///
/// One word may reach a million tasks: who speaks for them all fails, or their parent turns up. They
/// are taken in a part at a time, so that other sessions do not wait for all of them. A task's own row
/// is right from the first moment on; only the sums above it follow later.
struct PendingWork: Sendable {
    let record: PoolNumber
    let kind: Kind

    enum Kind: Sendable {
        /// It is to be settled again.
        case record
        /// It and everything below it are to be settled again.
        case subtree
        /// Its parent is in a job by now.
        case attachment

        /// Set for as long as a record waits for it, so that it waits for it once.
        var flag: NodeFlags {
            switch self {
            case .record: .awaitsMark
            case .subtree: .awaitsSubtree
            case .attachment: .awaitsAttachment
            }
        }
    }
}

extension ProgressTree {
    mutating func doLater(_ kind: PendingWork.Kind, to slot: PoolNumber) {
        guard nodes[slot].flags.isDisjoint(with: kind.flag) else { return }
        nodes[slot].flags.insert(kind.flag)
        pendingWork.append(PendingWork(record: slot, kind: kind))
    }

    /// Takes in about as many records as are wanted.
    mutating func takeWork(_ most: Int) {
        var left = most
        while left > 0, let next = pendingWork.popLast() {
            let slot = next.record
            // Else it was freed meanwhile.
            guard Int(slot) < nodes.capacity, nodes[slot].flags.contains(next.kind.flag) else {
                continue
            }
            nodes[slot].flags.remove(next.kind.flag)
            left -= 1
            switch next.kind {
            case .record: mark(slot)
            case .subtree: markSubtree(slot)
            case .attachment:
                let before = moves
                attachToParent(slot)
                left -= moves - before
            }
        }
    }

    private mutating func markSubtree(_ slot: PoolNumber) {
        guard nodes[slot].isAttached else { return }
        mark(slot)
        let depth = nodes[slot].depth + 1
        for child in children(below: slot) where nodes[child].depth == depth {
            doLater(.subtree, to: child)
        }
        for holder in holders(of: slot) { doLater(.subtree, to: holder) }
    }

    private mutating func attachToParent(_ slot: PoolNumber) {
        // A circle is cut where it comes back to its job.
        guard isAboutToBeAttached(slot), nodes[slot].job != nodes[nodes[slot].up].job else {
            return
        }
        if nodes[slot].isAttached {
            // Was shown as a job until its parent came, which is this.
            detach(slot)
            nodes[slot].flags.remove(.orphan)
        }
        attach(slot, depth: Int(nodes[nodes[slot].up].depth) + 1)
    }

    /// Whether its parent is in a job, and so it will be.
    func isAboutToBeAttached(_ slot: PoolNumber) -> Bool {
        let up = nodes[slot].up
        guard up >= 0, nodes[slot].link == .child || nodes[slot].link == .concurrentRedeemer else {
            return false
        }
        return nodes[up].isAttached && nodes[up].depth < Self.maxDepth
    }
}
