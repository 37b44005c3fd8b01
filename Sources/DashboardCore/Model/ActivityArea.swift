import ProgressBus
import TaskTree

/// The header cells of background tasks: each task keeps its cell until it ends or loses its row.
struct ActivityArea: Equatable, Sendable {
    static let limit = 16

    var cells: [TaskID?] = []
    /// The cell whose name is shown.
    var focus: Int?
    /// The cell whose name was shown last; -1 is before all of them.
    private var lastFocus = -1

    mutating func take(_ store: TaskStore) {
        let tasks = store.rows.values.filter { $0.options.isBackground && !$0.state.isEnded }
            .map(\.id)
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

    /// Shows the name of the next cell that holds a task; returns false if no cell does.
    mutating func focusNext() -> Bool {
        let used = cells.indices.filter { cells[$0] != nil }
        guard let next = used.next(after: lastFocus, by: 1) else { return false }
        (focus, lastFocus) = (next, next)
        return true
    }
}
