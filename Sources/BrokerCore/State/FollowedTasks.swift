import BusProtocol
import TaskTree

/// What viewers follow: the jobs and parents whose tasks they see, and the jobs whose messages they see.
struct FollowedTasks {
    private var hasBoard = false
    private var parents: Set<TaskID> = []
    private var jobs: Set<TaskID> = []
    /// Jobs whose messages are followed.
    private(set) var logs: [TaskID] = []

    init(_ topics: some Sequence<Topic>) {
        for topic in topics {
            switch topic {
            case .board: hasBoard = true
            case .children(let parent, _): parents.insert(parent)
            case .job(let job), .states(let job, _): jobs.insert(job)
            case .log(let job): logs.append(job)
            case .totals, .attention, .hosts, .probe: break
            }
        }
    }

    /// Whether no task is followed.
    var isEmpty: Bool { !hasBoard && parents.isEmpty && jobs.isEmpty }

    /// Whether one of the topics may show the task whose record has this number.
    func mayShow(_ number: PoolNumber, of records: borrowing TaskRecords) -> Bool {
        let parent = records[number].parent
        if hasBoard, parent == nil { return true }
        if !parents.isEmpty, let parent, parents.contains(parent) { return true }
        guard !jobs.isEmpty, let job = records[number].job else { return false }
        return jobs.contains(job)
    }
}
