// How records hang together: links as named, and which of them are reached from a root.
//
// A record whose parent is attached is itself attached one step deeper, unless that is too deep
// or its parents form a circle, which was cut there. `depth == up.depth + 1` therefore tells whether a child
// is counted by its parent.
extension ProgressTree {
    /// Hangs the record where its binding or description says.
    mutating func relink(_ slot: PoolNumber) {
        let (link, target) = place(of: slot)
        let up = target.flatMap { record($0) } ?? noNumber
        let isSame = nodes[slot].link == link && nodes[slot].up == up
        if isSame, link != .holder || speaksInBoundAttempt(slot) { return }
        detach(slot)
        unlink(slot, keeping: up)
        nodes[slot].link = up < 0 && target != nil ? .unknown : link
        guard nodes[slot].link == link else { return }
        switch link {
        case .root:
            attach(slot, depth: 0)
        case .child, .concurrentRedeemer:
            insertChild(slot, under: up)
            let depth = Int(nodes[up].depth)
            if depth >= 0, depth < Self.maxDepth { attach(slot, depth: depth + 1) }
        case .holder:
            insertHolder(slot, of: up)
            if nodes[up].isAttached { attach(slot, depth: Int(nodes[up].depth)) }
        case .unknown, .inert:
            break
        }
    }

    /// Where the newest words and decisions put a record.
    private func place(of slot: PoolNumber) -> (Attachment, TaskID?) {
        switch bindings[slot] {
        case .holder(let ticket, _): return (.holder, ticket)
        case .child(let ticket): return (.concurrentRedeemer, ticket)
        case .inert: return (.inert, nil)
        case nil: break
        }
        switch nodes[slot].description?.parent {
        case .some(.none): return (.root, nil)
        case .task(let parent): return (.child, parent)
        case .ticket, nil: return (.unknown, nil)
        }
    }

    private mutating func insertChild(_ slot: PoolNumber, under up: PoolNumber) {
        let family = family(of: up)
        let next = families[family].firstChild
        nodes[slot].up = up
        nodes[slot].previousSibling = noNumber
        nodes[slot].nextSibling = next
        if next >= 0 { nodes[next].previousSibling = slot }
        families[family].firstChild = slot
    }

    private mutating func insertHolder(_ slot: PoolNumber, of ticket: PoolNumber) {
        guard case .holder(_, let attempt) = bindings[slot] else { return }
        nodes[slot].up = ticket
        let family = family(of: ticket)
        let id = nodes[slot].id
        let place =
            families[family].holders.firstIndex {
                ($0.attempt, nodes[$0.record].id) > (attempt, id)
            } ?? families[family].holders.endIndex
        families[family].holders.insert(Holder(attempt: attempt, record: slot), at: place)
        holderChanged(ticket)
    }

    /// Whether the ticket has the holder under the attempt its binding names.
    private func speaksInBoundAttempt(_ slot: PoolNumber) -> Bool {
        guard case .holder(_, let attempt) = bindings[slot] else { return false }
        return families[nodes[nodes[slot].up].family].holders.contains {
            $0.record == slot && $0.attempt == attempt
        }
    }

    /// Another session may speak for the ticket now: its descendants look at their ancestors again.
    private mutating func holderChanged(_ ticket: PoolNumber) {
        mark(ticket, news: true)
        doLater(.subtree, to: ticket)
        noteAttachment(ticket)
    }

    /// Takes the record out of its parent's list; an empty placeholder left behind is freed.
    mutating func unlink(_ slot: PoolNumber, keeping kept: PoolNumber = noNumber) {
        let node = nodes[slot]
        roots.remove(slot)
        nodes[slot].flags.remove(.orphan)
        guard node.up >= 0 else { return }
        nodes[slot].up = noNumber
        nodes[slot].link = .unknown
        if node.link == .holder {
            families[nodes[node.up].family].holders.removeAll { $0.record == slot }
            holderChanged(node.up)
        } else {
            if node.previousSibling >= 0 {
                nodes[node.previousSibling].nextSibling = node.nextSibling
            } else {
                families[nodes[node.up].family].firstChild = node.nextSibling
            }
            if node.nextSibling >= 0 {
                nodes[node.nextSibling].previousSibling = node.previousSibling
            }
            nodes[slot].previousSibling = noNumber
            nodes[slot].nextSibling = noNumber
        }
        guard node.up != kept, node.up != slot else { return }
        if node.link == .holder { hideIfUndescribed(node.up) }
        discardIfEmpty(node.up)
    }

    /// A ticket that became a job by what its redeemer said of it is none without that.
    private mutating func hideIfUndescribed(_ ticket: PoolNumber) {
        guard nodes[ticket].flags.contains(.orphan), !isDescribed(ticket) else { return }
        detach(ticket)
        nodes[ticket].flags.remove(.orphan)
    }

