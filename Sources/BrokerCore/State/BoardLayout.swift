import BusProtocol
import TaskTree

/// Where jobs, children and cells are shown.
struct BoardLayout {
    var slots = SlotBook()
    /// The broker's own slots; where these are on the board `pages` says.
    var jobInSlot: [Int: TaskID] = [:]
    var pages = BoardPages()
    var fleet = FleetBoard()
    var parts = FleetParts()
    /// When parts were looked for last, and when among the jobs.
    var partsSought = Moment(nanoseconds: 0)
    var jobsSought = Moment(nanoseconds: 0)
    var jobs: [TaskID: JobRecord] = [:]
    var logs = JobLogs()
    /// Of the children of each parent.
    var places: [TaskID: ChildPlaces] = [:]
    /// Parents with children that use their places for something else than before.
    var crowdedParents: Set<TaskID> = []
    /// What owners have yet to be told of it.
    var placesToTell: [SessionID: [ToldPlace]] = [:]
    /// Ended jobs that stay until a person dismisses them.
    var undismissed = UndismissedJobs()
    /// Jobs that are shown no more, of which not everything is out of the tree yet, and why they left.
    var leaving: [TaskID: String] = [:]
    /// How many tasks may be taken out of it before the next tick.
    var leavingRoom = 0
}

extension BoardLayout {
    /// The jobs on one page: its own ones, and those of other brokers.
    func jobs(onPage page: Int) -> [TaskID] {
        let others = fleet.jobs(onPage: page)
        guard let own = pages.own(page: page) else { return others.sorted() }
        let first = own * ProtocolLimits.boardSlots + 1
        let jobs = (first..<(first + ProtocolLimits.boardSlots)).compactMap { jobInSlot[$0] }
        return (jobs + others).sorted()
    }

    /// The jobs shown in a slot: one, unless two brokers have claimed one page.
    func jobs(shownIn slot: Int) -> [TaskID] {
        let own = pages.own(slot: slot).flatMap { jobInSlot[$0] }
        return (own.map { [$0] } ?? []) + fleet.ids { $1.slot == UInt32(clamping: slot) }
    }
}

/// Where a task is shown, as its owner is told.
struct ToldPlace: FrameEntry {
    let index: UInt64
    let place: UInt32
    let cell: UInt32

    /// A number of 64 bits and two of 32.
    var mostBytes: Int { 20 }
}
