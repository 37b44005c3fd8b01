import BusProtocol
import TaskTree

/// How much each session, and each owner of sessions, has had in the current second.
struct RequestAllowance {
    enum Kind: Hashable {
        case hello(SessionID)
        case find(SessionID)
        case command(SessionID)
        /// Bytes of text that it has stated.
        case text(SessionID)
        /// A refusal of this kind, which it is told.
        case refusal(SessionID, RefusalCode)
        /// Tasks that were looked at: those below the ones that commands are for, and those of a
        /// session that says hello again or has sent a keyframe.
        case looks(ShareOwner)
    }

    private var counts: [Kind: Int] = [:]

    /// How many have had how many kinds of things.
    var count: Int { counts.count }

    /// Whether it was less than `limit` in this second.
    func isLeft(_ kind: Kind, limit: Int) -> Bool { counts[kind, default: 0] < limit }

    /// Counts so much, whether or not that much was left; returns how much it is in this second.
    @discardableResult
    mutating func count(_ kind: Kind, _ number: Int) -> Int {
        counts[kind, default: 0] += number
        return counts[kind, default: 0]
    }

    /// Counts a request and says whether there was still one left of the `limit` a second.
    mutating func spend(_ kind: Kind, limit: Int) -> Bool {
        guard isLeft(kind, limit: limit) else { return false }
        count(kind, 1)
        return true
    }

    /// Another second has begun.
    mutating func renew() { counts = [:] }
}
