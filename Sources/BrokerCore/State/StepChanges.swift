import TaskTree

/// What one step changed, gathered over its passes.
struct StepChanges {
    var described: Set<TaskID> = []
    var progressed: Set<TaskID> = []
    var removed: [RemovedTask] = []
    /// Tasks that another child took the place of, and where they were.
    var displaced: [(id: TaskID, parent: TaskID, place: Int)] = []

    var isEmpty: Bool {
        described.isEmpty && progressed.isEmpty && removed.isEmpty && displaced.isEmpty
    }

    mutating func merge(_ other: StepChanges) {
        described.formUnion(other.described)
        progressed.formUnion(other.progressed)
        removed += other.removed
        displaced += other.displaced
    }
}

/// A task that has left, and where viewers saw it.
struct RemovedTask {
    let id: TaskID
    let record: TaskRecord
    let parent: TaskID?
    let job: TaskID?
    let reason: String
}
