import HeapModule
import TaskTree

/// The tasks that belong to the broker itself, and the requests about them that it has carried out.
///
/// They hang in the tree like those of any session, under a public id of the broker's own that
/// stays the same as long as its journal does. What is said of them is in the tree; here is what a
/// session would keep for itself.
struct DetachedBook {
    /// The session that viewers see as the owner of these tasks.
    var session: SessionID
    /// The last number given to a task; none is given twice.
    var lastIndex: UInt64 = 0
    /// Those in the tree, ended ones included.
    var tasks: [TaskID: DetachedTask] = [:]
    /// How many of them each process or member has begun.
    private(set) var room = SharedRoom()
    var requests = DetachedRequests()
    /// When the last request came.
    var lastRequest: Moment?

    init(session: SessionID) {
        self.session = session
    }

    func owns(_ reporter: TaskID) -> Bool { reporter.session == session }

    mutating func add(_ id: TaskID, _ task: DetachedTask) {
        remove(id)
        tasks[id] = task
        room.add(1, of: task.share)
    }

    mutating func remove(_ id: TaskID) {
        guard let task = tasks.removeValue(forKey: id) else { return }
        room.add(-1, of: task.share)
    }
}

/// What the broker keeps of a detached task beside the tree.
struct DetachedTask {
    /// When the last request about it came.
    var lastHeard: Moment
    /// The member of the bus that began it, where it has keys.
    var owner: String?
    /// Whose share of the detached tasks it counts for.
    let share: ShareOwner
    var isSilent = false
    var isLost = false
}

/// The name of a request: what has the same is carried out once.
struct DetachedRequestID: Hashable {
    let bytes: [UInt8]

    /// Takes the bytes of a frame; `nil` unless there are 16.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    var low32: UInt64 { bytes[12...].reduce(0) { $0 << 8 | UInt64($1) } }
}

/// The requests that have been carried out, in their order, so that the oldest can be forgotten.
struct DetachedRequests {
    struct Record {
        /// Unix seconds.
        let time: Int64
        let task: TaskID
        /// Where to answer once it is on disk; `nil` when it is.
        var waiting: Route?
    }

    private var records: [DetachedRequestID: Record] = [:]
    private var order = Heap<Place>()
    private var newest: UInt64 = 0

    private struct Place: Comparable {
        let number: UInt64
        let id: DetachedRequestID

        static func < (left: Place, right: Place) -> Bool { left.number < right.number }
    }

    var count: Int { records.count }

    subscript(id: DetachedRequestID) -> Record? { records[id] }

    /// Notes a request that has been carried out now; returns its number.
    mutating func add(
        _ id: DetachedRequestID,
        time: Int64,
        task: TaskID,
        waiting: Route
    ) -> UInt64 {
        put(id, newest + 1, Record(time: time, task: task, waiting: waiting))
        return newest
    }

    /// Takes back one that the journal held; they come in any order.
    mutating func restore(_ id: DetachedRequestID, number: UInt64, time: Int64, task: TaskID) {
        put(id, number, Record(time: time, task: task, waiting: nil))
    }

    /// Its answer goes there, when it can be given.
    mutating func wait(_ id: DetachedRequestID, at route: Route) {
        records[id]?.waiting = route
    }

    /// It is on disk: returns where its answer is awaited.
    mutating func finish(_ id: DetachedRequestID) -> (route: Route, task: TaskID)? {
        guard let record = records[id], let route = record.waiting else { return nil }
        records[id]?.waiting = nil
        return (route, record.task)
    }

    /// Forgets those before a time, and the oldest beyond a number; returns the last one forgotten.
    mutating func prune(before time: Int64, limit: Int) -> UInt64? {
        var last: UInt64?
        while let oldest = order.min,
            records.count > limit || (records[oldest.id]?.time ?? 0) < time
        {
            order.removeMin()
            records[oldest.id] = nil
            last = oldest.number
        }
        return last
    }

    private mutating func put(_ id: DetachedRequestID, _ number: UInt64, _ record: Record) {
        records[id] = record
        order.insert(Place(number: number, id: id))
        newest = max(newest, number)
    }
}
