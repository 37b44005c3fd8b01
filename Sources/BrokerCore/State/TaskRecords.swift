import TaskTree

/// The records of all tasks, each with a number by which it is reached at once.
///
/// A number is that of the same task until its record is removed, and then may become another's.
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
        // Not `_read`: who asks for one field would have the whole record copied for it.
        @inline(__always) get { entries[number] }
        _modify { yield &entries[number] }
    }

    /// How many there are.
    var count: Int { numbers.count }

    /// The tasks whose records pass, in no order.
    func ids(where passes: (TaskRecord) -> Bool) -> [TaskID] {
        numbers.all.filter { passes(entries[$0.number]) }.map(\.id)
    }

    /// The first ids in order that begin like this, not more than `limit`.
    func ids(beginningWith prefix: TaskIDPrefix, limit: Int) -> [TaskID] {
        numbers.ids(beginningWith: prefix, limit: limit)
    }

    @discardableResult
    mutating func remove(_ id: TaskID) -> TaskRecord? {
        guard let number = numbers[id] else { return nil }
        numbers[id] = nil
        let record = entries[number]
        entries.remove(number, leaving: .empty)
        return record
    }

    private mutating func insert(_ record: TaskRecord, for id: TaskID) {
        numbers[id] = entries.insert(record)
    }
}
