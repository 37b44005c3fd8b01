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
    var placesToTell: [SessionID: [ToldPlace]] = [:]
    /// Ended jobs that stay until a person dismisses them.
    var undismissed = EndedJobs()
    /// Jobs that are shown no more, of which not everything is out of the tree yet, and why they left.
    var leaving: [TaskID: String] = [:]
    /// How many tasks may be taken out of it before the next tick.
    var leavingRoom = 0
}

/// Where a task is shown, as its owner is told.
struct ToldPlace: FrameEntry {
    let index: UInt64
    let place: UInt32
    let cell: UInt32

    /// A number of 64 bits and two of 32.
    var mostBytes: Int { 20 }
}
