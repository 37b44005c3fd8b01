import ProgressBus
import TaskTree

/// What is shown beside the view, or instead of it.
extension DashboardModel {
    /// Opens a pane, or closes it if it is open.
    mutating func toggle(_ wanted: Pane, at now: Moment) {
        pane = pane == wanted ? nil : wanted
        paneOpener = view
        paneChanged()
        guard pane != nil, layout.pane.height == 0 else { return }
        pane = nil
        note = Note("there is no room for it; a higher window has some", at: now)
    }

    mutating func paneChanged() {
        let body = layout.body
        job?.keepCursorVisible(bodyHeight: body.height)
        mosaic?.keepCursorVisible(in: body)
    }

    mutating func toggleMosaic(at now: Moment, _ actions: inout [DashboardAction]) {
        if mosaic != nil {
            mosaic = nil
            return
        }
        if let job {
            mosaic = MosaicState(job: job.job, slot: job.slot)
        } else if let id = selected, let row = store.rows[id] {
            mosaic = MosaicState(job: row.job, slot: row.slot)
        } else {
            note = Note("there is no job in this slot", at: now)
            return
        }
        nameCell(&actions)
    }

    /// Names the next of the tasks that run in the background.
    mutating func focusActivity(at now: Moment) {
        let used = activity.cells.indices.filter { activity.cells[$0] != nil }
        guard let first = used.first else {
            note = Note("nothing runs in the background", at: now)
            return
        }
        let focus = lastFocus.flatMap { last in used.first { $0 > last } } ?? first
        activity.focus = focus
        lastFocus = focus
    }

    mutating func refresh(at now: Moment, _ actions: inout [DashboardAction]) {
        guard frozen == nil else {
            actions.append(.redraw)
            note = Note("the picture is frozen; f goes on", at: now)
            return
        }
        actions += [.refresh, .redraw]
        note = Note("asked for a fresh picture", at: now)
    }
}
