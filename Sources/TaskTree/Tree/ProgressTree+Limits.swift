extension ProgressTree {
    /// How many names of a session have something stated or decided about them.
    package func count(of session: SessionID) -> Int { sessions[session]?.records ?? 0 }

    /// How many such names all sessions of the same owner have together.
    package func countTogether(of session: SessionID) -> Int {
        recordsOfOwners[sessions[session]?.owner ?? .others]
    }

    /// Sets the owner of a session: the records of all sessions of an owner count together.
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

    /// How many sessions have a `SessionBook`.
    package var bookCount: Int { sessions.count }

    /// Whether a session may have one more record; a further limit applies to undescribed tasks.
    ///
    /// The sessions of an owner may together have as many records as there is room left for others.
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

    /// Whether the tree has a record of this name or room for one; a further limit applies to
    /// undescribed tasks.
    package func hasRoom(for reporter: TaskID, isDescribed: Bool = false) -> Bool {
        hasRecord(of: reporter) || hasRoom(in: reporter.session, isDescribed: isDescribed)
    }

    /// Whether a name has no description and its record is in no job.
    package func isUnshown(_ reporter: TaskID) -> Bool {
        guard let number = numbers[reporter] else { return false }
        return !nodes[number].isAttached && !nodes[number].flags.contains(.described)
    }

    /// Whether some session has folded children away below a task.
    package func hasFold(below reporter: TaskID) -> Bool {
        guard let number = numbers[reporter], nodes[number].family >= 0 else { return false }
        return !families[nodes[number].family].folds.isEmpty
    }
}
