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

    /// How many owners of sessions have records.
    package var ownerCount: Int { recordsOfOwners.ownerCount }

    /// How many records there are, placeholders included.
    package var recordCount: Int { nodes.count }

    /// How many different units its tasks have.
    package var unitCount: Int { units.count }

    /// How many sessions it knows more of than their records.
    package var bookCount: Int { sessions.count }

    /// Whether something may be said of a name of which nothing is known yet: of what is not described,
    /// less than of what is.
    ///
    /// The sessions of an owner may have as many records together as there is room left for others.
    func hasRoom(in session: SessionID, isDescribed: Bool) -> Bool {
        guard session != limits.exempt else { return true }
        let book = sessions[session] ?? SessionBook()
        return book.records < limits.perSession
            && recordsOfOwners[book.owner] < limits.total - nodes.count
            && (isDescribed || book.undescribed < limits.undescribedPerSession)
    }

    /// Whether anything has been stated or decided of this name.
    package func hasRecord(of reporter: TaskID) -> Bool {
        numbers[reporter].map { nodes[$0].flags.contains(.owned) } ?? false
    }

    /// Whether the tree has a record of this name, or has room for one: of what is not described, less
    /// than of what is.
    package func hasRoom(for reporter: TaskID, isDescribed: Bool = false) -> Bool {
        hasRecord(of: reporter) || hasRoom(in: reporter.session, isDescribed: isDescribed)
    }

    /// Whether a name has no description and its record is in no job.
    package func isUnshown(_ reporter: TaskID) -> Bool {
        guard let number = numbers[reporter] else { return false }
        return !nodes[number].isAttached && !nodes[number].flags.contains(.described)
    }

    /// Whether a session has said of a task how many children it has folded away below it.
    package func hasFold(below reporter: TaskID) -> Bool {
        guard let number = numbers[reporter], nodes[number].family >= 0 else { return false }
        return !families[nodes[number].family].folds.isEmpty
    }
}
