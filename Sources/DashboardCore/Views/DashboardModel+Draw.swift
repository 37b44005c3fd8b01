package import CellScreen
import ProgressBus
package import TaskTree

/// From the model to the cells of the screen.
extension DashboardModel {
    /// The whole screen at a moment.
    package func draw(at now: Moment) -> CellGrid {
        let shown = timeOfPicture(at: now)
        var painter = Painter(options, columns: columns, rows: rows, at: shown, clock: now)
        let layout = layout
        switch view {
        case .board: drawBoard(layout, &painter)
        case .ordered: drawOrdered(layout, &painter)
        case .job: drawJob(layout, &painter)
        case .mosaic: drawMosaic(layout, &painter)
        }
        drawPane(layout.pane, &painter)
        drawLog(layout.log, &painter)
        drawHeader(layout.header, &painter)
        drawFooter(layout.footer, &painter)
        drawNote(layout, &painter)
        if isHelpShown { drawHelp(&painter) }
        if let dialog { drawDialog(dialog, &painter) }
        return painter.grid
    }

    /// A picture that gets no younger stands still, its clocks included.
    func timeOfPicture(at now: Moment) -> Moment { store.notLiveSince ?? frozen?.at ?? now }

    /// When the screen is to be drawn again although nothing happens; `nil`: not before it does.
    package func nextFrame(after now: Moment) -> Moment? {
        var times: [Moment] = []
        if let note, note.until > now { times.append(note.until) }
        let isAgeing = frozen != nil || store.connection != .live || store.loadingSince != nil
        if isAgeing { times.append(Self.step(after: now, perSecond: 1)) }
        if frozen == nil, store.connection == .live {
            let visible = visibleRows
            if visible.contains(where: { $0.condition.isMoving }) {
                let rate = Int64(Painter.phasesPerSecond)
                times.append(Self.step(after: now, perSecond: rate))
            } else if visible.contains(where: { !$0.state.isEnded && $0.state != .waiting }) {
                times.append(Self.step(after: now, perSecond: 1))
            }
        }
        return times.min()
    }

    private static func step(after now: Moment, perSecond: Int64) -> Moment {
        let length = 1_000_000_000 / perSecond
        return Moment(nanoseconds: (now.nanoseconds / length + 1) * length)
    }

    /// The tasks of which something is on the screen.
    var visibleRows: [TaskSnapshot] {
        let body = layout.body
        var rows: [TaskSnapshot] = activity.cells.compactMap { $0.flatMap { store.rows[$0] } }
        switch view {
        case .board:
            for slot in board.slots(bodyHeight: body.height) {
                guard let job = store.inSlot[slot], let row = store.rows[job] else { continue }
                rows.append(row)
                rows += (board.lines[job] ?? []).compactMap { $0.flatMap { store.rows[$0] } }
            }
        case .ordered:
            let shown = OrderedBoard.shown(bodyHeight: body.height)
            let tasks = (ordered?.rows ?? []).dropFirst(ordered?.scroll ?? 0).prefix(shown)
            rows += tasks.compactMap { store.rows[$0] }
        case .job:
            guard let job else { break }
            let lines = job.lines.dropFirst(job.scroll).prefix(body.height)
            rows += lines.compactMap { line in
                job.task(at: line, in: store).flatMap { store.rows[$0] }
            }
        case .mosaic:
            rows += mosaic.flatMap { store.rows[$0.job] }.map { [$0] } ?? []
        }
        return rows
    }

    func askedSecondsAgo(_ id: TaskID, at now: Moment) -> Double? {
        store.memories[id]?.cancellingSince.map { now.seconds(since: $0) }
    }
}
