import TaskTree

/// The snapshots that viewers pull chunk by chunk, by the session that asks.
///
/// Bounded for each session and in all; what is too much is forgotten, and its viewer begins anew.
struct Listings {
    private var open: [SessionID: [Listing]] = [:]
    private var lastNumber: UInt64 = 0
    /// How many ids all of them hold.
    private(set) var size = 0

    var isEmpty: Bool { open.isEmpty }

    /// A number for a new one.
    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// Keeps one until its next chunk is asked for.
    ///
    /// The oldest of the session leaves above `perSession`, the oldest of all above `ids` in all.
    mutating func put(_ listing: Listing, of session: SessionID, perSession: Int, ids: Int) {
        open[session, default: []].append(listing)
        size += listing.size
        while let kept = open[session], kept.count > perSession { remove(at: 0, of: session) }
        while size > ids, let oldest = open.min(by: { $0.value[0].number < $1.value[0].number }) {
            remove(at: 0, of: oldest.key)
        }
    }

    /// Takes out the one of this number.
    mutating func take(_ number: UInt64, of session: SessionID) -> Listing? {
        guard let place = open[session]?.firstIndex(where: { $0.number == number }) else {
            return nil
        }
        return remove(at: place, of: session)
    }

    /// Forgets all of a session.
    mutating func forget(_ session: SessionID) {
        size -= open.removeValue(forKey: session)?.reduce(0) { $0 + $1.size } ?? 0
    }

    @discardableResult
    private mutating func remove(at place: Int, of session: SessionID) -> Listing? {
        guard let listing = open[session]?.remove(at: place) else { return nil }
        size -= listing.size
        if open[session]?.isEmpty == true { open[session] = nil }
        return listing
    }
}
