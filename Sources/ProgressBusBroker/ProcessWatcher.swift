import BrokerCore
import TaskTree
import ZeroMQ

/// Watches the processes of sessions, and decides when the machine hears of an end.
///
/// The kernel tells of an end before the loop has read the last frames of the process. So the
/// machine hears of it at least `grace` later, in a turn that has found nothing more to take in, or
/// after `patience`. Belongs to the loop's thread.
struct ProcessWatcher: ~Copyable {
    /// The end of a session's process, for the machine.
    struct Gone {
        let session: SessionID
        let process: WatchedProcess
        let exit: ProcessExit?
    }

    private struct Entry {
        let process: WatchedProcess
        var sessions: Set<SessionID>
        var ended: Moment?
    }

    /// Seconds from the end of a process until the machine may hear of it.
    static let grace = 0.05
    /// Seconds after which the machine hears of it even if there was always more to take in.
    static let patience = 1.0

    private var watch = ProcessWatch()
    private var entries: [Int32: Entry] = [:]
    private var pidOf: [SessionID: Int32] = [:]
    /// When the first process ended of whose end the machine has not heard; while it is nil, no
    /// entry needs a look.
    private var firstEnd: Moment?
    private let limit: Int

    /// Watches at most `limit` processes; the broker notices the end of others by their silence.
    init(limit: Int) {
        self.limit = limit
    }

    /// Readable when a watched process has ended; nil where processes cannot be watched.
    var pollItem: PollItem? { watch.pollItem }

    /// When `takeGone` may have something to return.
    var nextLook: Moment? { firstEnd?.advanced(bySeconds: Self.grace) }

    /// Watches the process of a session; returns the sessions whose process is not watched, or no
    /// longer.
    mutating func add(
        _ session: SessionID,
        _ process: WatchedProcess,
        now: Moment
    ) -> [(session: SessionID, process: WatchedProcess)] {
        remove(session)
        var unwatched: [(session: SessionID, process: WatchedProcess)] = []
        if let known = entries[process.pid], known.process != process {
            // The pid has been given to another process.
            for other in known.sessions {
                pidOf[other] = nil
                unwatched.append((other, known.process))
            }
            entries[process.pid] = nil
            watch.remove(process.pid)
        }
        if entries[process.pid] == nil {
            let beginning =
                entries.count < limit
                ? watch.add(process.pid, startTime: process.startTime) : .refused
            guard beginning != .refused else { return unwatched + [(session, process)] }
            entries[process.pid] = Entry(
                process: process,
                sessions: [],
                ended: beginning == .ended ? now : nil
            )
        }
        entries[process.pid]?.sessions.insert(session)
        pidOf[session] = process.pid
        if let ended = entries[process.pid]?.ended { firstEnd = firstEnd ?? ended }
        return unwatched
    }

    mutating func remove(_ session: SessionID) {
        guard let pid = pidOf.removeValue(forKey: session) else { return }
        entries[pid]?.sessions.remove(session)
        if entries[pid]?.sessions.isEmpty == true {
            entries[pid] = nil
            watch.remove(pid)
        }
    }

    /// Asks the kernel which processes have ended.
    mutating func look(now: Moment) {
        for pid in watch.takeEnded() {
            entries[pid]?.ended = now
            firstEnd = firstEnd ?? now
        }
    }

    /// The sessions whose process ended long enough ago; each is told once.
    ///
    /// `isDrained` says that nothing more has arrived from anybody.
    mutating func takeGone(now: Moment, isDrained: Bool) -> [Gone] {
        guard let nextLook, now >= nextLook else { return [] }
        let wait = isDrained ? Self.grace : Self.patience
        var gone: [Gone] = []
        firstEnd = nil
        for (pid, entry) in entries {
            guard let ended = entry.ended else { continue }
            guard now.seconds(since: ended) >= wait else {
                firstEnd = min(firstEnd ?? ended, ended)
                continue
            }
            let status = watch.exitStatus(of: pid, startTime: entry.process.startTime)
            for session in entry.sessions.sorted() {
                gone.append(
                    Gone(
                        session: session,
                        process: entry.process,
                        exit: status.map(ProcessExit.init(waitStatus:))
                    )
                )
                pidOf[session] = nil
            }
            watch.remove(pid)
            entries[pid] = nil
        }
        return gone
    }
}

extension ProcessExit {
    /// From what waitpid(2) gives.
    init(waitStatus: Int32) {
        let signal = waitStatus & 0x7f
        self = signal == 0 ? .status(waitStatus >> 8 & 0xff) : .signal(signal)
    }
}
