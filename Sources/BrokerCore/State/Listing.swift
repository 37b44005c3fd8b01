import BusProtocol
import TaskTree

/// The ids of a snapshot that somebody pulls chunk by chunk.
///
/// A great job is walked through as far as it is asked for: what begins meanwhile in a part that
/// has been walked is published as an update, as it would be after the end of a snapshot.
struct Listing {
    let number: UInt64
    let topic: Topic
    /// Those found so far, each parent before its children.
    private(set) var ids: [TaskID] = []
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

    /// Finds ids until there are so many, or no more.
    mutating func extend(to count: Int, in tree: borrowing ProgressTree) {
        var cursor = TaskTable.Cursor()
        while ids.count < count, let id = pending.popLast() {
            guard let children = tree.childrenInJob(of: id, near: &cursor) else { continue }
            ids.append(id)
            pending += children.reversed()
        }
    }
}
