import ProgressBus
import TaskTree

/// What the person is typing in the footer.
enum Prompt: Equatable, Sendable {
    case slot(String)
    case filter(String)
}

/// A line in the footer about what just happened, gone after a while.
struct Note: Equatable, Sendable {
    static let life = 6.0

    var text: String
    var until: Moment

    init(_ text: String, at now: Moment) {
        self.text = text
        until = now.advanced(bySeconds: Self.life)
    }
}

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

/// A job whose end is to be told.
struct Alert: Equatable, Sendable {
    var title: String
    /// Where it was seen last.
    var slot: Int?
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
    var slot: Int
    var job: TaskID?
    var line: Int?
    var cell: Int?
}

/// The cells of work on the side: each task keeps its own until it is gone.
struct ActivityArea: Equatable, Sendable {
    static let limit = 16

    var cells: [TaskID?] = []
    /// The cell whose name is shown.
    var focus: Int?

    mutating func take(_ store: TaskStore) {
        let tasks = store.rows.values.filter { $0.options.isBackground && !$0.state.isEnded }.map(
            \.id
        )
        let known = Set(tasks)
        cells = cells.map { cell in cell.flatMap { known.contains($0) ? $0 : nil } }
        while cells.last == .some(nil) { cells.removeLast() }
        let held = Set(cells.compactMap { $0 })
        for task in tasks.sorted() where !held.contains(task) {
            if let free = cells.firstIndex(where: { $0 == nil }) {
                cells[free] = task
            } else if cells.count < Self.limit {
                cells.append(task)
            }
        }
        if let index = focus, index >= cells.count { focus = nil }
    }
}
