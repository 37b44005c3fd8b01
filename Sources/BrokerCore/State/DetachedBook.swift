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
    /// Whether a look at its silence is already among the timers.
    var isWatched = false
}

/// The name of a request: what has the same is carried out once.
struct DetachedRequestID: Hashable {
    private let high: UInt64
    private let low: UInt64

    /// Takes the bytes of a frame; `nil` unless there are 16.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        high = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
    }

    var low32: UInt64 { low & 0xFFFF_FFFF }

    var bytes: [UInt8] {
        [high, low].flatMap { word in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
        }
    }
}

/// The requests that have been carried out, in their order, so that the oldest can be forgotten.
struct DetachedRequests {
    struct Record {
        let number: UInt64
        /// Unix seconds.
        let time: Int64
        let task: TaskID
        /// Where to answer once it is on disk; `nil` when it is.
        var waiting: Route?
    }

    private var records: [DetachedRequestID: Record] = [:]
    private var order: [UInt64: DetachedRequestID] = [:]
    private var oldest: UInt64 = 1
    private(set) var newest: UInt64 = 0

    var count: Int { records.count }

    subscript(id: DetachedRequestID) -> Record? { records[id] }

    /// Notes a request that has been carried out now; returns its number.
    mutating func add(
        _ id: DetachedRequestID,
        time: Int64,
        task: TaskID,
        waiting: Route
    ) -> UInt64 {
        put(id, Record(number: newest + 1, time: time, task: task, waiting: waiting))
        return newest
    }

    /// Takes back one that the journal held; they come in any order.
    mutating func restore(_ id: DetachedRequestID, number: UInt64, time: Int64, task: TaskID) {
        put(id, Record(number: number, time: time, task: task, waiting: nil))
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
        while let (number, id) = first, records.count > limit || (records[id]?.time ?? 0) < time {
            records[id] = nil
            order[number] = nil
            last = number
        }
        return last
    }

    private var first: (number: UInt64, id: DetachedRequestID)? {
        mutating get {
            guard !order.isEmpty else { return nil }
            // Numbers follow each other, but for those of a journal that somebody has changed.
            for _ in 0..<1_024 {
                if let id = order[oldest] { return (oldest, id) }
                oldest &+= 1
            }
            oldest = order.keys.min() ?? newest
            return order[oldest].map { (oldest, $0) }
        }
    }

    private mutating func put(_ id: DetachedRequestID, _ record: Record) {
        if order.isEmpty { oldest = record.number }
        records[id] = record
        order[record.number] = id
        oldest = min(oldest, record.number)
        newest = max(newest, record.number)
    }
}
