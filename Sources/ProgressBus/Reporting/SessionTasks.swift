/// The tasks of a session by their index; not a `Dictionary`, whose hash alone costs as much as
/// everything else that is done for a short child, and which needs three times as much memory.
///
/// Open addressing, at most three quarters full. Indices are our own, so that nobody can choose
/// them to collide.
struct SessionTasks {
    private var slots: [TaskRecord?] = Array(repeating: nil, count: 8)
    /// How many bits of a hash are left out.
    private var shift: UInt64 = 61
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }
    /// In no particular order.
    var values: some Sequence<TaskRecord> { slots.lazy.compactMap { $0 } }

    subscript(index: UInt64) -> TaskRecord? {
        var slot = home(of: index)
        while let record = slots[slot] {
            if record.index == index { return record }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// Adds a task whose index is new.
    mutating func insert(_ record: TaskRecord) {
        if (count + 1) * 4 > slots.count * 3 { grow() }
        place(record)
        count += 1
    }

    @discardableResult
    mutating func remove(_ index: UInt64) -> TaskRecord? {
        var slot = home(of: index)
        while let record = slots[slot] {
            if record.index == index {
                close(slot)
                count -= 1
                return record
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// Empties a slot; what was put further on because of it moves back.
    private mutating func close(_ slot: Int) {
        let mask = slots.count - 1
        var gap = slot
        var next = (slot + 1) & mask
        while let record = slots[next] {
            let way = (next &- home(of: record.index)) & mask
            if way >= (next &- gap) & mask {
                slots[gap] = record
                gap = next
            }
            next = (next + 1) & mask
        }
        slots[gap] = nil
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: nil, count: 2 * old.count)
        shift -= 1
        for case let record? in old { place(record) }
    }

    private mutating func place(_ record: TaskRecord) {
        var slot = home(of: record.index)
        while slots[slot] != nil { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = record
    }

    /// The golden ratio spreads numbers that follow each other evenly.
    private func home(of index: UInt64) -> Int {
        Int(truncatingIfNeeded: (index &* 0x9e37_79b9_7f4a_7c15) >> shift)
    }
}
