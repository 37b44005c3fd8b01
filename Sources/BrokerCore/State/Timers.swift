import BusProtocol
import HeapModule
import TaskTree

/// Something to look at when its time has come.
///
/// Whether it still applies is checked then.
enum Timer: Hashable {
    /// By its position among the records, where another task may be then.
    case stall(Int32)
    case linger(TaskID)
    case place(TaskID)
    case neverBegun(TaskID)
    case session(SessionID)
    case closing(SessionID)
    case command(UInt64)
    case processGone(SessionID)
    case settled
    case keyframe(SessionID)
    case detached(TaskID)
    case earlyReports
}

/// The timers by time: a heap, so that a quiet broker does nothing for a million tasks.
struct Timers {
    private struct Entry: Comparable {
        let due: Moment
        let order: UInt64
        let timer: Timer

        static func < (left: Entry, right: Entry) -> Bool {
            (left.due, left.order) < (right.due, right.order)
        }

        static func == (left: Entry, right: Entry) -> Bool {
            left.due == right.due && left.order == right.order
        }
    }

    /// Nearly all are of this kind, one for each running task: by themselves they are small, and
    /// the moment is in two halves so that they lie close.
    private struct Look: Comparable {
        let position: Int32
        private let late: UInt32
        private let early: Int32

        init(due: Moment, position: Int32) {
            self.position = position
            early = Int32(truncatingIfNeeded: due.nanoseconds >> 32)
            late = UInt32(truncatingIfNeeded: due.nanoseconds)
        }

        var due: Moment { Moment(nanoseconds: Int64(early) << 32 | Int64(late)) }

        static func < (left: Look, right: Look) -> Bool { left.due < right.due }
    }

    private var heap = Heap<Entry>()
    private var looks = Heap<Look>()
    private var order: UInt64 = 0

    /// When the earliest timer is due.
    var next: Moment? {
        guard let look = looks.min?.due else { return heap.min?.due }
        return heap.min.map { min($0.due, look) } ?? look
    }

    mutating func add(_ timer: Timer, at due: Moment) {
        if case .stall(let position) = timer {
            looks.insert(Look(due: due, position: position))
            return
        }
        order += 1
        heap.insert(Entry(due: due, order: order, timer: timer))
    }

    /// Takes the earliest timer that is due; `nil` if none is.
    mutating func takeDue(at now: Moment) -> Timer? {
        if let look = looks.min, look.due <= now, heap.min.map({ look.due < $0.due }) ?? true {
            return looks.popMin().map { .stall($0.position) }
        }
        guard let first = heap.min, first.due <= now else { return nil }
        return heap.popMin()?.timer
    }
}
