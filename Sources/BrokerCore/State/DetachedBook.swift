import HeapModule
import TaskTree

/// The tasks that belong to the broker itself, and the requests about them that it has carried out.
///
/// The tree holds these tasks like those of any session, under a session id of the broker's own
/// that the journal keeps. This book holds what the process of a session would keep for itself.
struct DetachedBook {
    /// The session that viewers see as the owner of these tasks.
    var session: SessionID
    /// The last number given to a task; none is given twice.
    var lastIndex: UInt64 = 0
    /// The detached tasks in the tree, ended ones included.
    var tasks: [TaskID: DetachedTask] = [:]
    /// How many detached tasks in the tree each owner has begun.
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
    /// The member that began the task, if the bus has keys.
    var owner: String?
    /// The owner whose share of the detached tasks this one takes.
    let share: ShareOwner
    var isSilent = false
    var isLost = false
}

/// The id of a request: of requests with the same id, only one is carried out.
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
        /// Where the answer goes once the request is on disk; `nil` from then on.
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

    /// Adds a request from the journal, whose entries come in any order.
    mutating func restore(_ id: DetachedRequestID, number: UInt64, time: Int64, task: TaskID) {
        put(id, number, Record(time: time, task: task, waiting: nil))
    }

    /// Sets where the answer to a request goes once the request is on disk.
    mutating func wait(_ id: DetachedRequestID, at route: Route) {
        records[id]?.waiting = route
    }

    /// Ends a request's wait for the disk; returns where its answer goes, and its task.
    mutating func finish(_ id: DetachedRequestID) -> (route: Route, task: TaskID)? {
        guard let record = records[id], let route = record.waiting else { return nil }
        records[id]?.waiting = nil
        return (route, record.task)
    }

    /// Forgets requests from before a time, and the oldest above a limit; returns the number of the
    /// last one forgotten.
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
