import TaskTree
import TimeLeft

/// What the broker keeps of a task beside the tree: when it saw what, and where it is shown.
///
/// There may be a million: small fields stand where large ones would leave a gap.
struct TaskRecord {
    var observation: TaskObservation
    /// From 1; 0 of a ticket that nobody has redeemed.
    var attempt: UInt32 = 1
    /// The task below which viewers see it; kept for when it has left the tree and they must be told.
    var parent: TaskID?
    var isStalled = false
    /// Whether a look at its stall limit is already among the timers.
    var isWatched = false
    var needsAttention = false
    var isDismissed = false
    /// A ticket that somebody cancelled before it was redeemed.
    var isCancelledUnbegun = false
    var placeUse = PlaceUse.kept
    /// The job in which viewers see it; kept as its parent is.
    var job: TaskID?
    /// Children only: the row in the parent's block, from 1.
    var place: Int?
    /// Children only: the cell in the job's mosaic, from 1.
    var cell: Int?
    /// Jobs only.
    var slot: Int?
    var key = ""
    var lastDetail = ""
    /// When it ended by the owner's clock, Unix seconds, if the owner said so.
    var statedEnd: Double?
    /// Why it is leaving, once that is decided.
    var leaving: String?
    /// Under which name its owner has been asked to stop it; another attempt is another name.
    var askedToStop: TaskID?
    /// The step at which its description, place or slot last changed.
    var descriptionStep: UInt64
    /// The step at which anything of it last changed.
    var progressStep: UInt64

    init(at now: Moment, step: UInt64) {
        observation = TaskObservation(at: now)
        descriptionStep = step
        progressStep = step
    }

    /// In the place of one that has been taken out.
    static let empty = TaskRecord(at: Moment(nanoseconds: 0), step: 0)
}

/// What the broker keeps of a job beside its record.
struct JobRecord {
    private var cells = PlaceBook()
    var taskInCell: [Int: TaskID] = [:]
    /// Of the same job, if one has failed and nobody has dismissed that.
    var earlierRuns: EarlierRuns?

    // Cells count from 1, the book from 0.

    mutating func assignCell() -> Int { cells.assign() + 1 }
    mutating func claimCell(_ cell: Int) -> Bool { cells.claim(cell - 1) }
    mutating func releaseCell(_ cell: Int) { cells.release(cell - 1) }
}
