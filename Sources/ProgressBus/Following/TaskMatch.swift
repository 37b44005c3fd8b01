public import TaskTree

/// A task that a selector names, with the way to it.
public struct TaskMatch: Sendable, Hashable {
    /// The task.
    public var task: TaskID
    /// The job it belongs to.
    public var job: TaskID
    /// Its title.
    public var title: String
    /// Its key.
    public var key: String
    /// The slot of its job.
    package var slot: Int?
    /// The tasks from the job down to its parent; empty for a job.
    package var path: [TaskID]
    /// As many: the place of `path[1]` in `path[0]` and so on, last its own; 0 for none.
    package var places: [Int]

    package init(
        task: TaskID,
        job: TaskID,
        title: String,
        key: String = "",
        slot: Int?,
        path: [TaskID] = [],
        places: [Int] = []
    ) {
        self.task = task
        self.job = job
        self.title = title
        self.key = key
        self.slot = slot
        self.path = path
        self.places = places
    }
}
