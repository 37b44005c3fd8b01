/// The words used as units, each with a small number and a count of its users.
struct UnitTable: Sendable {
    private var numbers: [String: PoolNumber] = [:]
    private var entries = Pool<(name: String, users: Int)>()

    var count: Int { numbers.count }

    /// Adds a user to a unit and returns its number; the empty unit has none.
    mutating func retain(_ name: String) -> PoolNumber {
        guard !name.isEmpty else { return noNumber }
        if let number = numbers[name] {
            entries[number].users += 1
            return number
        }
        let number = entries.insert((name, 1))
        numbers[name] = number
        return number
    }

    /// Removes a user of a unit; a number without users is free for another unit.
    ///
    /// Sums that still contain amounts under the number take them out under the same number when
    /// the tree settles, so an early second use does no harm.
    mutating func release(_ number: PoolNumber) {
        guard number >= 0 else { return }
        entries[number].users -= 1
        guard entries[number].users == 0 else { return }
        numbers[entries[number].name] = nil
        entries.remove(number, leaving: ("", 0))
    }

    func name(_ number: PoolNumber) -> String {
        number < 0 ? "" : entries[number].name
    }
}

/// The exact sum of amounts under one unit.
struct UnitTotal: Hashable, Sendable {
    var unit: PoolNumber
    /// How many children and folds it comes from.
    var sources: Int
    var completed: Int128
    var total: Int128
}

/// Sums by unit: the first unit in place, further ones in a table.
struct UnitTotals: Equatable, Sendable {
    private var first = UnitTotal(unit: noNumber, sources: 0, completed: 0, total: 0)
    private var others: [PoolNumber: UnitTotal] = [:]

    mutating func add(unit: PoolNumber, completed: Int128, total: Int128, times sign: Int) {
        guard unit >= 0 else { return }
        if first.sources == 0 || first.unit == unit {
            if first.sources == 0, others[unit] == nil { first.unit = unit }
            if first.unit == unit {
                Self.add(to: &first, completed, total, sign)
                return
            }
        }
        var entry =
            others[unit] ?? UnitTotal(unit: unit, sources: 0, completed: 0, total: 0)
        Self.add(to: &entry, completed, total, sign)
        others[unit] = entry.sources == 0 ? nil : entry
    }

    /// Changes the sums of a unit by the difference in one child's amounts.
    mutating func change(unit: PoolNumber, completed: Int128, total: Int128) {
        guard unit >= 0 else { return }
        if first.sources != 0, first.unit == unit {
            first.completed &+= completed
            first.total &+= total
        } else {
            others[unit]?.completed &+= completed
            others[unit]?.total &+= total
        }
    }

    private static func add(
        to entry: inout UnitTotal,
        _ completed: Int128,
        _ total: Int128,
        _ sign: Int
    ) {
        entry.sources &+= sign
        entry.completed &+= Int128(sign) &* completed
        entry.total &+= Int128(sign) &* total
    }

    mutating func add(_ other: UnitTotals) {
        for entry in other.all {
            add(unit: entry.unit, completed: entry.completed, total: entry.total, times: 1)
        }
    }

    /// All sums, in order of unit number; none if there are more than `UnitSum.limit`.
    var entries: [UnitTotal] {
        // Nearly all tasks have no children, and so no sums.
        guard !isEmpty else { return [] }
        guard others.count + (first.sources == 0 ? 0 : 1) <= UnitSum.limit else { return [] }
        return all.sorted { $0.unit < $1.unit }
    }

    private var isEmpty: Bool { first.sources == 0 && others.isEmpty }

    private var all: [UnitTotal] {
        (first.sources == 0 ? [] : [first]) + others.values
    }

    static func == (left: UnitTotals, right: UnitTotals) -> Bool {
        left.all.sorted { $0.unit < $1.unit } == right.all.sorted { $0.unit < $1.unit }
    }
}
