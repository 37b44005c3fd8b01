import ProgressBus
import TaskTree

/// The task that the cursor is on.
extension DashboardModel {
    /// The task in the row of the cursor at this moment.
    var selected: TaskID? { view == .mosaic ? selectedCell?.task : task(at: cursor) }

    /// The task in a place of the view, where that is a row.
    func task(at place: Int) -> TaskID? {
        switch view {
        case .board: return store.inSlot[place]
        case .ordered:
            guard let rows = ordered?.rows, rows.indices.contains(place),
                store.rows[rows[place]] != nil
            else { return nil }
            return rows[place]
        case .job:
            let lines = job?.lines ?? []
            guard lines.indices.contains(place) else { return nil }
            return job?.task(at: lines[place], in: store)
        case .mosaic: return nil
        }
    }

    /// The task in the cell of the cursor, once the broker has said who that is.
    var selectedCell: TaskMatch? {
        guard view == .mosaic, let mosaic, let named = mosaic.named, named.cell == mosaic.cell
        else { return nil }
        return named.task
    }

    /// The task that the person put the cursor on.
    var bound: TaskID? {
        switch view {
        case .board: board.bound
        case .job: job?.bound
        case .ordered, .mosaic: selected
        }
    }

    /// The row an action is for.
    ///
    /// `nil` if there is none, and, with a note, if another task has come into the row since the
    /// person chose it: the key that was meant for the former must not hit its successor.
    mutating func target() -> TaskSnapshot? {
        let task = selected
        guard let task, let row = store.rows[task] else {
            let isCell = view == .mosaic && task != nil
            return refuse(
                isCell
                    ? "Enter shows the task in its tree, where it can be asked"
                    : "there is no task in this row"
            )
        }
        if isSelectedHidden { return refuse("the filter hides what is in this row; Esc shows it") }
        if let bound, bound != task {
            bind()
            return refuse("this row now shows \"\(row.title)\"; press the key again for it")
        }
        bind()
        return row
    }

    private mutating func refuse(_ reason: String) -> TaskSnapshot? {
        say(reason)
        return nil
    }

    /// Puts the cursor on what is in its row now.
    mutating func bind() {
        let present = selected
        switch view {
        case .board: board.bound = present
        case .job: job?.bound = present
        case .ordered, .mosaic: break
        }
    }
}
