import CLibrary

/// Ends the broker by SIGKILL between two of its actions: for tests, in debug builds only.
///
/// `PROGRESSBUS_KILL_FOR_TEST=POINT:N` kills it at the N-th passage of a point. In a release build
/// nothing reads the variable.
struct KillSwitch {
    /// Where the broker can be killed.
    enum Point: String, CaseIterable {
        /// The machine has decided; nothing has been handed to the journal.
        case beforeJournal = "before-journal"
        /// Handed to the journal; on disk or not.
        case whileJournalling = "while-journalling"
        /// On disk; the acknowledgement is not sent.
        case afterJournal = "after-journal"
        /// The acknowledgement has been given to libzmq, gone out or not.
        case afterAcknowledgement = "after-acknowledgement"
        /// Decided, journalled or not, and not published.
        case beforePublication = "before-publication"
        /// Given to libzmq for the viewers.
        case afterPublication = "after-publication"
    }

    #if DEBUG
    private var armed: (point: Point, left: Int)?

    init(environment: [String: String]) {
        guard let words = environment["PROGRESSBUS_KILL_FOR_TEST"]?.split(separator: ":"),
            words.count == 2, let point = Point(rawValue: String(words[0])),
            let count = Int(words[1])
        else { return }
        armed = (point, count)
    }

    mutating func pass(_ point: Point) {
        guard let armed, armed.point == point else { return }
        guard armed.left <= 1 else {
            self.armed = (point, armed.left - 1)
            return
        }
        kill(getpid(), SIGKILL)
    }
    #else
    init(environment: [String: String]) {}

    @inline(__always)
    func pass(_ point: Point) {}
    #endif
}
