import ProgressBus
import TaskTree

/// What keys do at this moment, for the footer.
extension DashboardModel {
    var selectedRow: TaskSnapshot? { selected.flatMap { store.rows[$0] } }

    /// What Enter does in the row of the cursor, in the tree of a job.
    var meaningOfChoice: String? {
        guard let job, let line = job.line else { return nil }
        if line.content == .rest { return "next page" }
        if line.isUnfolded { return line.content == .job ? nil : "fold" }
        guard let row = store.rows[job.task(at: line, in: store) ?? job.job] else { return nil }
        return row.isParent ? "unfold" : "details"
    }

    /// Where Esc leads; `nil` if nowhere.
    var meaningOfBack: String? {
        if !filter.isEmpty { return "show all" }
        if pane != nil { return "close" }
        return view == .board ? nil : "back"
    }
}
