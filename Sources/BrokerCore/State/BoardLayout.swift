import BusProtocol
import TaskTree

/// Where jobs, children and cells are shown.
struct BoardLayout {
    var slots = SlotBook()
    var jobInSlot: [Int: TaskID] = [:]
    var jobs: [TaskID: JobRecord] = [:]
    var logs = JobLogs()
    /// Of the children of each parent.
    var places: [TaskID: ChildPlaces] = [:]
    /// Parents with children that use their places for something else than before.
    var crowdedParents: Set<TaskID> = []
    /// What owners have yet to be told of it.
    var placesToTell: [SessionID: WirePlaces] = [:]
    /// Jobs that have left and have tasks in the tree still, in the order in which they left.
    var leaving: [(job: TaskID, reason: String)] = []
    /// How many more of those may be removed before the next tick.
    var roomToLeave = 0
    /// Ended jobs that stay until a person dismisses them.
    var undismissed = EndedJobs()
}
