import BusProtocol
import TaskTree

/// Whose tasks somebody follows, as far as that is quickly told.
struct FollowedTasks {
    private var hasBoard = false
    private var parents: Set<TaskID> = []
    private var jobs: Set<TaskID> = []

    init(_ topics: some Sequence<Topic>) {
        for topic in topics {
            switch topic {
            case .board: hasBoard = true
            case .children(let parent, _): parents.insert(parent)
            case .job(let job), .states(let job, _): jobs.insert(job)
            case .totals, .attention, .log, .probe: break
            }
        }
    }

    /// Whether one of the topics may show the task.
    func mayShow(_ record: TaskRecord) -> Bool {
        if hasBoard, record.slot != nil { return true }
        if !parents.isEmpty, let parent = record.parent.value, parents.contains(parent) {
            return true
        }
        return !jobs.isEmpty && record.job.value.map(jobs.contains) ?? false
    }
}
