import BrokerJournal
import Logging
import Synchronization
import TaskTree

/// Tells the loop and the log when the journal fails and when it is written again.
///
/// Safe to use from any thread.
final class JournalTrouble: Sendable {
    /// Seconds between two lines about the same trouble.
    private static let sayEvery = 60.0

    private struct State {
        var began: Moment?
        var lastSaid: Moment?
    }

    private let inbox: LoopInbox
    private let logger: Logger
    private let state = Mutex(State())

    init(inbox: LoopInbox, logger: Logger) {
        self.inbox = inbox
        self.logger = logger
    }

    /// A transaction has failed and will be tried again.
    func failed(_ error: JournalError) {
        let now = Clocks.now
        let isToBeSaid = state.withLock { state in
            if state.began == nil { state.began = now }
            if let last = state.lastSaid, now.seconds(since: last) < Self.sayEvery { return false }
            state.lastSaid = now
            return true
        }
        inbox.journal(isFailing: true)
        guard isToBeSaid else { return }
        logger.error(
            "the journal cannot be written; nothing is acknowledged until it can",
            metadata: ["why": "\(error)"]
        )
    }

    /// A transaction is on disk.
    func isOver() {
        let began = state.withLock { state in
            defer { state = State() }
            return state.began
        }
        guard let began else { return }
        inbox.journal(isFailing: false)
        logger.notice(
            "the journal is written again",
            metadata: ["after_seconds": "\(Int(Clocks.now.seconds(since: began)))"]
        )
    }
}
