// How records hang together: links as named, and which of them are reached from a root.
//
// A record whose parent is attached is itself attached one step deeper, unless that is too deep or
// a circle of parents was cut there. So `depth == up.depth + 1` tells whether a child is counted by
// its parent.
extension ProgressTree {
    /// Hangs the record where its binding or description says.
    mutating func relink(_ number: PoolNumber) {
        let (link, target) = place(of: number)
        let up = target.flatMap { record($0) } ?? noNumber
        let isSame = nodes[number].link == link && nodes[number].up == up
        if isSame, link != .holder || speaksInBoundAttempt(number) { return }
        detach(number)
        unlink(number, keeping: up)
        nodes[number].link = up < 0 && target != nil ? .unknown : link
        guard nodes[number].link == link else { return }
        switch link {
        case .root:
            attach(number, depth: 0)
        case .child, .concurrentRedeemer:
            insertChild(number, under: up)
            let depth = Int(nodes[up].depth)
            if depth >= 0, depth < Self.maxDepth { attach(number, depth: depth + 1) }
        case .holder:
            insertHolder(number, of: up)
            if nodes[up].isAttached { attach(number, depth: Int(nodes[up].depth)) }
        case .unknown, .inert:
            break
        }
    }

    /// How and where the newest statements and decisions attach a record.
    private func place(of number: PoolNumber) -> (Attachment, TaskID?) {
        switch bindings[number] {
        case .holder(let ticket, _): return (.holder, ticket)
        case .child(let ticket): return (.concurrentRedeemer, ticket)
        case .inert: return (.inert, nil)
        case nil: break
        }
        switch nodes[number].description?.parent {
        case .some(.none): return (.root, nil)
        case .task(let parent): return (.child, parent)
        case .ticket, nil: return (.unknown, nil)
        }
    }

    private mutating func insertChild(_ number: PoolNumber, under up: PoolNumber) {
        let family = family(of: up)
        let next = families[family].firstChild
        nodes[number].up = up
        nodes[number].previousSibling = noNumber
        nodes[number].nextSibling = next
        if next >= 0 { nodes[next].previousSibling = number }
        families[family].firstChild = number
    }

    private mutating func insertHolder(_ number: PoolNumber, of ticket: PoolNumber) {
        guard case .holder(_, let attempt) = bindings[number] else { return }
        nodes[number].up = ticket
        let family = family(of: ticket)
        let id = nodes[number].id
        let place =
            families[family].holders.firstIndex {
                ($0.attempt, nodes[$0.record].id) > (attempt, id)
            } ?? families[family].holders.endIndex
        families[family].holders.insert(Holder(attempt: attempt, record: number), at: place)
        holderChanged(ticket)
    }

    /// Whether the ticket has the holder under the attempt its binding names.
    private func speaksInBoundAttempt(_ number: PoolNumber) -> Bool {
        guard case .holder(_, let attempt) = bindings[number] else { return false }
        return families[nodes[nodes[number].up].family].holders.contains {
            $0.record == number && $0.attempt == attempt
        }
    }

    /// Has a ticket and all below it settled again, as another session may speak for it now.
    private mutating func holderChanged(_ ticket: PoolNumber) {
        mark(ticket, news: true)
        doLater(.subtree, to: ticket)
        noteAttachment(ticket)
    }

    /// Takes the record out of its parent's list; an empty placeholder left behind is freed.
    mutating func unlink(_ number: PoolNumber, keeping kept: PoolNumber = noNumber) {
        let node = nodes[number]
        roots.remove(number)
        nodes[number].flags.remove(.orphan)
        guard node.up >= 0 else { return }
        nodes[number].up = noNumber
        nodes[number].link = .unknown
        if node.link == .holder {
            families[nodes[node.up].family].holders.removeAll { $0.record == number }
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
            nodes[number].previousSibling = noNumber
            nodes[number].nextSibling = noNumber
        }
        if node.link == .holder, node.up != number { hideIfUndescribed(node.up) }
        guard node.up != kept, node.up != number else { return }
        discardIfEmpty(node.up)
    }

