import TaskTree

/// Which task is at which place, by small numbers from 1.
///
/// Places are given lowest first, and nearly all tasks side by side are of one session: of those
/// four bytes are kept. Others, and one that somebody claims far beyond the rest, cost an entry in
/// a table.
struct TasksByPlace {
    private static let nobody: UInt32 = 0

    /// Whose indices `near` has.
    private var session: SessionID?
    private var near: [UInt32] = []
    private var others: [Int: TaskID] = [:]

    subscript(place: Int) -> TaskID? {
        get {
            guard place > 0 else { return nil }
            if place <= near.count, near[place - 1] != Self.nobody, let session {
                return TaskID(index: UInt64(near[place - 1]), session: session)
            }
            return others.isEmpty ? nil : others[place]
        }
        set {
            guard place > 0 else { return }
            if newValue != nil, place == near.count + 1 { near.append(Self.nobody) }
            guard place <= near.count else {
                others[place] = newValue
                return
            }
            store(newValue, at: place)
            takeNeighbours()
        }
    }

    /// Puts a task at a place; returns who was there.
    mutating func put(_ id: TaskID, at place: Int) -> TaskID? {
        let former = self[place]
        self[place] = id
        return former
    }

    private mutating func store(_ id: TaskID?, at place: Int) {
        if let id, let index = UInt32(exactly: id.index), index != Self.nobody,
            session ?? id.session == id.session
        {
            session = id.session
            near[place - 1] = index
            if !others.isEmpty { others[place] = nil }
        } else {
            near[place - 1] = Self.nobody
            if id != nil || !others.isEmpty { others[place] = id }
        }
    }

    /// What was far has become near when all places before it have been taken.
    private mutating func takeNeighbours() {
        while !others.isEmpty, let next = others[near.count + 1] {
            near.append(Self.nobody)
            store(next, at: near.count)
        }
    }
}
