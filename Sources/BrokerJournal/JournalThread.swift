package import BrokerCore
import CLibrary
import Dispatch
import Synchronization
package import ZeroMQ

/// The one thread that writes the journal, so that the broker's loop never waits for the disk.
///
/// Whatever has been submitted while a transaction ran goes into the next one together (group
/// commit): under load there are fewer, larger transactions, and a batch waits for at most two.
/// While the disk fails nothing is dropped and nothing is said to be committed: the same entries
/// are tried again, in order, after a delay that doubles.
package final class JournalThread: Sendable {
    /// How much may wait to be committed, in bytes.
    ///
    /// Submitting is still possible beyond it, so that no entry is ever lost; but `fill` then says
    /// so, and the loop takes no more messages from clients until there is room again. Senders
    /// keep what they have to say: nobody's work is held up, and what waits here exceeds the bound
    /// by one turn of the loop at most. While the disk fails the loop goes on with what its senders
    /// repeat, up to twice the bound.
    package static let byteLimit = 32 << 20

    private struct State {
        var waiting: [(batch: UInt64, entries: [JournalEntry])] = []
        /// Of everything not committed yet, the transaction that runs included.
        var bytes = 0
        /// Set once: when to give up what cannot be committed.
        var deadline: DispatchTime?
        var everythingCommitted = true
    }

    private let state = Mutex(State())
    private let work = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    private let firstDelay: Double
    private let longestDelay: Double
    private let commit: @Sendable ([JournalEntry]) throws(JournalError) -> Void
    private let committed: @Sendable ([UInt64]) -> Void
    private let failed: @Sendable (JournalError, Double) -> Void
    private let isSettled: @Sendable () -> Bool

    /// Prepares the one thread that writes to what `keeper` keeps; it begins with `start()`.
    ///
    /// It says on its own thread, where that should return at once, which batches are safe now, in the
    /// order of submission, and that a transaction has failed and is tried again after so many seconds.
    package convenience init(
        keeper: JournalKeeper,
        committed: @escaping @Sendable ([UInt64]) -> Void,
        failed: @escaping @Sendable (JournalError, Double) -> Void
    ) {
        self.init(
            commit: { (entries) throws(JournalError) in try keeper.commit(entries) },
            delays: 0.1...5,
            committed: committed,
            failed: failed,
            isSettled: { keeper.isSettled() }
        )
    }

    /// As above, with any way to commit: tests put faults in front of a journal.
    init(
        commit: @escaping @Sendable ([JournalEntry]) throws(JournalError) -> Void,
        delays: ClosedRange<Double>,
        committed: @escaping @Sendable ([UInt64]) -> Void,
        failed: @escaping @Sendable (JournalError, Double) -> Void,
        isSettled: @escaping @Sendable () -> Bool = { true }
    ) {
        self.commit = commit
        self.committed = committed
        self.failed = failed
        self.isSettled = isSettled
        firstDelay = delays.lowerBound
        longestDelay = delays.upperBound
    }

    /// Starts the thread, once; throws where the system has no room for another.
    package func start() throws(ZeroMQError) {
        _ = try startThread(name: "journal") { self.run() }
    }

    /// Hands a batch over; never blocks.
    package func submit(batch: UInt64, _ entries: [JournalEntry]) {
        state.withLock { state in
            state.waiting.append((batch, entries))
            state.bytes += entries.reduce(0) { $0 + $1.size }
        }
        work.signal()
    }

    /// How much of the room for what waits is used.
    package enum Fill: Sendable {
        case room
        /// More waits than the bound; the caller should produce nothing new until it does not.
        case full
        /// Twice the bound.
        case overfull
    }

    /// How much waits, against the bound.
    package var fill: Fill {
        let bytes = state.withLock { $0.bytes }
        if bytes >= 2 * Self.byteLimit { return .overfull }
        return bytes >= Self.byteLimit ? .full : .room
    }

    /// Commits what was submitted, ends the thread and waits for it.
    ///
    /// To be called after `start()`, from another thread; whether everything was committed, the same
    /// each time. A failing disk may go on failing for so many seconds; one transaction that takes
    /// longer is waited for nevertheless.
    package func finish(within seconds: Double) -> Bool {
        state.withLock { $0.deadline = .now() + seconds }
        work.signal()
        ended.wait()
        ended.signal()
        return state.withLock { $0.everythingCommitted }
    }

    private func run() {
        Self.stepBehind()
        var held: [(batch: UInt64, entries: [JournalEntry])] = []
        var delay = firstDelay
        while true {
            let deadline = state.withLock { state in
                held += state.waiting
                state.waiting = []
                return state.deadline
            }
            if held.isEmpty {
                if deadline != nil { break }
                waitForWork()
                continue
            }
            do {
                try commit(held.flatMap(\.entries))
                let bytes = held.reduce(0) { $0 + $1.entries.reduce(0) { $0 + $1.size } }
                state.withLock { $0.bytes -= bytes }
                committed(held.map(\.batch))
                held = []
                delay = firstDelay
            } catch {
                if let deadline, deadline <= .now() {
                    state.withLock { $0.everythingCommitted = false }
                    break
                }
                failed(error, delay)
                rest(delay)
                delay = min(delay * 2, longestDelay)
            }
        }
        ended.signal()
    }

    /// Lets all other threads that want the processor go first, by a step of niceness.
    ///
    /// What a batch is about has been published just before. Where viewers and broker share a
    /// processor, writing it would come first, as the broker wakes this thread before libzmq wakes
    /// them. Otherwise it changes next to nothing: a step is a fifth of a share.
    private static func stepBehind() {
        #if os(Linux)
        // The thread that calls: only on Linux is that meant by 0, PRIO_PROCESS, of no process. If
        // it is refused, it stays as it was.
        _ = setpriority(0, 0, getpriority(0, 0) + 1)
        #endif
    }

    /// Waits for a batch or the end; looks after a file that could not be read yet now and then.
    private func waitForWork() {
        while !isSettled() {
            if work.wait(timeout: .now() + longestDelay) == .success { return }
        }
        work.wait()
    }

    /// Waits out the delay, but not past the deadline; new batches do not cut it short.
    private func rest(_ seconds: Double) {
        let until = DispatchTime.now() + seconds
        while true {
            let end = state.withLock { $0.deadline }.map { min($0, until) } ?? until
            guard end > .now(), work.wait(timeout: end) == .success else { return }
        }
    }
}

extension JournalEntry {
    /// Roughly what the entry takes in memory, in bytes.
    var size: Int {
        let fixed = 64
        return switch self {
        case .sessionWelcomed(let credential, _, let hello, _):
            fixed + credential.count + hello.count
        case .sessionLeft(let credential), .sessionForgotten(let credential):
            fixed + credential.count
        case .jobBegan(_, let key, let title, _, _): fixed + key.utf8.count + title.utf8.count
        case .earlierRuns(_, let runs): fixed + (runs?.reason.utf8.count ?? 0)
        case .jobLeft, .dismissed, .detachedSession, .detachedRequestsForgotten: fixed
        case .detachedRequest(let id, _, _, _): fixed + id.count
        case .bound(_, _, let payload), .row(_, _, let payload), .fold(_, _, _, let payload),
            .boardPages(let payload):
            fixed + payload.count
        case .slot(let key, _, _), .slotForgotten(let key): fixed + key.utf8.count
        }
    }
}
