import BusProtocol
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
    package mutating func journal(
        isFailing: Bool,
        isFull: Bool,
        now: Moment
    ) -> [BrokerAction] {
        isJournalFull = isFailing && isFull
        guard isFailing != isJournalFailing else { return [] }
        isJournalFailing = isFailing
        guard isFailing else { return [] }
        for batch in waitingBatches.keys.sorted() {
            var waiting = waitingBatches[batch] ?? []
            var ids = waitingWelcomes.removeValue(forKey: batch) ?? []
            sendWelcomes(from: &waiting, to: &ids)
            waitingBatches[batch] = waiting
        }
        for batch in waitingDetachedAnswers.keys.sorted() {
            answerDetached(waitingDetachedAnswers[batch] ?? [])
        }
        waitingDetachedAnswers = [:]
        return finish(now: now)
    }

    /// Sends the welcomes among what waits for the journal.
    mutating func sendWelcomes(from waiting: inout [BrokerAction], to ids: inout [SessionID]) {
        guard !ids.isEmpty else { return }
        actions += waiting.filter(\.isWelcome)
        waiting.removeAll(where: \.isWelcome)
        welcomed(ids)
        ids = []
    }
}

extension BrokerAction {
    fileprivate var isWelcome: Bool {
        guard case .send(_, let frame) = self, case .welcome? = frame.body else {
            return false
        }
        return true
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
