/// The most records that a tree keeps.
package struct RecordLimits: Sendable {
    /// The most records of one session.
    package var perSession = Int.max
    /// The most tasks of one session that it has not described; viewers do not see those.
    package var undescribedPerSession = Int.max
    /// The most records of all sessions together, placeholders included.
    package var total = Int.max
    /// The session without limits: the broker's own, which bounds its tasks itself.
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
    /// How many of these records the session has not described.
    var undescribed = 0
    /// The owner that the records count for; a process may have any number of sessions.
    var owner = ShareOwner.others

    /// Whether the book says anything.
    var mustBeKept: Bool { isSilent || owner != .others || records > 0 || !removed.ranges.isEmpty }
}
