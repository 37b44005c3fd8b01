import BusProtocol
import TaskTree

/// Counts what each session, and each owner of sessions, has used in the current second.
struct RequestAllowance {
    enum Kind: Hashable {
        case hello(SessionID)
        case find(SessionID)
        case command(SessionID)
        /// Bytes of text that the session has stated.
        case text(SessionID)
        /// Refusals with this code that the session was sent.
        case refusal(SessionID, RefusalCode)
        /// Looks at tasks for the owner's commands, searches, snapshots of jobs, repeated hellos
        /// and keyframes.
        case looks(ShareOwner)
    }

    private var counts: [Kind: Int] = [:]

    /// How many counters are in use.
    var count: Int { counts.count }

    /// Whether the count of this second is below `limit`.
    func isLeft(_ kind: Kind, limit: Int) -> Bool { counts[kind, default: 0] < limit }

    /// Adds to a count, whether or not that much was left; returns the count of this second.
    @discardableResult
    mutating func count(_ kind: Kind, _ number: Int) -> Int {
        counts[kind, default: 0] += number
        return counts[kind, default: 0]
    }

    /// Counts a request if fewer than `limit` were counted in this second; returns whether it was.
    mutating func spend(_ kind: Kind, limit: Int) -> Bool {
        guard isLeft(kind, limit: limit) else { return false }
        count(kind, 1)
        return true
    }

    /// Begins another second: all counts are 0 again.
    mutating func renew() { counts = [:] }
}
