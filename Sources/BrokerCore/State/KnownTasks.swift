import BusProtocol
import TaskTree

/// What is known of tasks that cannot be shown yet, and which shown tasks are to be looked at
/// again.
struct KnownTasks {
    /// What owners have said of tasks that have no row yet; see ``StatedFacts``.
    var facts: [TaskID: StatedFacts] = [:]
    /// What the journal says about live jobs: their keys and slots.
    var jobs: [TaskID: KnownJob] = [:]
    /// Bindings in the journal whose job was not known when they were written.
    var bindingsWithoutJob: Set<TaskID> = []
    /// Rows in the journal whose job, or place in it, was not known when they were written.
    var rowsWithoutPlace: [TaskID: [UInt8]] = [:]
    /// Tasks that were dismissed before this broker began.
    var dismissed: Set<TaskID> = []
    /// When each task without a known parent was first seen; after a while it is shown as a job.
    var unattachedSince = AgeOrder<TaskID, Moment>()
    /// Shown tasks whose fraction may still be wrong, because reports about them, or about tasks
    /// below them, from before this broker began are still to be repeated.
    var unobserved: Set<TaskID> = []
    /// Tasks of `unobserved` that the next step looks at again.
    var observable: Set<TaskID> = []

    /// Forgets a reporter of which the tree has no record any more.
    mutating func forget(_ reporter: TaskID) {
        facts[reporter] = nil
        rowsWithoutPlace[reporter] = nil
        bindingsWithoutJob.remove(reporter)
    }

    /// Takes out one thing that an owner has said of a task.
    mutating func takeFact<Fact>(
        _ fact: WritableKeyPath<StatedFacts, Fact?>,
        of reporter: TaskID
    ) -> Fact? {
        guard let taken = facts[reporter]?[keyPath: fact] else { return nil }
        facts[reporter]?[keyPath: fact] = nil
        if facts[reporter]?.isEmpty == true { facts[reporter] = nil }
        return taken
    }
}

/// What an owner has said of a task that the broker uses once the task is shown or has ended.
struct StatedFacts {
    /// The owner's clock, until the task is shown.
    var clock: WireClock?
    /// When it ended, in Unix seconds, until its end is shown.
    var end: Double?
    /// Where an earlier broker showed the task, until the task has a place.
    var claim: PlaceClaim?

    var isEmpty: Bool { clock == nil && end == nil && claim == nil }
}

/// Where a task was shown before this broker began, as its owner or the journal says.
struct PlaceClaim {
    let place: Int?
    let cell: Int?
}

/// What the journal knows of a job that was live when the former broker died.
struct KnownJob {
    let key: String
    /// Nil if another job has the slot: then this job gets a new one.
    var slot: Int?
    var earlierRuns: EarlierRuns?
}