    /// Hides a ticket that was a job only because its redeemer had described it.
    ///
    /// Without that redeemer nothing is known of it.
    private mutating func hideIfUndescribed(_ ticket: PoolNumber) {
        guard nodes[ticket].flags.contains(.orphan), !isDescribed(ticket) else { return }
        detach(ticket)
        nodes[ticket].flags.remove(.orphan)
    }

    /// Attaches a record and all below it that is not too deep.
    ///
    /// Where there is very much below it, the next settlings attach the rest.
    mutating func attach(_ number: PoolNumber, depth: Int) {
        let job = depth == 0 && nodes[number].link != .holder ? number : nodes[nodes[number].up].job
        if job == number { roots.insert(number) }
        var pending = [(number, depth)]
        var room = Self.attachedAtOnce
        while let (number, depth) = pending.popLast() {
            room -= 1
            moves += 1
            nodes[number].depth = Int8(depth)
            nodes[number].job = job
            setUnattached(number, false)
            let isHolder = nodes[number].link == .holder
            if !isHolder { taskCount += 1 }
            mark(number, news: true)
            if nodes[number].family >= 0 {
                for holder in families[nodes[number].family].holders {
                    pending.append((holder.record, depth))
                }
            }
            var child = firstChild(of: number)
            while child >= 0 {
                let next = nodes[child].nextSibling
                if depth < Self.maxDepth, nodes[child].job != job {
                    if room <= pending.count {
                        doLater(.attachment, to: child)
                    } else {
                        if nodes[child].isAttached {
                            // It was shown as a job until this parent came.
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
    mutating func detach(_ number: PoolNumber) {
        guard nodes[number].isAttached else { return }
        if nodes[number].depth == 0 { roots.remove(number) }
        if nodes[number].link == .holder, nodes[number].up >= 0 { mark(nodes[number].up) }
        var pending = [number]
        while let number = pending.popLast() {
            let depth = nodes[number].depth
            var child = firstChild(of: number)
            while child >= 0 {
                if nodes[child].depth == depth + 1 { pending.append(child) }
                child = nodes[child].nextSibling
            }
            if nodes[number].family >= 0 {
                for holder in families[nodes[number].family].holders
                where nodes[holder.record].isAttached {
                    pending.append(holder.record)
                }
            }
            moves += 1
            withdraw(number)
            if nodes[number].flags.contains(.shown) { departed.insert(nodes[number].id) }
            if nodes[number].link != .holder { taskCount -= 1 }
            nodes[number].depth = -1
            nodes[number].job = noNumber
            nodes[number].flags.subtract([.dirty, .shown])
            if nodes[number].flags.isDisjoint(with: .described) {
                newlyUnshown.insert(nodes[number].id)
            }
            noteAttachment(number)
        }
    }

    /// Takes out again what a record has added to its parent's sums, or to the totals.
    private mutating func withdraw(_ number: PoolNumber) {
        guard nodes[number].contribution.isPresent else { return }
        let below = nodes[number].family < 0 ? nil : Descendants()
        _ = contribute(Contribution(), below, of: number)
        if nodes[number].depth > 0 { mark(nodes[number].up) }
    }

    /// Whether the record is a described task that no root reaches.
    func isUnattached(_ number: PoolNumber) -> Bool {
        let node = nodes[number]
        guard !node.isAttached, node.link != .holder, node.link != .inert else { return false }
        return isDescribed(number)
    }

    /// Whether the record, or the one that speaks for it, is described.
    private func isDescribed(_ number: PoolNumber) -> Bool {
        nodes[number].flags.contains(.described)
            || nodes[speaker(of: number)].flags.contains(.described)
    }

    mutating func noteAttachment(_ number: PoolNumber) {
        let target = shown(number)
        setUnattached(target, isUnattached(target))
        if target != number { setUnattached(number, false) }
    }

    mutating func setUnattached(_ number: PoolNumber, _ isUnattached: Bool) {
        if isUnattached {
            if unattachedNumbers.insert(number).inserted { newlyUnattached.insert(number) }
        } else if unattachedNumbers.remove(number) != nil {
            newlyUnattached.remove(number)
        }
    }
}
