import ProgressBus
import TaskTree

/// What keys do at this moment, for the footer.
extension DashboardModel {
    /// The task of the cursor, if it is to be seen.
    var selectedRow: TaskSnapshot? {
        isSelectedHidden ? nil : selected.flatMap { store.rows[$0] }
    }

    /// Whether a job that is known here has ended.
    var hasEndedJob: Bool { store.rows.values.contains { $0.parent == nil && $0.state.isEnded } }

    /// What Enter does in the row of the cursor, in the tree of a job.
    var meaningOfChoice: String? {
        guard let job, let line = job.line else { return nil }
        if line.content == .rest { return "next page" }
        if line.isUnfolded { return line.content == .job ? nil : "fold" }
        guard let row = store.rows[job.task(at: line, in: store) ?? job.job] else { return nil }
        return row.isParent ? "unfold" : "details"
    }

    /// Whether the pane was opened last, and not the view.
    var isPaneInFront: Bool { pane != nil && paneOpener == view }

    /// Where Esc leads; `nil` if nowhere.
    var meaningOfBack: String? {
        if !filter.isEmpty { return "show all" }
        if isPaneInFront { return "close" }
        return view == .board ? nil : "back"
    }
}
