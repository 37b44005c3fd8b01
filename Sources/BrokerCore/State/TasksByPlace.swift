import TaskTree

/// Which task is at which place, by small numbers from 1.
///
/// Places are given lowest first, so that nearly all are in an array; one that somebody claims far
/// beyond the others costs an entry in a table.
struct TasksByPlace {
    private var near: [OptionalTaskID] = []
    private var far: [Int: TaskID] = [:]

    subscript(place: Int) -> TaskID? {
        get {
            guard place > 0 else { return nil }
            return place <= near.count ? near[place - 1].value : far[place]
        }
        set {
            guard place > 0 else { return }
            if place <= near.count {
                near[place - 1] = OptionalTaskID(newValue)
            } else if let newValue, place == near.count + 1 {
                near.append(OptionalTaskID(newValue))
                takeNeighbours()
            } else {
                far[place] = newValue
            }
        }
    }

    /// Puts a task at a place; returns who was there.
    mutating func put(_ id: TaskID, at place: Int) -> TaskID? {
        let former = self[place]
        self[place] = id
        return former
    }

    /// What was far has become near when all places before it have been taken.
    private mutating func takeNeighbours() {
        while !far.isEmpty, let next = far.removeValue(forKey: near.count + 1) {
            near.append(OptionalTaskID(next))
        }
    }
}
