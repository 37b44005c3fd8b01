import TaskTree

/// The records of all tasks, each with a number by which it is reached at once.
///
/// A number is that of the same task until its record is removed, and then may become another's.
struct TaskRecords {
    typealias Cursor = TaskTable.Cursor

    private var numbers = TaskTable()
    private var entries: [TaskRecord] = []
    private var free: [Int32] = []
    private var homes = Homes()

    /// Everything known of one task; `nil` removes it.
    subscript(id: TaskID) -> TaskRecord? {
        get { numbers[id].map { entries[Int($0)] } }
        set {
            guard let newValue else {
                remove(id)
                return
            }
            if let number = numbers[id] {
                let home = entries[Int(number)].home
                entries[Int(number)] = newValue
                entries[Int(number)].home = home
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
            var record: TaskRecord? = entries[Int(number)]
            let home = entries[Int(number)].home
            entries[Int(number)] = TaskRecord.empty
            yield &record
            entries[Int(number)] = record ?? .empty
            entries[Int(number)].home = home
            if record == nil { remove(id) }
        }
    }

    /// The number of a task that is probably a neighbour of the one asked for last.
    func number(of id: TaskID, near cursor: inout Cursor) -> Int? {
        numbers.number(of: id, near: &cursor).map(Int.init)
    }

    /// Where a task is among the records, to name it by in few bytes; see ``TaskTable``.
    func position(of id: TaskID) -> Int32? { numbers.position(of: id) }

    /// The task that is there now.
    func id(at position: Int32) -> TaskID? { numbers.id(at: position) }

    /// The record under a number that `number(of:near:)` has just given.
    subscript(number: Int) -> TaskRecord {
        _read { yield entries[number] }
        _modify { yield &entries[number] }
    }

    /// Where viewers see a task; kept for when it has left the tree and they must be told.
    func home(of record: borrowing TaskRecord) -> Home { homes[record.home] }

    /// The same of the task whose record is under this number.
    func home(of number: Int) -> Home { homes[entries[number].home] }

    /// A task is seen elsewhere from now on.
    mutating func move(_ id: TaskID, to home: Home) {
        guard let number = numbers[id] else { return }
        let former = entries[Int(number)].home
        entries[Int(number)].home = homes.enter(home)
        homes.leave(former)
    }

    /// How many there are.
    var count: Int { numbers.count }

    /// Whether a look at the stall limit of the task at a position is awaited.
    func isWatched(at position: Int32) -> Bool {
        guard let id = numbers.id(at: position), let number = numbers[id] else { return false }
        return entries[Int(number)].isWatched
    }

    /// The tasks whose records pass, in no order.
    func ids(where passes: (TaskRecord) -> Bool) -> [TaskID] {
        numbers.all.filter { passes(entries[Int($0.number)]) }.map(\.id)
    }

    /// The first ids in order that begin like this, not more than `limit`.
    func ids(beginningWith prefix: TaskIDPrefix, limit: Int) -> [TaskID] {
        numbers.ids(beginningWith: prefix, limit: limit)
    }

    @discardableResult
    mutating func remove(_ id: TaskID) -> TaskRecord? {
        guard let number = numbers[id] else { return nil }
        numbers[id] = nil
        free.append(number)
        let record = entries[Int(number)]
        entries[Int(number)] = .empty
        homes.leave(record.home)
        return record
    }

    private mutating func insert(_ record: TaskRecord, for id: TaskID) {
        var record = record
        record.home = Homes.nowhere
        if let number = free.popLast() {
            entries[Int(number)] = record
            numbers[id] = number
        } else {
            numbers[id] = Int32(entries.count)
            entries.append(record)
        }
    }
}
