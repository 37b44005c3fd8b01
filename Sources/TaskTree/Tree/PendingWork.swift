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
    mutating func doLater(_ kind: PendingWork.Kind, to number: PoolNumber) {
        guard nodes[number].flags.isDisjoint(with: kind.flag) else { return }
        nodes[number].flags.insert(kind.flag)
        pendingWork.append(PendingWork(record: number, kind: kind))
    }

    /// Takes in about as many records as are wanted.
    mutating func takeWork(_ most: Int) {
        var left = most
        while left > 0, let next = pendingWork.popLast() {
            let number = next.record
            // Else it was freed meanwhile.
            guard Int(number) < nodes.capacity, nodes[number].flags.contains(next.kind.flag) else {
                continue
            }
            nodes[number].flags.remove(next.kind.flag)
            left -= 1
            switch next.kind {
            case .record: mark(number)
            case .subtree: markSubtree(number)
            case .attachment:
                let before = moves
                attachToParent(number)
                left -= moves - before
            }
        }
    }

    private mutating func markSubtree(_ number: PoolNumber) {
        guard nodes[number].isAttached else { return }
        mark(number)
        let depth = nodes[number].depth + 1
        for child in children(below: number) where nodes[child].depth == depth {
            doLater(.subtree, to: child)
        }
        for holder in holders(of: number) { doLater(.subtree, to: holder) }
    }

    private mutating func attachToParent(_ number: PoolNumber) {
        // A circle is cut where it comes back to its job.
        guard isAboutToBeAttached(number), nodes[number].job != nodes[nodes[number].up].job else {
            return
        }
        if nodes[number].isAttached {
            // Was shown as a job until its parent came, which is this.
            detach(number)
            nodes[number].flags.remove(.orphan)
        }
        attach(number, depth: Int(nodes[nodes[number].up].depth) + 1)
    }

    /// Whether its parent is in a job, and so it will be.
    func isAboutToBeAttached(_ number: PoolNumber) -> Bool {
        let up = nodes[number].up
        guard up >= 0, nodes[number].link == .child || nodes[number].link == .concurrentRedeemer
        else {
            return false
        }
        return nodes[up].isAttached && nodes[up].depth < Self.maxDepth
    }
}
