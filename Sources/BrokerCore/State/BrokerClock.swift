import BusProtocol
import HeapModule
import TaskTree

/// What the broker knows of time from its callers, as it reads no clock itself.
struct BrokerClock {
    let began: Moment
    var lastTick: Moment
    var lastSecond: Moment
    /// Unix seconds minus monotonic seconds, as of the last tick.
    var unixOffset: Double
    var timers = Timers()

    init(now: Moment, unixTime: Double) {
        began = now
        lastTick = now
        lastSecond = now
        unixOffset = unixTime - Double(now.nanoseconds) / 1e9
    }
}

/// A check that is due at a set time.
///
/// When it is due, the broker first finds out whether it still applies.
enum Timer: Hashable {
    case stall(TaskID)
    case linger(TaskID)
    case neverBegun(TaskID)
    case session(SessionID)
    case closing(SessionID)
    case remainder(SessionID)
    case command(UInt64)
    case processGone(SessionID)
    case settled
    case keyframe(SessionID)
    case detached(TaskID)
    case question(UInt64)
}

/// The timers by due time: a heap, so that a quiet broker does no work for a million tasks.
///
/// Apart from looks at stalls, each timer is set at most once: setting it again moves it, and it is
/// removed when its task or session leaves.
struct Timers {
    private struct Entry: Comparable {
        let due: Moment
        let order: UInt64
        let timer: Timer

        static func < (left: Entry, right: Entry) -> Bool {
            (left.due, left.order) < (right.due, right.order)
        }
    }

    /// A `stall` timer: nearly all timers are of this kind, one for each running task.
    ///
    /// They are not in `orders`: `TaskRecord.isWatched` says whether one is still awaited.
    private struct Look: Comparable {
        let due: Moment
        let task: TaskID

        static func < (left: Look, right: Look) -> Bool { left.due < right.due }
    }

    /// Also holds outdated entries, of timers that have been moved or removed since.
    private var heap = Heap<Entry>()
    /// The `order` of each timer's valid entry in `heap`.
    private var orders: [Timer: UInt64] = [:]
    private var looks = Heap<Look>()
    private var order: UInt64 = 0

    /// How many timers are set, without looks at stalls.
    var count: Int { orders.count }
    /// How many looks at stalls there are.
    var lookCount: Int { looks.count }

    /// When the earliest timer is due, including looks at stalls that are not needed any more.
    var next: Moment? {
        guard let look = looks.min?.due else { return heap.min?.due }
        return heap.min.map { min($0.due, look) } ?? look
    }

    /// Sets a timer, or moves it to another time.
    mutating func add(_ timer: Timer, at due: Moment) {
        if case .stall(let task) = timer {
            looks.insert(Look(due: due, task: task))
            return
        }
        order += 1
        orders[timer] = order
        heap.insert(Entry(due: due, order: order, timer: timer))
        // The heap is cleaned seldom, so that an addition costs the same on average.
        if heap.count > 2 * orders.count + 64 {
            heap = Heap(heap.unordered.filter { orders[$0.timer] == $0.order })
        }
        dropOutdated()
    }

    /// Removes a timer; nothing happens if it is not set.
    mutating func remove(_ timer: Timer) {
        orders[timer] = nil
        dropOutdated()
    }

    /// Drops outdated entries from the top, so that the broker does not tick for them.
    private mutating func dropOutdated() {
        while let first = heap.min, orders[first.timer] != first.order { heap.removeMin() }
    }

    /// Removes all timers of a task that is gone.
    mutating func forget(_ task: TaskID) {
        for timer: Timer in [.neverBegun(task), .linger(task), .detached(task)] { remove(timer) }
    }

    /// Removes all timers of a session that is gone.
    mutating func forget(_ id: SessionID) {
        for timer: Timer in [
            .session(id), .closing(id), .remainder(id), .processGone(id), .keyframe(id),
        ] { remove(timer) }
    }

    /// Removes looks that no task awaits, once there are more than `limit` looks.
    mutating func removeLooks(above limit: Int, unless isAwaited: (TaskID) -> Bool) {
        guard looks.count > limit else { return }
        var kept: [TaskID: Moment] = [:]
        while let look = looks.popMin() {
            if kept[look.task] == nil, isAwaited(look.task) { kept[look.task] = look.due }
        }
        looks = Heap(kept.map { Look(due: $0.value, task: $0.key) })
    }

    /// Takes the earliest timer that is due, a look at a stall only if `isLooking`; `nil` if none
    /// is.
    mutating func takeDue(at now: Moment, isLooking: Bool = true) -> Timer? {
        if let first = heap.min, first.due <= now,
            !(isLooking && looks.min.map { $0.due < first.due } ?? false)
        {
            remove(first.timer)
            return first.timer
        }
        guard isLooking, let look = looks.min, look.due <= now else { return nil }
        return looks.popMin().map { .stall($0.task) }
    }
}
