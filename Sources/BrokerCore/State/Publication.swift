import BusProtocol
import TaskTree

/// What viewers follow, and what the next step is to publish.
struct Publication {
    var topics: [Topic: TopicState] = [:]
    var listings = Listings()
    var stepNumber: UInt64 = 1
    var lastStep: Moment
    /// Whether something urgent came too soon after the last step to be published at once.
    var awaitsEarlyStep = false
    /// Whether something arrived that the next step must look at.
    var isChanged = false
    /// Changes that were settled between steps, for a decision; the next step publishes them.
    var unpublished = StepChanges()
    var totalsChanged = true
    /// Until when no tasks are to be counted by host again.
    var hostsRest = Moment(nanoseconds: 0)
    /// Tasks that need attention, in the order of their ids when published.
    var attention: Set<TaskID> = []
    var attentionChanged = false
    /// Until when the tasks that need attention are not to be listed again.
    var attentionRest = Moment(nanoseconds: 0)
}

/// One subscribed topic.
struct TopicState {
    /// The topic's name in updates.
    let name: String
    /// The sequence of the last update: the number of the step that published it.
    var sequence: UInt64
    /// When the topic's last beat or update was published; `nil`: a beat is due at once.
    var lastBeat: Moment?
    var subscribers = 0
    /// For a task of another broker: when a viewer last asked for a snapshot or got one, or the
    /// broker last had followers ask again.
    var lastAsked: Moment?
    /// Topic `states`: what was published last, so that only what is new is computed and published.
    var cells: [UInt8]?
    /// Topic `hosts`: what was published last, and when it was counted.
    var hosts: WireHosts?
    var counted: Moment?
}

extension Topic {
    static func block(ofPlace place: Int) -> Int { (place - 1) / ProtocolLimits.childPlaces }
    static func block(ofCell cell: Int) -> Int { (cell - 1) / ProtocolLimits.stateCells }
}

/// What one step changed, gathered over its passes.
struct StepChanges {
    /// A task may be in a list twice.
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
