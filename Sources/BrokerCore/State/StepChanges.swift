import BusProtocol
import TaskTree

/// What one step changed, gathered over its passes.
struct StepChanges {
    /// Some may be in a list twice.
    var described: [TaskID] = []
    var progressed: [TaskID] = []
    var removed: [RemovedTask] = []
    /// Tasks that are shown elsewhere now, and where they were.
    var displaced: [(id: TaskID, topic: Topic)] = []

    var isEmpty: Bool {
        described.isEmpty && progressed.isEmpty && removed.isEmpty && displaced.isEmpty
    }

    mutating func merge(_ other: StepChanges) {
        described += other.described
        progressed += other.progressed
        removed += other.removed
        displaced += other.displaced
    }
}

/// A task that has left, and where viewers saw it.
struct RemovedTask {
    let id: TaskID
    let record: TaskRecord
    let reason: String
}
