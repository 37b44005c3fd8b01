#if DEBUG
import CLibrary
import ProgressBus
import TaskTree

/// A defect in the view, for the test that a crash leaves the terminal as it was.
///
/// `PROGRESSBUS_CRASH_FOR_TEST` is `view` for a trap of Swift, or `memory`, `abort` or `stack`.
/// It happens in the first frame after half a second. Release builds do not have it.
struct CrashForTest {
    private let kind = getenv("PROGRESSBUS_CRASH_FOR_TEST").map { String(cString: $0) }
    private let begun = Moment.present

    func happenIfWanted(at now: Moment) {
        guard let kind, now.seconds(since: begun) > 0.5 else { return }
        switch kind {
        case "view":
            let nothing: [Int] = []
            _ = nothing[kind.utf8.count]
        case "memory": kill(getpid(), SIGSEGV)
        case "abort": abort()
        case "stack": _ = Self.descend(0)
        default: break
        }
    }

    @inline(never)
    private static func descend(_ depth: Int) -> Int {
        depth < 0 ? 0 : descend(depth + 1) + depth
    }
}
#endif
