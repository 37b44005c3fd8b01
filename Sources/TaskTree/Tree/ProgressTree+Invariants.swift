#if PROGRESSBUS_INTERNAL_CHECKS
extension ProgressTree {
    /// Trees up to this many records are walked as a whole after every settling.
    static let checkLimit = 300

    /// Recomputes from scratch what is kept incrementally, and stops the process if it differs.
    ///
    /// Larger trees are sampled: the first tasks that changed.
    func checkInvariants(after changes: TreeChanges) {
        guard pendingWork.isEmpty else { return }
        guard nodes.count <= Self.checkLimit else {
            for id in changes.progressed.prefix(16) {
                if let slot = slots[id] { checkNode(slot, deeply: false) }
            }
            return
        }
        checkAll()
    }

    /// Everything that must hold of a settled tree.
    func checkAll() {
        precondition(slots.count == nodes.count, "a record without a name")
        var attachedNodes = 0
        var words = 0
        var owned: [SessionID: Int] = [:]
        var undescribed: [SessionID: Int] = [:]
        for (_, slot) in slots.all {
            checkNode(slot, deeply: true)
            if nodes[slot].isAttached, nodes[slot].link != .holder { attachedNodes += 1 }
            if nodes[slot].stated.endsDescendants { words += 1 }
            let isKnown = !nodes[slot].flags.isDisjoint(with: .words) || bindings[slot] != nil
            precondition(!isKnown || nodes[slot].flags.contains(.owned), "nobody counts \(slot)")
            if nodes[slot].flags.contains(.owned) {
                let session = nodes[slot].id.session
                owned[session, default: 0] += 1
                if !nodes[slot].flags.contains(.described) { undescribed[session, default: 0] += 1 }
            }
            precondition(
                unattachedSlots.contains(slot) == isUnattached(slot),
                "loneliness of \(slot)"
            )
            let isRoot = nodes[slot].isAttached && nodes[slot].job == slot
            precondition(roots.contains(slot) == isRoot, "root set and \(slot) differ")
        }
        precondition(attachedNodes == attached, "\(attached) counted, \(attachedNodes) attached")
        precondition(words == endingWords, "\(endingWords) counted, \(words) ending words")
        var expected = JobTotals()
        for slot in roots {
            expected.add(nodes[slot].contribution, times: 1)
            if nodes[slot].family >= 0 {
                expected.add(families[nodes[slot].family].contributed, times: 1)
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

    private func checkNode(_ slot: PoolNumber, deeply: Bool) {
        let node = nodes[slot]
        precondition(slots[node.id] == slot, "\(node.id) is known under another place")
        if node.up >= 0, node.link != .holder, node.depth > 0 {
            precondition(nodes[node.up].depth + 1 == node.depth, "depth of \(node.id)")
            precondition(nodes[node.up].job == node.job, "job of \(node.id)")
        }
        if node.isAttached, node.link != .holder, node.depth > 0 {
            let children = aggregate(of: slot)
            let outcome = outcome(of: slot, children)
            let own = contribution(of: slot, outcome, children)
            precondition(own == node.contribution, "\(node.id) contributes otherwise")
            if node.family >= 0 {
                let below = passedOn(by: slot, outcome, children)
                precondition(below == families[node.family].contributed, "below \(node.id)")
            }
        } else if node.isAttached, node.link != .holder {
            let outcome = outcome(of: slot, aggregate(of: slot))
            let own = jobContribution(of: slot, outcome)
            precondition(own == node.contribution, "job \(node.id) contributes otherwise")
            if node.family >= 0 {
                let below = jobDescendants(of: slot, outcome)
                precondition(below == families[node.family].contributed, "below job \(node.id)")
            }
        } else {
            precondition(!node.contribution.isPresent, "\(node.id) contributes without a parent")
        }
        guard deeply, node.family >= 0 else { return }
        var expected = Aggregate()
        for child in children(below: slot) {
            precondition(nodes[child].up == slot, "\(nodes[child].id) is another's child")
            // One that is shown as a job counts there.
            guard nodes[child].depth != 0 else { continue }
            let isCounted = node.isAttached && nodes[child].depth == node.depth + 1
            precondition(nodes[child].contribution.isPresent == isCounted)
            expected.add(nodes[child].contribution, times: 1)
            if nodes[child].family >= 0 {
                expected.add(families[nodes[child].family].contributed, times: 1)
            }
        }
        for fold in families[node.family].folds.values { expected.add(fold, times: 1) }
        precondition(expected == families[node.family].aggregate, "sums of \(node.id) drifted")
        for holder in families[node.family].holders {
            precondition(nodes[holder.record].up == slot && nodes[holder.record].link == .holder)
            precondition(nodes[holder.record].depth == node.depth)
        }
    }
}
#endif
