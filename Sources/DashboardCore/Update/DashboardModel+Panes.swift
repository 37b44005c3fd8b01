import ProgressBus
import TaskTree

/// What is shown beside the view.
extension DashboardModel {
    /// Opens a pane, or closes it if it is open.
    mutating func toggle(_ wanted: Pane.Content) {
        pane.toggle(wanted, in: view)
        paneChanged()
        guard pane.content != nil, layout.pane.height == 0 else { return }
        pane.close()
        say("there is no room for it; a higher window has some")
    }

    mutating func paneChanged() {
        let body = layout.body
        inTree { $0.keepCursorVisible(bodyHeight: $2) }
        mosaic?.keepCursorVisible(in: body)
    }

    /// Feeds the plot of the selected task; that of a frozen picture stands still with it.
    mutating func plotSelected() {
        guard frozen == nil else { return }
        let row = pane.content == .details ? selected.flatMap { store.rows[$0] } : nil
        pane.observe(row, at: now)
    }

    /// Names the next of the tasks that run in the background.
    mutating func focusActivity() {
        if !activity.focusNext() { say("nothing runs in the background") }
    }

    mutating func refresh() {
        guard frozen == nil else {
            actions.append(.redraw)
            return say("the picture is frozen; f goes on")
        }
        actions += [.refresh, .redraw]
        say("asked for a fresh picture")
    }
}
