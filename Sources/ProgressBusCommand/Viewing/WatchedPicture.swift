import ProgressBus

/// What `watch` shows at one moment: the whole board, or one task of it.
struct WatchedPicture: Sendable {
    var connection: Board.Connection
    /// The tasks of the top level: all jobs, or the one task.
    var tasks: [TaskSnapshot]
    var left: [Board.Departure] = []
    var messages: [TaskMessage] = []
    /// The tasks that have changed since the picture before; `nil` for all.
    var changed: Set<TaskID>?

    init(_ board: Board, since former: [TaskID: UInt64]) {
        connection = board.connection
        tasks = board.jobs
        left = board.left
        messages = board.messages
        changed = Set(board.revisions.filter { former[$0.key] != $0.value }.keys)
    }

    init(_ update: TaskUpdate) {
        connection = update.connection
        tasks = [update.task]
        messages = update.messages
    }
}
