import BusProtocol
import TaskTree

/// Where jobs, children and cells are shown.
struct BoardLayout {
    var slots = SlotBook()
    /// The job in each of the broker's own slots; `pages` says where on the board a slot is.
    var jobInSlot: [Int: TaskID] = [:]
    var pages = BoardPages()
    var fleet = FleetBoard()
    var parts = FleetParts()
    /// When the broker last looked for parts, and when it last looked among the jobs too.
    var partsSought = Moment(nanoseconds: 0)
    var jobsSought = Moment(nanoseconds: 0)
    var jobs: [TaskID: JobRecord] = [:]
    var logs = JobLogs()
    /// The places of each parent's children.
    var places: [TaskID: ChildPlaces] = [:]
    /// Parents with a child whose ``PlaceUse`` has changed since the last `thinOutPlaces`.
    var crowdedParents: Set<TaskID> = []
    /// Places that the broker has yet to tell the owners of the tasks.
    var placesToTell: [SessionID: [ToldPlace]] = [:]
    /// Ended jobs that stay until a person dismisses them.
    var undismissed = UndismissedJobs()
    /// Jobs that have left the board but are still partly in the tree, with the reason why each
    /// left.
    var leaving: [TaskID: String] = [:]
    /// How many tasks may be taken out of the tree before the next tick.
    var leavingRoom = 0
}

extension BoardLayout {
    /// The jobs on one page: those of this broker and of other brokers.
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

/// The place and cell of a task, as the broker tells its owner.
struct ToldPlace: FrameEntry {
    let index: UInt64
    let place: UInt32
    let cell: UInt32

    /// A number of 64 bits and two of 32.
    var mostBytes: Int { 20 }
}
