import ProgressBus
import TaskTree

/// What the person is typing in the footer.
enum Prompt: Equatable, Sendable {
    case slot(String)
    case filter(String)
}

/// The question before a task is asked to stop; it is about the task, whatever is in its row now.
struct CancelDialog: Equatable, Sendable {
    enum Choice: Equatable, Sendable, CaseIterable {
        case keepGoing, pauseInstead, cancelTask
    }

    let task: TaskID
    let title: String
    /// What is lost, in the words of the task.
    let consequence: String
    /// How many tasks below are stopped with it.
    let below: Int
    let choices: [Choice]
    var chosen = Choice.keepGoing

    init(_ row: TaskSnapshot) {
        task = row.id
        title = row.title
        consequence = row.options.consequence
        below = row.counts.running + row.counts.waiting
        choices =
            row.options.isPausable && row.state == .running
            ? Choice.allCases : [.keepGoing, .cancelTask]
    }

    mutating func choose(by step: Int) {
        guard let index = choices.firstIndex(of: chosen) else { return }
        chosen = choices[min(max(index + step, 0), choices.count - 1)]
    }
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
}

/// Why a task is looked for.
enum PendingSearch: Equatable, Sendable {
    /// To put the cursor on it, if that is still where it was.
    case jump(from: CursorPlace)
    /// To open its job.
    case open
    /// To name a cell of the mosaic.
    case cell(Int)
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
