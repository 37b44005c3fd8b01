import ProgressBus
import TaskTree

/// Requests and questions that the bus has not answered yet, by their numbers; the search for a filter is in
/// the job that it searches.
struct PendingAnswers: Sendable {
    var requests: [Int: PendingRequest] = [:]
    var searches: [Int: PendingSearch] = [:]
    private var last = 0

    /// Another number for each question.
    mutating func nextNumber() -> Int {
        last += 1
        return last
    }
}

/// A request on its way and the title of the task it is for; `nil` where it is one of many.
struct PendingRequest: Equatable, Sendable {
    var request: TaskRequest
    var title: String?
}

/// Why a task is looked for.
enum PendingSearch: Equatable, Sendable {
    /// To open its job.
    case open
    /// To name a cell of the mosaic, and to show its task in its tree where that was asked meanwhile.
    case cell(Int, opens: Bool)
    /// To say who has said something.
    case name(TaskID)
}
