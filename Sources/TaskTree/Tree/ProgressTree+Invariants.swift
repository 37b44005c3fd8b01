#if PROGRESSBUS_INTERNAL_CHECKS
extension ProgressTree {
    /// Trees up to this many records are walked as a whole after every settling.
    static let checkLimit = 300

    /// Recomputes from scratch what is kept incrementally, and stops the process if it differs.
    ///
    /// In larger trees it checks only the first tasks that changed.
    func checkInvariants(after changes: TreeChanges) {
        guard pendingWork.isEmpty else { return }
        guard nodes.count <= Self.checkLimit else {
            for id in changes.progressed.prefix(16) {
                if let number = numbers[id] { checkNode(number, deeply: false) }
            }
            return
        }
        checkAll()
    }

    /// Everything that must hold of a settled tree.
    func checkAll() {
        precondition(numbers.count == nodes.count, "a record without a name")
        var attachedNodes = 0
        var words = 0
        var owned: [SessionID: Int] = [:]
        var undescribed: [SessionID: Int] = [:]
        for (_, number) in numbers.all {
            checkNode(number, deeply: true)
            if nodes[number].isAttached, nodes[number].link != .holder { attachedNodes += 1 }
            if nodes[number].stated.endsDescendants { words += 1 }
            let isKnown = !nodes[number].flags.isDisjoint(with: .words) || bindings[number] != nil
            precondition(
                !isKnown || nodes[number].flags.contains(.owned),
                "nobody counts \(number)"
            )
            if nodes[number].flags.contains(.owned) {
                let session = nodes[number].id.session
                owned[session, default: 0] += 1
                if !nodes[number].flags.contains(.described) {
                    undescribed[session, default: 0] += 1
                }
            }
            precondition(
                unattachedNumbers.contains(number) == isUnattached(number),
                "unattached or not: \(number)"
            )
            let isRoot = nodes[number].isAttached && nodes[number].job == number
            precondition(roots.contains(number) == isRoot, "root set and \(number) differ")
        }
        precondition(attachedNodes == taskCount, "\(taskCount) counted, \(attachedNodes) attached")
        precondition(words == endingWords, "\(endingWords) counted, \(words) ending words")
        var expected = JobTotals()
        for number in roots {
            expected.add(nodes[number].contribution, times: 1)
            if nodes[number].family >= 0 {
                expected.add(families[nodes[number].family].contributed, times: 1)
            }
        }
        precondition(expected == totals, "the totals have drifted")
        precondition(
            owned == sessions.mapValues(\.records).filter { $0.value > 0 },
            "records of sessions"
        )
        precondition(
            undescribed == sessions.mapValues(\.undescribed).filter { $0.value != 0 },
            "undescribed records of sessions"
        )
        let counted = sessions.filter { $0.key != limits.exempt }.values
        let byOwner = Dictionary(grouping: counted, by: \.owner)
        for (owner, books) in byOwner {
            precondition(books.map(\.records).reduce(0, +) == recordsOfOwners[owner], "\(owner)")
        }
        precondition(departed.isEmpty && pendingWork.isEmpty && dirty.allSatisfy(\.isEmpty))
    }

    private func checkNode(_ number: PoolNumber, deeply: Bool) {
        let node = nodes[number]
        precondition(numbers[node.id] == number, "\(node.id) is known under another place")
        if node.up >= 0, node.link != .holder, node.depth > 0 {
            precondition(nodes[node.up].depth + 1 == node.depth, "depth of \(node.id)")
            precondition(nodes[node.up].job == node.job, "job of \(node.id)")
        }
        if node.isAttached, node.link != .holder {
            let children = aggregate(of: number)
            let outcome = outcome(of: number, children)
            let own = contribution(of: number, outcome, children)
            precondition(own == node.contribution, "\(node.id) contributes otherwise")
            if node.family >= 0 {
                let below = passedOn(by: number, outcome, children)
                precondition(below == families[node.family].contributed, "below \(node.id)")
            }
        } else {
            precondition(!node.contribution.isPresent, "\(node.id) contributes without a parent")
        }
        guard deeply, node.family >= 0 else { return }
        var expected = Aggregate()
        for child in children(below: number) {
            precondition(nodes[child].up == number, "\(nodes[child].id) is another's child")
            // The totals count a child that is shown as a job.
            guard nodes[child].depth != 0 else { continue }
            let isCounted =
                node.isAttached && nodes[child].depth == node.depth + 1
                && !nodes[child].flags.contains(.part)
            precondition(nodes[child].contribution.isPresent == isCounted)
            expected.add(nodes[child].contribution, times: 1)
            if nodes[child].family >= 0 {
                expected.add(families[nodes[child].family].contributed, times: 1)
            }
        }
        for fold in families[node.family].folds.values { expected.add(fold, times: 1) }
        precondition(expected == families[node.family].aggregate, "sums of \(node.id) drifted")
        for holder in families[node.family].holders {
            precondition(nodes[holder.record].up == number && nodes[holder.record].link == .holder)
            precondition(nodes[holder.record].depth == node.depth)
        }
    }
}
#endif
