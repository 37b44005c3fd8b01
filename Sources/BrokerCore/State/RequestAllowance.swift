import TaskTree

/// How much each session has asked for in the current second.
struct RequestAllowance {
    enum Kind {
        case hello, find, command
    }

    private struct Asker: Hashable {
        let session: SessionID
        let kind: Kind
    }

    private var counts: [Asker: Int] = [:]

    /// How many sessions have asked for how many kinds of things.
    var count: Int { counts.count }

    /// Counts a request and says whether the session is still within `limit` a second.
    mutating func spend(_ kind: Kind, of session: SessionID, limit: Int) -> Bool {
        let asker = Asker(session: session, kind: kind)
        guard counts[asker, default: 0] < limit else { return false }
        counts[asker, default: 0] += 1
        return true
    }

    /// Another second has begun.
    mutating func renew() { counts = [:] }
}
