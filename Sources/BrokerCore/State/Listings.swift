import BusProtocol
import TaskTree

/// The snapshots that viewers pull chunk by chunk, by the session that asks.
///
/// Bounded for each session and in all: the oldest snapshots are forgotten, and their viewers begin
/// anew.
struct Listings {
    private var open: [SessionID: [Listing]] = [:]
    private var lastNumber: UInt64 = 0
    /// How many ids all of them hold.
    private(set) var size = 0

    /// A number for a new listing.
    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// Keeps a listing until its next chunk is asked for.
    ///
    /// Drops the session's oldest listings above `perSession`, and the oldest of all sessions while
    /// they hold more than `ids` ids.
    mutating func put(_ listing: Listing, of session: SessionID, perSession: Int, ids: Int) {
        open[session, default: []].append(listing)
        size += listing.size
        while let kept = open[session], kept.count > perSession { remove(at: 0, of: session) }
        while size > ids, let oldest = open.min(by: { $0.value[0].number < $1.value[0].number }) {
            remove(at: 0, of: oldest.key)
        }
    }

    /// Takes out the listing with this number.
    mutating func take(_ number: UInt64, of session: SessionID) -> Listing? {
        guard let place = open[session]?.firstIndex(where: { $0.number == number }) else {
            return nil
        }
        return remove(at: place, of: session)
    }

    /// Forgets all listings of a session.
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

/// The ids of a snapshot that a session pulls chunk by chunk.
///
/// A large job is walked only as far as chunks are asked for. A task that begins where the walk has
/// been is published as an update, as after the end of a snapshot.
struct Listing {
    let number: UInt64
    let topic: Topic
    /// The ids found and not dropped yet, each parent before its children.
    private var ids: [TaskID]
    /// The position of the first element of `ids`.
    private var first = 0
    /// Tasks still to be listed with all below them, the next one last.
    private var pending: [TaskID]

    /// Lists `ids`, and each task of `trees` with all below it.
    init(number: UInt64, topic: Topic, ids: [TaskID], trees: [TaskID]) {
        self.number = number
        self.topic = topic
        self.ids = ids
        pending = trees
    }

    /// The positions of the ids it holds.
    var positions: ClosedRange<Int> { first...(first + ids.count) }

    /// The ids at these positions, which it holds.
    subscript(positions: Range<Int>) -> ArraySlice<TaskID> {
        ids[(positions.lowerBound - first)..<(positions.upperBound - first)]
    }

    /// Finds further ids until those of all positions before this one are found, or none is left.
    mutating func extend(to position: Int, in tree: borrowing ProgressTree) {
        var cursor = TaskTable.Cursor()
        while first + ids.count < position, let id = pending.popLast() {
            guard let children = tree.childrenInJob(of: id, near: &cursor) else { continue }
            ids.append(id)
            pending += children.reversed()
        }
    }

    /// Forgets the ids before this position, which a chunk has shown.
    ///
    /// The chunk that was sent last can still be asked for once more.
    mutating func drop(before position: Int) {
        ids.removeFirst(min(ids.count, max(0, position - first)))
        first = max(first, position)
    }

    /// How many ids it holds.
    var size: Int { ids.count + pending.count }
}
