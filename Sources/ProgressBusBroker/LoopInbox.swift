import Synchronization
import ZeroMQ

/// What other threads hand to the broker's loop, and what wakes it for that.
///
/// Safe to use from any thread. What is handed over is bounded by its senders: report frames by
/// ``ReportQueue``, batch numbers by what the loop itself submitted to the journal.
final class LoopInbox: Sendable {
    struct Contents {
        /// Batches that are on disk now.
        var journalled: [UInt64] = []
        /// The broker is to end.
        var isStopping = false
        /// The journal of an earlier broker can be read at last.
        var hasFoundJournal = false
        /// The ingress thread cannot go on.
        var failure: ZeroMQError?
    }

    /// Readable while there is something to take.
    let wake: WakeUp
    private let contents = Mutex(Contents())
    private let isFailing = Atomic(false)

    init() throws(ZeroMQError) {
        wake = try WakeUp()
    }

    func journalled(_ batches: [UInt64]) {
        contents.withLock { $0.journalled += batches }
        wake.signal()
    }

    func stop() {
        contents.withLock { $0.isStopping = true }
        wake.signal()
    }

    func foundJournal() {
        contents.withLock { $0.hasFoundJournal = true }
        wake.signal()
    }

    /// Forgets what concerned the journal of the last loop: another loop begins with another one.
    func beginAgain() {
        contents.withLock { contents in
            contents.journalled = []
            contents.hasFoundJournal = false
        }
        isFailing.store(false, ordering: .releasing)
    }

    func fail(_ error: ZeroMQError) {
        contents.withLock { $0.failure = error }
        wake.signal()
    }

    /// The journal has failed, or is written again.
    func journal(isFailing: Bool) {
        guard self.isFailing.exchange(isFailing, ordering: .acquiringAndReleasing) != isFailing
        else { return }
        wake.signal()
    }

    /// Whether the last transaction of the journal failed.
    var isJournalFailing: Bool { isFailing.load(ordering: .acquiring) }

    /// Takes the contents; only the batches are removed, all other facts stay.
    func take() -> Contents {
        contents.withLock { contents in
            defer { contents.journalled = [] }
            return contents
        }
    }
}
