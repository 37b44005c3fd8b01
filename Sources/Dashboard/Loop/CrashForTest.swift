#if DEBUG
import CLibrary

/// A defect in the view, for the test that a crash leaves the terminal as it was.
///
/// `PROGRESSBUS_CRASH_FOR_TEST` is `view` for a trap of Swift, or `memory`, `abort` or `stack`. The
/// crash happens in the first frame that is 77 columns wide, so that the test sees other frames
/// before. Release builds do not have it.
struct CrashForTest {
    private static let columns = 77
    private let kind = getenv("PROGRESSBUS_CRASH_FOR_TEST").map { String(cString: $0) }

    func happenIfWanted(columns: Int) {
        guard let kind, columns == Self.columns else { return }
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
