/// What a session has said of its tasks: by this it is judged what its silence or its end leaves behind.
package struct StatedCounts: Equatable, Sendable {
    /// Not said to have ended; the tickets are others' to end.
    package private(set) var unfinished = 0
    /// Those of them that are said to be paused.
    package private(set) var paused = 0
    package private(set) var cancelled = 0

    mutating func add(_ state: StatedState, isTicket: Bool, times sign: Int) {
        switch state {
        case .running where !isTicket: unfinished += sign
        case .paused where !isTicket:
            unfinished += sign
            paused += sign
        case .cancelled: cancelled += sign
        case .running, .paused, .succeeded, .failed: break
        }
    }
}

/// How many records a tree keeps, and of whom.
package struct RecordLimits: Sendable {
    /// Of one session.
    package var perSession = Int.max
    /// Of all together, placeholders included.
    package var total = Int.max
    /// The session to which neither applies: the broker's own, which bounds its tasks itself.
    package var exempt: SessionID?

    package init() {}
}

extension ProgressTree {
    /// How many names of a session the tree has anything stated or decided of.
    package func count(of session: SessionID) -> Int { sessions[session]?.records ?? 0 }

    /// The same of all sessions of its owner.
    package func countTogether(of session: SessionID) -> Int {
        recordsOfOwners[sessions[session]?.owner ?? .others]
    }

    /// Says whose a session is: its records count together with those of that owner's others.
    package mutating func setOwner(_ owner: ShareOwner, of session: SessionID) {
        guard owner != sessions[session]?.owner ?? .others else { return }
        let records = count(of: session)
        count(-records, of: session)
        sessions[session, default: SessionBook()].owner = owner
        count(records, of: session)
    }

    mutating func count(_ change: Int, of session: SessionID) {
        sessions[session, default: SessionBook()].records += change
        guard session != limits.exempt, let owner = sessions[session]?.owner else { return }
        recordsOfOwners.add(change, of: owner)
    }

    /// What a session has said of the states of its tasks.
    package func statedCounts(of session: SessionID) -> StatedCounts {
        sessions[session]?.stated ?? StatedCounts()
    }

    /// Puts what was said of a record's state into the counts of its session (`sign` 1) or takes it out (−1).
    mutating func tally(_ slot: Slot, _ sign: Int) {
        guard nodes[slot].flags.contains(.owned) else { return }
        sessions[nodes[slot].id.session]?.stated.add(
            nodes[slot].stated,
            isTicket: nodes[slot].flags.contains(.ticket),
            times: sign
        )
    }

    /// How many owners of sessions have records.
    package var ownerCount: Int { recordsOfOwners.ownerCount }

    /// How many records there are, placeholders included.
    package var recordCount: Int { nodes.count }

    /// How many different units its tasks have.
    package var unitCount: Int { units.count }

    /// How many sessions it knows more of than their records.
    package var bookCount: Int { sessions.count }

    /// Whether something may be said of a name of which nothing is known yet.
    ///
    /// The sessions of an owner may have as many records together as there is room left for others.
    package func hasRoom(in session: SessionID) -> Bool {
        guard session != limits.exempt else { return true }
        return count(of: session) < limits.perSession
            && countTogether(of: session) < limits.total - nodes.count
    }

    /// Whether anything has been stated or decided of this name.
    package func hasRecord(of reporter: TaskID) -> Bool {
        slots[reporter].map { nodes[$0].flags.contains(.owned) } ?? false
    }

    /// Whether the tree has room for this name, or has a record of it.
    package func hasRoom(for reporter: TaskID) -> Bool {
        hasRecord(of: reporter) || hasRoom(in: reporter.session)
    }

    /// What a session has said or somebody decided of names that no job shows, and that nobody has
    /// described; in order of index.
    package func unshown(of session: SessionID) -> [TaskID] {
        var found: [TaskID] = []
        slots.forEach(of: session) { slot in
            if isUnshown(slot) { found.append(nodes[slot].id) }
        }
        return found.sorted()
    }
}
