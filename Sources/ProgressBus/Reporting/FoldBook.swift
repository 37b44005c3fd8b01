import BusProtocol
import TaskTree

/// What is folded away under one parent, and what a broker knows of it.
///
/// A class, so that looking at it copies nothing; it belongs to its task's record and is guarded as that.
final class FoldBook {
    /// Indices kept to be told, as many as one frame may name.
    ///
    /// While there is no room for more, what somebody has heard of keeps its row; only where too
    /// many of those gather, before a broker whose journal fails, the oldest indices are dropped.
    static let removedLimit = ProtocolLimits.removedIndices

    /// `removed` in it stays empty: those are below.
    var folded = FoldedChildren()
    /// Indices some frame has named, not yet acknowledged as removed.
    private(set) var removed: [UInt64] = []
    /// How many have left the front of `removed` so far.
    private(set) var removedBase: UInt64 = 0
    private(set) var version: UInt64 = 0
    private(set) var acknowledgedVersion: UInt64 = 0
    /// The number of its last change among the session's endings.
    var number: UInt64 = 0
    var isQueued = false

    var isAcknowledged: Bool { version == acknowledgedVersion }
    var removedEnd: UInt64 { removedBase + UInt64(removed.count) }

    /// Whether what one frame may name has room for a child and what was folded below it.
    func hasRoom(for record: ReportedTask) -> Bool {
        let named = (record.wasStated ? 1 : 0) + (record.fold?.removed.count ?? 0)
        return named == 0 || removed.count + named <= Self.removedLimit
    }

    func changed(removing indices: [UInt64]) {
        version += 1
        guard !indices.isEmpty else { return }
        removed.append(contentsOf: indices)
        // Never more than one frame may name, or it could not be told at all. Drops many at a time:
        // each time moves all that are kept.
        if removed.count > Self.removedLimit {
            dropRemoved(removed.count - Self.removedLimit * 9 / 10)
        }
    }

    func acknowledge(version: UInt64, removedEnd: UInt64) {
        acknowledgedVersion = max(acknowledgedVersion, version)
        if removedEnd > removedBase { dropRemoved(Int(removedEnd - removedBase)) }
    }

    private func dropRemoved(_ count: Int) {
        removed.removeFirst(min(count, removed.count))
        removedBase += UInt64(count)
    }

    /// About how many bytes it takes in a frame.
    var estimatedBytes: Int {
        ReportingFrame.entryBytes + 4 * removed.count + 40 * folded.sums.count
    }

    func wire(below parent: UInt64, of session: SessionID) -> WireFold {
        var folded = folded
        folded.removed = removed
        return WireFold(parent: TaskID(index: parent, session: session), folded)
    }
}
