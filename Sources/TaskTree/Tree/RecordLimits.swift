/// How many records a tree keeps, and of whom.
package struct RecordLimits: Sendable {
    /// Of one session.
    package var perSession = Int.max
    /// Of one session, of tasks that it has not described; viewers do not see those.
    package var undescribedPerSession = Int.max
    /// Of all together, placeholders included.
    package var total = Int.max
    /// The session to which neither applies: the broker's own, which bounds its tasks itself.
    package var exempt: SessionID?

    package init() {}
}

/// What the tree knows of one session beside its records.
struct SessionBook: Sendable {
    var isSilent = false
    /// Indices whose statements are ignored: folded away.
    var removed = IndexRanges()
    /// Records of which the session has stated something, or something was decided.
    var records = 0
    /// Those of them that it has not described.
    var undescribed = 0
    /// Whose share they count for; a process may have any number of sessions.
    var owner = ShareOwner.others

    /// Whether it says anything.
    var mustBeKept: Bool { isSilent || owner != .others || records > 0 || !removed.ranges.isEmpty }
}
