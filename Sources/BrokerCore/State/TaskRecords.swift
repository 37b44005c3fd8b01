import TaskTree
import TimeLeft

/// The records of all tasks, each with a number by which it is reached at once.
///
/// A number belongs to one task until the task's record is removed, and may then be given to
/// another.
struct TaskRecords {
    typealias Cursor = TaskTable.Cursor

    private var numbers = TaskTable()
    private var entries = Pool<TaskRecord>()

    /// Everything known of one task; `nil` removes it.
    subscript(id: TaskID) -> TaskRecord? {
        get { numbers[id].map { entries[$0] } }
        set {
            guard let newValue else {
                remove(id)
                return
            }
            if let number = numbers[id] {
                entries[number] = newValue
            } else {
                insert(newValue, for: id)
            }
        }
        _modify {
            guard let number = numbers[id] else {
                var none: TaskRecord?
                yield &none
                if let none { insert(none, for: id) }
                return
            }
            // Moved out and back: what it holds on the heap is not copied.
            var record: TaskRecord? = entries[number]
            entries[number] = TaskRecord.empty
            yield &record
            entries[number] = record ?? .empty
            if record == nil { remove(id) }
        }
    }

    /// The number of a task that is probably a neighbour of the one asked for last.
    func number(of id: TaskID, near cursor: inout Cursor) -> PoolNumber? {
        numbers.number(of: id, near: &cursor)
    }

    /// The record under a number that `number(of:near:)` has just given.
    subscript(number: PoolNumber) -> TaskRecord {
        // Not `_read`: reading one field would copy the whole record.
        @inline(__always) get { entries[number] }
        _modify { yield &entries[number] }
    }

    /// The number of a task; where many are asked for, `number(of:near:)` finds neighbours sooner.
    func number(of id: TaskID) -> PoolNumber? { numbers[id] }

    /// How many there are.
    var count: Int { numbers.count }

    /// The tasks whose records pass, in no order.
    func ids(where passes: (TaskRecord) -> Bool) -> [TaskID] {
        numbers.all.filter { passes(entries[$0.number]) }.map(\.id)
    }

    /// The first ids in order that begin with a prefix, at most `limit`.
    func ids(beginningWith prefix: TaskIDPrefix, limit: Int) -> [TaskID] {
        numbers.ids(beginningWith: prefix, limit: limit)
    }

    mutating func remove(_ id: TaskID) {
        guard let number = numbers[id] else { return }
        numbers[id] = nil
        entries.remove(number, leaving: .empty)
    }

    private mutating func insert(_ record: TaskRecord, for id: TaskID) {
        numbers[id] = entries.insert(record)
    }
}

/// What the broker keeps of a task beside the tree: when it saw what, and where the task is shown.
///
/// There may be a million records: small fields stand where the layout would leave gaps.
struct TaskRecord {
    var observation: TaskObservation
    /// The number of the attempt, from 1; 0 for a ticket that no process has redeemed.
    var attempt: UInt32 = 1
    /// The task below which viewers see this one; kept so that they can be told when it has left
    /// the tree.
    var parent: TaskID?
    var isStalled = false
    /// Whether a look at its stall limit is already among the timers.
    var isWatched = false
    var needsAttention = false
    var isDismissed = false
    /// A ticket that a viewer cancelled before a process redeemed it.
    var isCancelledUnbegun = false
    var placeUse = PlaceUse.kept
    /// The job in which viewers see the task; kept for the same reason as `parent`.
    var job: TaskID?
    /// Children only: the row in the parent's block, from 1.
    var place: Int?
    /// Children only: the cell in the job's mosaic, from 1.
    var cell: Int?
    /// Jobs only.
    var slot: Int?
    var key = ""
    var lastDetail = ""
    /// When it ended by the owner's clock, Unix seconds, if the owner said so.
    var statedEnd: Double?
    /// Why it is leaving, once that is decided.
    var leaving: String?
    /// The reporter that has been asked to stop the task; another attempt has another reporter.
    var askedToStop: TaskID?
    /// The step at which its description, place or slot last changed.
    var descriptionStep: UInt64
    /// The step at which anything of it last changed.
    var progressStep: UInt64

    init(at now: Moment, step: UInt64) {
        observation = TaskObservation(at: now)
        descriptionStep = step
        progressStep = step
    }

    /// Stands in the place of a record that has been taken out.
    static let empty = TaskRecord(at: Moment(nanoseconds: 0), step: 0)
}

/// What the broker keeps of a job beside its record.
struct JobRecord {
    private var cells = PlaceBook()
    var taskInCell: [Int: TaskID] = [:]
    /// Earlier runs of the same job, if one has failed and no viewer has dismissed that.
    var earlierRuns: EarlierRuns?

    // Cells count from 1, the book from 0.

    mutating func assignCell() -> Int { cells.assign() + 1 }
    mutating func claimCell(_ cell: Int) -> Bool { cells.claim(cell - 1) }
    mutating func releaseCell(_ cell: Int) { cells.release(cell - 1) }
}
