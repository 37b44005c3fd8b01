import BusProtocol
import TaskTree

/// The fold of one parent's ended children, and how much of it a broker has acknowledged.
///
/// A class, so that reading it copies nothing. It belongs to the parent's `ReportedTask`, under the
/// same lock.
final class FoldBook {
    /// Removed indices kept until they are acknowledged: as many as one frame may name.
    ///
    /// While there is no room for more, an ended child that some frame has named keeps its row. The
    /// oldest indices are dropped only when the session keeps more than
    /// `ReportingMachine.mostEnded` ended tasks, as with a broker whose journal fails.
    static let removedLimit = ProtocolLimits.removedIndices

    /// The folded sums, whose own `removed` stays empty: `removed` below has the indices.
    var folded = FoldedChildren()
    /// Indices that some frame has named and no broker has acknowledged as removed yet.
    private(set) var removed: [UInt64] = []
    /// How many indices have been dropped from the front of `removed` so far.
    private(set) var removedBase: UInt64 = 0
    private(set) var version: UInt64 = 0
    private(set) var acknowledgedVersion: UInt64 = 0
    /// The number of the fold's last change; endings, tickets and folds share one count.
    var number: UInt64 = 0
    var isQueued = false

    var isAcknowledged: Bool { version == acknowledgedVersion }
    var removedEnd: UInt64 { removedBase + UInt64(removed.count) }

    /// Whether one frame can still name this child and the indices folded below it.
    func hasRoom(for record: ReportedTask) -> Bool {
        let named = (record.wasStated ? 1 : 0) + (record.fold?.removed.count ?? 0)
        return named == 0 || removed.count + named <= Self.removedLimit
    }

    func changed(removing indices: [UInt64]) {
        version += 1
        guard !indices.isEmpty else { return }
        removed.append(contentsOf: indices)
        // One frame must be able to name all of them. Drops many at a time, because each drop moves
        // all the indices that stay.
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