    /// Reaches the record, and all below it that is not too deep, from a root.
    ///
    /// Where there is very much below it, the rest follows with the next settlings.
    mutating func attach(_ slot: PoolNumber, depth: Int) {
        let job = depth == 0 && nodes[slot].link != .holder ? slot : nodes[nodes[slot].up].job
        if job == slot { roots.insert(slot) }
        var pending = [(slot, depth)]
        var room = Self.attachedAtOnce
        while let (slot, depth) = pending.popLast() {
            room -= 1
            moves += 1
            nodes[slot].depth = Int8(depth)
            nodes[slot].job = job
            setUnattached(slot, false)
            let isHolder = nodes[slot].link == .holder
            if !isHolder { attached += 1 }
            mark(slot, news: true)
            if nodes[slot].family >= 0 {
                for holder in families[nodes[slot].family].holders {
                    pending.append((holder.record, depth))
                }
            }
            var child = firstChild(of: slot)
            while child >= 0 {
                let next = nodes[child].nextSibling
                if depth < Self.maxDepth, nodes[child].job != job {
                    if room <= pending.count {
                        doLater(.attachment, to: child)
                    } else {
                        if nodes[child].isAttached {
                            // Was shown as a job until its parent came, which is this.
                            detach(child)
                            nodes[child].flags.remove(.orphan)
                        }
                        pending.append((child, depth + 1))
                    }
                }
                child = next
            }
        }
    }

    private static var attachedAtOnce: Int { 64 }

    /// Takes the record and all below it out of its job and out of every sum.
    mutating func detach(_ slot: PoolNumber) {
        guard nodes[slot].isAttached else { return }
        if nodes[slot].depth == 0 { roots.remove(slot) }
        if nodes[slot].link == .holder, nodes[slot].up >= 0 { mark(nodes[slot].up) }
        var pending = [slot]
        while let slot = pending.popLast() {
            let depth = nodes[slot].depth
            var child = firstChild(of: slot)
            while child >= 0 {
                if nodes[child].depth == depth + 1 { pending.append(child) }
                child = nodes[child].nextSibling
            }
            if nodes[slot].family >= 0 {
                for holder in families[nodes[slot].family].holders
                where nodes[holder.record].isAttached {
                    pending.append(holder.record)
                }
            }
            moves += 1
            withdraw(slot)
            if nodes[slot].flags.contains(.shown) { departed.insert(nodes[slot].id) }
            if nodes[slot].link != .holder { attached -= 1 }
            nodes[slot].depth = -1
            nodes[slot].job = noNumber
            nodes[slot].flags.subtract([.dirty, .shown])
            if nodes[slot].flags.isDisjoint(with: .described) {
                newlyUnshown.insert(nodes[slot].id)
            }
            noteAttachment(slot)
        }
    }

    /// Takes what a node has put into its parent's sums, or into the totals, out again.
    private mutating func withdraw(_ slot: PoolNumber) {
        let old = nodes[slot].contribution
        guard old.isPresent else { return }
        nodes[slot].contribution = Contribution()
        let family = nodes[slot].family
        let below = family >= 0 ? families[family].contributed : Descendants()
        if family >= 0 { families[family].contributed = Descendants() }
        if nodes[slot].depth == 0 {
            totals.add(old, times: -1)
            totals.add(below, times: -1)
        } else {
            let up = nodes[slot].up
            let aggregate = nodes[up].family
            families[aggregate].aggregate.add(old, times: -1)
            families[aggregate].aggregate.add(below, times: -1)
            mark(up)
        }
    }

    /// Whether the record is something to show that no root reaches.
    func isUnattached(_ slot: PoolNumber) -> Bool {
        let node = nodes[slot]
        guard !node.isAttached, node.link != .holder, node.link != .inert else { return false }
        return isDescribed(slot)
    }

    /// Whether the record's owner has described it, or who speaks for it has.
    private func isDescribed(_ slot: PoolNumber) -> Bool {
        nodes[slot].flags.contains(.described)
            || nodes[speaker(of: slot)].flags.contains(.described)
    }

    mutating func noteAttachment(_ slot: PoolNumber) {
        let target = shown(slot)
        setUnattached(target, isUnattached(target))
        if target != slot { setUnattached(slot, false) }
    }

    mutating func setUnattached(_ slot: PoolNumber, _ isUnattached: Bool) {
        if isUnattached {
            if unattachedSlots.insert(slot).inserted { newlyUnattached.insert(slot) }
        } else if unattachedSlots.remove(slot) != nil {
            newlyUnattached.remove(slot)
        }
    }
}
