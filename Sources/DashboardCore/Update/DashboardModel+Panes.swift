import ProgressBus
import TaskTree

/// What is shown beside the view.
extension DashboardModel {
    /// Opens a pane, or closes it if it is open.
    mutating func toggle(_ wanted: Pane) {
        pane = pane == wanted ? nil : wanted
        paneOpener = view
        paneChanged()
        guard pane != nil, layout.pane.height == 0 else { return }
        pane = nil
        say("there is no room for it; a higher window has some")
    }

    mutating func paneChanged() {
        let body = layout.body
        inTree { $0.keepCursorVisible(bodyHeight: $2) }
        mosaic?.keepCursorVisible(in: body)
    }

    /// Names the next of the tasks that run in the background.
    mutating func focusActivity() {
        let used = activity.cells.indices.filter { activity.cells[$0] != nil }
        guard let focus = used.next(after: lastFocus ?? -1, by: 1) else {
            return say("nothing runs in the background")
        }
        activity.focus = focus
        lastFocus = focus
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
