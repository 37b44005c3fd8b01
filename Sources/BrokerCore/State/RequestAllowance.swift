import TaskTree

/// How much each session, and each owner of sessions, has asked for in the current second.
struct RequestAllowance {
    enum Kind: Hashable {
        case hello(SessionID)
        case find(SessionID)
        case command(SessionID)
        /// Tasks that were looked at: those below the ones that commands are for, and those of a
        /// session that says hello again or has sent a keyframe.
        case looks(ShareOwner)
    }

    private var counts: [Kind: Int] = [:]

    /// How many have asked for how many kinds of things.
    var count: Int { counts.count }

    /// Whether less than `limit` was asked for in this second.
    func isLeft(_ kind: Kind, limit: Int) -> Bool { counts[kind, default: 0] < limit }

    /// Counts what was asked for, whether or not that much was left.
    mutating func count(_ kind: Kind, _ number: Int) { counts[kind, default: 0] += number }

    /// Counts a request and says whether there was still one left of the `limit` a second.
    mutating func spend(_ kind: Kind, limit: Int) -> Bool {
        guard isLeft(kind, limit: limit) else { return false }
        count(kind, 1)
        return true
    }

    /// Another second has begun.
    mutating func renew() { counts = [:] }
}
