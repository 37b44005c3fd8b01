/// A record that is to be settled again because of a word above it.
///
/// One word may reach a million tasks: who speaks for them all fails, or is lost. They are taken in a
/// part at a time, so that nobody else waits for all of them. Each is shown as it is from the first
/// moment on; only the sums above it follow later.
struct PendingMark: Sendable {
    let record: Slot
    /// Whether everything below it is to be settled again too.
    let reachesAll: Bool
}

extension ProgressTree {
    mutating func markLater(_ records: [Slot], reachingAll: Bool) {
        for record in records {
            pendingMarks.append(PendingMark(record: record, reachesAll: reachingAll))
        }
    }

    /// Marks as many records that wait for it.
    mutating func takeMarks(_ most: Int) {
        var left = most
        while left > 0, let next = pendingMarks.popLast() {
            // Whatever has taken the place of one that was freed is settled once too often.
            guard Int(next.record) < nodes.capacity, nodes[next.record].isAttached else { continue }
            left -= 1
            mark(next.record)
            guard next.reachesAll else { continue }
            let depth = nodes[next.record].depth + 1
            markLater(
                children(below: next.record).filter { nodes[$0].depth == depth },
                reachingAll: true
            )
            markLater(holders(of: next.record), reachingAll: true)
        }
    }
}
