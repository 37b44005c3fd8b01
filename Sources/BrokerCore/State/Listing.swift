import BusProtocol
import TaskTree

/// The ids of a snapshot that somebody pulls chunk by chunk.
///
/// A great job is walked through as far as it is asked for: what begins meanwhile in a part that
/// has been walked is published as an update, as it would be after the end of a snapshot.
struct Listing {
    let number: UInt64
    let topic: Topic
    /// Those found and not dropped yet, each parent before its children.
    private var ids: [TaskID] = []
    /// The position of the first of them.
    private var first = 0
    /// Those whose families are still to be walked through, the next one last.
    private var pending: [TaskID]

    init(number: UInt64, topic: Topic, ids: [TaskID]) {
        self.number = number
        self.topic = topic
        self.ids = ids
        pending = []
    }

    /// A task and all below it.
    init(number: UInt64, topic: Topic, below job: TaskID) {
        self.number = number
        self.topic = topic
        pending = [job]
    }

    /// The positions of the ids it holds.
    var positions: ClosedRange<Int> { first...(first + ids.count) }

    /// The ids at these positions, which it holds.
    subscript(positions: Range<Int>) -> ArraySlice<TaskID> {
        ids[(positions.lowerBound - first)..<(positions.upperBound - first)]
    }

    /// Finds ids until it reaches this position, or no more.
    mutating func extend(to position: Int, in tree: borrowing ProgressTree) {
        while first + ids.count < position, let id = pending.popLast() {
            guard let children = tree.childrenInJob(of: id) else { continue }
            ids.append(id)
            pending += children.reversed()
        }
    }
}

extension Listing {
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
