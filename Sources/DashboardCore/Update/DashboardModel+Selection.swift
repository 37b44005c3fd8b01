import ProgressBus
import TaskTree

/// The task that the cursor is on.
extension DashboardModel {
    /// The task in the row of the cursor at this moment.
    var selected: TaskID? {
        switch view {
        case .board: return store.inSlot[board.slot]
        case .ordered:
            guard let ordered, let rows = ordered.rows, rows.indices.contains(ordered.cursor),
                store.rows[rows[ordered.cursor]] != nil
            else { return nil }
            return rows[ordered.cursor]
        case .job: return job.flatMap { job in job.line.flatMap { job.task(at: $0, in: store) } }
        case .mosaic:
            return selectedCell?.task
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
    /// person chose it: the key that was meant for the former must not hit its successor. `nil` too
    /// if the task has ended, left or begun again since the picture was frozen.
    mutating func target(at now: Moment) -> TaskSnapshot? {
        let task = selected
        guard let task, let row = store.rows[task] else {
            let isCell = view == .mosaic && task != nil
            note = Note(
                isCell
                    ? "Enter shows the task in its tree, where it can be asked"
                    : "there is no task in this row",
                at: now
            )
            return nil
        }
        if isSelectedHidden {
            note = Note("the filter hides what is in this row; Esc shows it", at: now)
            return nil
        }
        if let change = changeSinceFrozen(row) {
            note = Note(
                "\"\(row.title)\" has \(change) since the picture was frozen; f goes on",
                at: now
            )
            return nil
        }
        if let bound, bound != task {
            bind()
            note = Note("this row now shows \"\(row.title)\"; press the key again for it", at: now)
            return nil
        }
        bind()
        return row
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
