// What owners state. A version is compared only with that of the same group of the same reporter: a
// statement that is not newer is ignored, and `false` returned.
extension ProgressTree {
    /// The rarely changing fields, always as a whole.
    @discardableResult
    package mutating func describe(
        _ reporter: TaskID,
        _ description: TaskDescription,
        version: UInt64
    ) -> Bool {
        guard let number = ownRecord(reporter, isDescribed: true),
            accepts(number, .described, version, nodes[number].describedVersion)
        else { return false }
        nodes[number].describedVersion = version
        if nodes[number].flags.insert(.described).inserted {
            sessions[reporter.session]?.undescribed -= 1
        }
        heard(number)
        guard nodes[number].description != description else { return true }
        nodes[number].description = description
        let formerUnit = nodes[number].unit
        nodes[number].unit = units.retain(description.unit)
        units.release(formerUnit)
        if description.isTicket, bindings[number] == nil {
            nodes[number].flags.insert(.ticket)
        } else {
            nodes[number].flags.remove(.ticket)
        }
        relink(number)
        noteAttachment(number)
        mark(number, news: true)
        return true
    }

    /// How far the task is; negative numbers are refused.
    @discardableResult
    package mutating func measure(
        _ reporter: TaskID,
        _ amounts: TaskAmounts,
        version: UInt64
    ) -> Bool {
        guard amounts.completed >= 0, amounts.total ?? 0 >= 0,
            let number = ownRecord(reporter),
            accepts(number, .measured, version, nodes[number].measuredVersion)
        else { return false }
        nodes[number].measuredVersion = version
        nodes[number].flags.insert(.measured)
        heard(number)
        guard nodes[number].amounts != amounts else { return true }
        nodes[number].amounts = amounts
        mark(number)
        return true
    }

    /// What the task is doing, in words.
    @discardableResult
    package mutating func detail(_ reporter: TaskID, _ detail: String, version: UInt64) -> Bool {
        guard let number = ownRecord(reporter),
            accepts(number, .detailed, version, nodes[number].detailedVersion)
        else { return false }
        nodes[number].detailedVersion = version
        nodes[number].flags.insert(.detailed)
        heard(number)
        guard nodes[number].detail != detail else { return true }
        nodes[number].detail = detail
        mark(number)
        return true
    }

    /// Running, paused or how it ended.
    @discardableResult
    package mutating func state(
        _ reporter: TaskID,
        _ state: StatedState,
        version: UInt64
    ) -> Bool {
        guard let number = ownRecord(reporter),
            accepts(number, .stated, version, nodes[number].statedVersion)
        else { return false }
        nodes[number].statedVersion = version
        nodes[number].flags.insert(.stated)
        heard(number)
        guard nodes[number].stated != state else { return true }
        setStated(number, state)
        mark(number)
        return true
    }

    /// What a session has folded away under one parent; its removed children leave the tree.
    ///
    /// The tree removes only tasks of the session: the children that the fold names, and what the
    /// session has below them. It keeps a ticket that a process has redeemed, and a task with more
    /// than `room` tasks below it, not counting those that the fold names.
    ///
    /// Returns the names of the removed records; `nil` if the fold was not taken, such as one that
    /// is not newer.
    @discardableResult
    package mutating func fold(
        _ session: SessionID,
        under parent: TaskID,
        _ fold: FoldedChildren,
        version: UInt64,
        unnamed room: Int = .max
    ) -> [TaskID]? {
        let isOwn = parent.session == session
        guard let number = isOwn ? ownRecord(parent) : record(parent) else { return nil }
        let family = family(of: number)
        let old = families[family].folds[session]
        if let old, version <= old.version { return nil }
        let stored = StoredFold(fold, version: version, keeping: old) { units.retain($0) }
        if let old {
            families[family].aggregate.add(old, times: -1)
            for sum in old.below.sums { units.release(sum.unit) }
        }
        families[family].aggregate.add(stored, times: 1)
        families[family].folds[session] = stored
        mark(number)
        let (removed, dismissed) = remove(fold.removed, of: session, below: number, room)
        // Failed children that were dismissed before they were folded away still need no attention.
        if dismissed > 0 { changeFold(of: session, under: parent) { $0.dismiss(dismissed) } }
        return removed
    }

    /// Takes unfinished tasks in the folds of another broker's session for lost, until it states
    /// them again.
    package mutating func loseFolds(of session: SessionID) {
        for reporter in reporters(of: session) { loseFold(of: reporter) }
    }

    /// Takes unfinished tasks in a reporter's own fold for lost, until it states them again.
    package mutating func loseFold(of reporter: TaskID) {
        guard fold(of: reporter.session, under: reporter)?.below.live ?? 0 > 0 else { return }
        changeFold(of: reporter.session, under: reporter) { $0.lose() }
    }

