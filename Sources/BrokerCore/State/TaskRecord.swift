import TaskTree

/// What the broker keeps of a task beside the tree: when it saw what, and where it is shown.
///
/// There may be a million of them, so that what few tasks have is kept apart.
struct TaskRecord {
    var observation: TaskObservation
    // Here, as the observation does not end with a whole word.
    var placeUse = PlaceUse.kept
    var isStalled = false
    /// Whether a look at its stall limit is already among the timers.
    var isWatched = false
    var needsAttention = false
    var isDismissed = false
    /// The step at which its description, place or slot last changed.
    var descriptionStep: UInt64
    /// The step at which anything of it last changed.
    var progressStep: UInt64
    private var rare = Apart<Rare>()
    var lastDetailRevision: UInt16 = 0
    /// The number of its home, which ``TaskRecords`` has.
    var home = Homes.nowhere
    /// 0: none.
    private var placeNumber: Int32 = 0
    private var cellNumber: Int32 = 0

    private struct Rare {
        var slot: Int?
        var key = ""
        var statedEnd: Double?
        var leaving: String?
        var askedToStop: TaskID?
        var isCancelledUnbegun = false
        var attempt: UInt32 = 1
    }

    init(at now: Moment, step: UInt64) {
        observation = TaskObservation(at: now)
        descriptionStep = step
        progressStep = step
    }

    /// In the place of one that has been taken out.
    static let empty = TaskRecord(at: Moment(nanoseconds: 0), step: 0)
}

extension TaskRecord {
    /// Children only: the row in the parent's block, from 1.
    var place: Int? {
        get { placeNumber == 0 ? nil : Int(placeNumber) }
        set { placeNumber = Int32(clamping: newValue ?? 0) }
    }

    /// Children only: the cell in the job's mosaic, from 1.
    var cell: Int? {
        get { cellNumber == 0 ? nil : Int(cellNumber) }
        set { cellNumber = Int32(clamping: newValue ?? 0) }
    }

    /// Jobs only.
    var slot: Int? {
        get { rare.read(\.slot) ?? nil }
        set { setRare(\.slot, newValue) }
    }

    /// Jobs only.
    var key: String {
        get { rare.read(\.key) ?? "" }
        set { setRare(\.key, newValue) }
    }

    /// From 1; 0 of a ticket that nobody has redeemed.
    var attempt: UInt32 {
        get { rare.read(\.attempt) ?? 1 }
        set { setRare(\.attempt, newValue) }
    }

    /// When it ended by the owner's clock, Unix seconds, if the owner said so.
    var statedEnd: Double? {
        get { rare.read(\.statedEnd) ?? nil }
        set { setRare(\.statedEnd, newValue) }
    }

    /// Why it is leaving, once that is decided.
    var leaving: String? {
        get { rare.read(\.leaving) ?? nil }
        set { setRare(\.leaving, newValue) }
    }

    /// Under which name its owner has been asked to stop it; another attempt is another name.
    var askedToStop: TaskID? {
        get { rare.read(\.askedToStop) ?? nil }
        set { setRare(\.askedToStop, newValue) }
    }

    /// A ticket that somebody cancelled before it was redeemed.
    var isCancelledUnbegun: Bool {
        get { rare.read(\.isCancelledUnbegun) ?? false }
        set { setRare(\.isCancelledUnbegun, newValue) }
    }

    private mutating func setRare<Value: Equatable>(
        _ field: WritableKeyPath<Rare, Value>,
        _ value: Value
    ) {
        guard !rare.isEmpty || value != Rare()[keyPath: field] else { return }
        rare.change(from: Rare()) { $0[keyPath: field] = value }
    }
}

/// What the broker keeps of a job beside its record.
struct JobRecord {
    private var cells = PlaceBook()
    var taskInCell = TasksByPlace()
    var log: [LoggedLine] = []
    /// Of the same job, if one has failed and nobody has dismissed that.
    var earlierRuns: EarlierRuns?

    // Cells count from 1, the book from 0.

    mutating func assignCell() -> Int { cells.assign() + 1 }
    mutating func claimCell(_ cell: Int) -> Bool { cells.claim(cell - 1) }
    mutating func releaseCell(_ cell: Int) { cells.release(cell - 1) }
}

/// One message of a task, with the step at which it arrived.
struct LoggedLine {
    let task: TaskID
    let text: String
    let time: Double
    let step: UInt64
}
