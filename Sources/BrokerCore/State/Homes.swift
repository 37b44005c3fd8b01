import TaskTree

/// Where viewers see a task.
struct Home: Hashable {
    /// None for a job.
    var parent: TaskID?
    var job: TaskID?

    static let nowhere = Home()
}

/// The homes of very many tasks: as brothers and sisters have the same, each is kept once, with how
/// many live there.
struct Homes {
    /// Of the home of those that are nowhere.
    static let nowhere: Int32 = 0

    private var homes = [Home.nowhere]
    /// Of the one that is nowhere's, nothing.
    private var tenants = [0]
    private var numbers: [Home: Int32] = [:]
    private var free: [Int32] = []

    /// The home under a number that ``enter(_:)`` gave and nobody has left as the last.
    subscript(number: Int32) -> Home {
        _read { yield homes[Int(number)] }
    }

    /// How many homes have somebody.
    var count: Int { numbers.count }

    /// One more lives there; returns its number.
    mutating func enter(_ home: Home) -> Int32 {
        guard home != .nowhere else { return Self.nowhere }
        if let number = numbers[home] {
            tenants[Int(number)] += 1
            return number
        }
        let number: Int32
        if let freed = free.popLast() {
            number = freed
            homes[Int(number)] = home
            tenants[Int(number)] = 1
        } else {
            number = Int32(homes.count)
            homes.append(home)
            tenants.append(1)
        }
        numbers[home] = number
        return number
    }

    /// One less lives there; after the last one the number may be another home's.
    mutating func leave(_ number: Int32) {
        guard number != Self.nowhere else { return }
        tenants[Int(number)] -= 1
        guard tenants[Int(number)] == 0 else { return }
        numbers[homes[Int(number)]] = nil
        homes[Int(number)] = .nowhere
        free.append(number)
    }
}
