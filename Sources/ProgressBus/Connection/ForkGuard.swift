import CLibrary
import Synchronization

/// Tells a forked child from the process in which a client was made.
///
/// Locks, sockets and threads of the parent are of no use in the child: a lock may be held for ever
/// by a thread that does not exist there. So callers compare the generation before they touch one.
enum ForkGuard {
    private static let forks = Atomic<UInt32>(0)

    private static let isRegistered: Bool = {
        pthread_atfork(nil, nil) { ForkGuard.forks.add(1, ordering: .relaxed) } == 0
    }()

    /// Differs between a process and its forked children.
    static var generation: UInt32 {
        // Registering comes first, so that every fork from then on is counted.
        _ = isRegistered
        return forks.load(ordering: .relaxed)
    }
}
