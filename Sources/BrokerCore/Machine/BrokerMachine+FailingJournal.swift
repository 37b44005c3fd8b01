package import TaskTree

/// What goes on while the disk takes nothing.
///
/// No ending, binding or goodbye is acknowledged then: their senders keep them, and say them again.
/// Everything is shown nevertheless. Sessions are welcomed without the journal's knowing of it;
/// otherwise nobody who comes meanwhile could say that anything has ended, and all that a later
/// broker could miss is that it might have waited for them. Requests about detached tasks are
/// answered with a warning: a script must not wait for the disk.
extension BrokerMachine {
    /// The journal has begun to fail, or is written again.
    ///
    /// `isFull` says that as much waits for it as may: rows are then applied and neither kept nor
    /// acknowledged, so that they are kept when their sender repeats them.
    package mutating func journal(isFailing: Bool, isFull: Bool, now: Moment) -> [BrokerAction] {
        outbox.isJournalFull = isFailing && isFull
        guard isFailing != outbox.isJournalFailing else { return [] }
        outbox.isJournalFailing = isFailing
        guard isFailing else { return [] }
        return finish(now: now)
    }
}

extension JournalEntry {
    /// Whether its sender says it again as long as it is not acknowledged.
    var isRepeated: Bool {
        switch self {
        case .row, .fold: true
        default: false
        }
    }
}
