import CLibrary
import Synchronization

/// Lets sessions say their last words when a program ends without `close()`.
enum ExitHook {
    private struct Entry {
        weak var reporter: Reporter?
    }

    private static let entries = Mutex<[Entry]>([])

    private static let isRegistered: Bool = {
        atexit { ExitHook.run() } == 0
    }()

    static func remember(_ reporter: Reporter) {
        _ = isRegistered
        entries.withLock { entries in
            entries.removeAll { $0.reporter == nil }
            entries.append(Entry(reporter: reporter))
        }
    }

    private static func run() {
        // In a forked child the lock may be held by a thread that does not exist there.
        guard let reporters = entries.withLockIfAvailable({ $0.compactMap(\.reporter) }) else {
            return
        }
        for reporter in reporters { reporter.flushAtExit() }
    }
}
