import ProgressBus
import TaskTree

/// A request on its way and the title of the task it is for.
struct PendingRequest: Equatable, Sendable {
    var request: TaskRequest
    var title: String
    var isOneOfMany = false
}

/// What is asked of many jobs, a few at a time.
struct Dismissal: Sendable {
    /// What the broker is asked at once; the others wait for the answers.
    static let mostAtOnce = 8

    /// Whether the jobs that have ended are still being counted.
    var isCounting = true
    var waiting: [TaskID] = []
    var underWay = 0
    var done = 0
    /// What was said of those that stay, and how many they are.
    var refused: (count: Int, words: String) = (0, "")
}

/// Why a task is looked for.
enum PendingSearch: Equatable, Sendable {
    /// To put the cursor on it, if that is still where it was.
    case jump(from: CursorPlace)
    /// To open its job.
    case open
    /// To name a cell of the mosaic.
    case cell(Int)
    /// To say who has said something.
    case name(TaskID)
}

/// A place of the cursor in a view.
struct CursorPlace: Equatable, Sendable {
    var view: DashboardModel.View
    /// The job that is open, or whose mosaic is.
    var job: TaskID?
    var place: Int
}

/// A job whose end is to be told.
struct Alert: Equatable, Sendable {
    var title: String
    /// Where it was seen last.
    var slot: Int?
}
