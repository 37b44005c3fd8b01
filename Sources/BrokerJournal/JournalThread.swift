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
    /// Beyond the bound, `submit` still takes entries, so that none is ever lost. But `fill` then
    /// reports that the bound is passed, and the loop takes no more messages from clients until
    /// there is room again; the clients keep their messages meanwhile and work on. So what waits
    /// exceeds the bound by one turn of the loop at most. While the disk fails, the loop goes on up
    /// to twice the bound.
    package static let byteLimit = 32 << 20

    private struct State {
        var waiting: [(batch: UInt64, entries: [JournalEntry])] = []
        /// The size of everything not committed yet, the transaction that runs included.
        var bytes = 0
        /// When to give up what cannot be committed; set by `finish`.
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

    /// Prepares the thread that writes the journal of `keeper`; `start()` starts it.
    ///
    /// The thread calls both closures, which should return at once. `committed` gets the batches
    /// that are safe now, in the order of submission. `failed` gets the error of a transaction, and
    /// after how many seconds it is tried again.
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

    /// How full the queue of entries is.
    package enum Fill: Sendable {
        case room
        /// More waits than the bound; the caller should submit nothing new until there is room.
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
    /// Call it after `start()`, from another thread. It returns whether everything was committed,
    /// the same each time. On a failing disk, commits are tried for at most `seconds`; a running
    /// transaction is always waited for.
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
    /// The broker publishes what is in a batch, wakes this thread, and only then libzmq wakes the
    /// viewers. On one processor the journal would be written before the viewers run. Elsewhere the
    /// step changes next to nothing: it gives up about a fifth of this thread's share of a
    /// processor.
    private static func stepBehind() {
        #if os(Linux)
        // PRIO_PROCESS, which is 0, with the id 0 means the calling thread, only on Linux. If the
        // call is refused, the niceness stays as it was.
        _ = setpriority(0, 0, getpriority(0, 0) + 1)
        #endif
    }

    /// Waits for a batch or the end; now and then tries to read a file that could not be read yet.
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
