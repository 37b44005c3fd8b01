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
    /// Ended jobs that stay until a person dismisses them.
    var undismissed = EndedJobs()
}