    func fold(of session: SessionID, under parent: TaskID) -> StoredFold? {
        guard let number = numbers[parent], nodes[number].family >= 0 else { return nil }
        return families[nodes[number].family].folds[session]
    }

    private mutating func changeFold(
        of session: SessionID,
        under parent: TaskID,
        _ change: (inout StoredFold) -> Void
    ) {
        guard let number = numbers[parent], var fold = fold(of: session, under: parent) else {
            return
        }
        let family = nodes[number].family
        families[family].aggregate.add(fold, times: -1)
        change(&fold)
        families[family].aggregate.add(fold, times: 1)
        families[family].folds[session] = fold
        mark(number)
    }

    private func accepts(
        _ number: PoolNumber,
        _ group: NodeFlags,
        _ version: UInt64,
        _ known: UInt64
    ) -> Bool {
        !nodes[number].flags.contains(group) || version > known
    }

    /// Any statement of the owner withdraws the conclusion that the task is lost.
    private mutating func heard(_ number: PoolNumber) {
        guard nodes[number].inference?.isLost == true else { return }
        markChildren(of: number)
        nodes[number].inference = nil
        nodes[number].flags.remove(.dismissed)
        mark(number)
    }

    /// Has the children settled again: a lost task needs no attention if its parent is lost too.
    mutating func markChildren(of number: PoolNumber) {
        for child in children(below: number) { doLater(.record, to: child) }
        // A conclusion about a holder also concerns children that hang under its ticket itself.
        guard shown(number) != number else { return }
        for child in children(below: shown(number)) { doLater(.record, to: child) }
    }

    mutating func setStated(_ number: PoolNumber, _ state: StatedState) {
        let endedDescendants = nodes[number].stated.endsDescendants
        nodes[number].stated = state
        guard endedDescendants != state.endsDescendants else { return }
        endingWords += state.endsDescendants ? 1 : -1
        // A holder's ending also concerns children that hang under its ticket itself.
        if nodes[shown(number)].family >= 0 { doLater(.subtree, to: shown(number)) }
    }

    /// Removes and from now on ignores these indices of a session, as far as their records are
    /// below the parent, or their place is not known.
    ///
    /// Returns the names that were removed, and how many of these indices had failed and been
    /// dismissed.
    private mutating func remove(
        _ indices: [UInt64],
        of session: SessionID,
        below parent: PoolNumber,
        _ room: Int
    ) -> (names: [TaskID], dismissed: Int) {
        // All are checked before the first is removed: one may hang below another.
        let named = Set(indices)
        var room = room
        let folded = indices.filter { index in
            guard let number = numbers[TaskID(index: index, session: session)] else { return true }
            return mayFold(number, into: parent)
                && takeRoom(&room, below: number, of: session, besides: named)
        }
        guard !folded.isEmpty else { return ([], 0) }
        for index in folded { sessions[session, default: SessionBook()].removed.insert(index) }
        var names: [TaskID] = []
        var dismissed = 0
        for index in folded {
            guard let number = numbers[TaskID(index: index, session: session)] else { continue }
            if nodes[number].flags.contains(.dismissed), case .failed = nodes[number].stated {
                dismissed += 1
            }
            names += removeSubtree(number) { $0.session == session }
        }
        return (names, dismissed)
    }

    /// Takes room for the session's records below a record that are not named; if there is too
    /// little, takes none and returns false.
    private func takeRoom(
        _ room: inout Int,
        below number: PoolNumber,
        of session: SessionID,
        besides named: Set<UInt64>
    ) -> Bool {
        var left = room
        var pending = [number]
        while let above = pending.popLast() {
            var child = firstChild(of: above)
            while child >= 0 {
                let id = nodes[child].id
                if id.session == session, !named.contains(id.index) {
                    left -= 1
                    guard left >= 0 else { return false }
                    pending.append(child)
                }
                child = nodes[child].nextSibling
            }
        }
        room = left
        return true
    }

    /// Whether a session may fold this record of its own into a parent above it.
    private func mayFold(_ number: PoolNumber, into parent: PoolNumber) -> Bool {
        guard holders(of: number).isEmpty, nodes[number].link != .root else { return false }
        var above = nodes[number].up
        for _ in 0..<Self.maxDepth where above >= 0 && shown(above) != shown(parent) {
            above = nodes[above].up
        }
        // Without a parent the record is a placeholder: the fold has come before its description.
        return above < 0 ? nodes[number].link == .unknown : shown(above) == shown(parent)
    }
}
