/// The owner whose share of a table an entry counts for.
package enum ShareOwner: Hashable, Sendable {
    /// A process, where the kernel tells which.
    case process(Int32)
    /// A member of a bus with keys.
    case member(String)
    /// Another broker of the fleet, for all its sessions that have parts of jobs here.
    case broker(UInt64)
    /// All others are one owner: anybody may begin any number of sessions, and leave files of any
    /// number of them in the spool.
    case others
}

extension ShareOwner: CustomStringConvertible {
    package var description: String {
        switch self {
        case .process(let pid): "process \(pid)"
        case .member(let name): "member \(name)"
        case .broker(let number): "broker \(String(number, radix: 16))"
        case .others: "whoever is of no known process"
        }
    }
}

/// How much of a table each owner has taken, where nobody may take more than is left for others.
///
/// So a few owners that take all they can get still leave room for others.
package struct SharedRoom: Sendable {
    private var taken: [ShareOwner: Int] = [:]
    /// What all have taken together.
    package private(set) var total = 0

    package init() {}

    /// How many owners have taken something.
    package var ownerCount: Int { taken.count }

    /// What an owner has taken.
    package subscript(owner: ShareOwner) -> Int { taken[owner, default: 0] }

    /// Whether an owner may take more of a table that holds `limit`, all of it counted here.
    package func mayTake(_ owner: ShareOwner, of limit: Int) -> Bool {
        self[owner] < limit - total
    }

    /// An owner has taken this much more, or given so much back.
    package mutating func add(_ change: Int, of owner: ShareOwner) {
        total += change
        let count = self[owner] + change
        taken[owner] = count > 0 ? count : nil
    }
}
