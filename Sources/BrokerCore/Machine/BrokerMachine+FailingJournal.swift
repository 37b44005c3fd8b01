package import TaskTree

/// What goes on while the disk takes nothing.
///
/// The broker then acknowledges no ending, binding or goodbye: the senders keep them and repeat
/// them. Viewers see everything nevertheless. The broker welcomes sessions though the journal does
/// not have them: a session that comes meanwhile could otherwise state no ending. All that a later
/// broker misses is that it could have waited for such a session. Requests about detached tasks are
/// answered with a warning: a script must not wait for the disk.
extension BrokerMachine {
    /// The journal has begun to fail, or is written again.
    ///
    /// `isFull` says that no more entries may wait for the disk. Rows are then applied, but neither
    /// kept nor acknowledged; the broker keeps them when their senders repeat them.
    package mutating func journal(isFailing: Bool, isFull: Bool, now: Moment) -> [BrokerAction] {
        outbox.isJournalFull = isFailing && isFull
        guard isFailing != outbox.isJournalFailing else { return [] }
        outbox.isJournalFailing = isFailing
        guard isFailing else { return [] }
        return finish(now: now)
    }
}

extension JournalEntry {
    /// Whether the sender repeats what the entry holds as long as it is not acknowledged.
    var isRepeated: Bool {
        switch self {
        case .row, .fold: true
        default: false
        }
    }
}
