import ProgressBus
import TaskTree

/// Requests and searches that the bus has not answered yet, by their numbers.
///
/// The search for a filter is in ``JobState/asked``.
struct PendingAnswers: Sendable {
    var requests: [Int: PendingRequest] = [:]
    var searches: [Int: PendingSearch] = [:]
    private var last = 0

    /// A new number for a request or search.
    mutating func nextNumber() -> Int {
        last += 1
        return last
    }
}

/// A request on its way and the title of its task; `nil` if it is one of many dismissals.
struct PendingRequest: Equatable, Sendable {
    var request: TaskRequest
    var title: String?
}

/// Why the dashboard searches for a task.
enum PendingSearch: Equatable, Sendable {
    /// To open its job.
    case open
    /// To name a cell of the mosaic, and with `opens` to show the task of the cell in its tree.
    case cell(Int, opens: Bool)
    /// To name a task that has sent a message.
    case name(TaskID)
}
