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

    /// The moment that the picture shows: a picture that is frozen or not live stands still, its
    /// clocks included.
    func timeOfPicture(at now: Moment) -> Moment { store.notLiveSince ?? frozen?.at ?? now }

    /// When to draw the screen again although nothing happens; `nil` if only an event changes it.
    package func nextFrame(after now: Moment) -> Moment? {
        var times: [Moment] = []
        if let note, note.until > now { times.append(note.until) }
        let isAgeing = frozen != nil || store.connection != .live || store.loadingSince != nil
        if isAgeing { times.append(Self.step(after: now, perSecond: 1)) }
        if frozen == nil, store.connection == .live {
            let tasks = visibleTasks
            if tasks.contains(where: { store.rows[$0]?.condition.isMoving ?? false }) {
                let rate = Int64(Painter.phasesPerSecond)
                times.append(Self.step(after: now, perSecond: rate))
            } else if tasks.contains(where: { store.rows[$0]?.state.isUnderWay ?? false }) {
                times.append(Self.step(after: now, perSecond: 1))
            }
        }
        return times.min()
    }

    private static func step(after now: Moment, perSecond: Int64) -> Moment {
        let length = 1_000_000_000 / perSecond
        return Moment(nanoseconds: (now.nanoseconds / length + 1) * length)
    }

    /// The tasks that the screen shows.
    private var visibleTasks: [TaskID] {
        let body = layout.body
        let inHeader = activity.cells.compactMap(\.self)
        switch view {
        case .board:
            let jobs = board.slots(bodyHeight: body.height).compactMap { store.inSlot[$0] }
            return inHeader + jobs + jobs.flatMap { (board.lines[$0] ?? []).compactMap(\.self) }
        case .ordered:
            let shown = OrderedBoard.shown(bodyHeight: body.height)
            return inHeader + (ordered?.rows ?? []).dropFirst(ordered?.scroll ?? 0).prefix(shown)
        case .job:
            guard let job else { return inHeader }
            let lines = job.lines.dropFirst(job.scroll).prefix(body.height)
            return inHeader + lines.compactMap { job.task(at: $0, in: store) }
        case .mosaic:
            return inHeader + (mosaic.map { [$0.job] } ?? [])
        }
    }

    func askedSecondsAgo(_ id: TaskID, at now: Moment) -> Double? {
        store.memories[id]?.cancellingSince.map { now.seconds(since: $0) }
    }
}

/// What the views that show a task in a row have in common.
extension DashboardModel {
    /// Draws the names of the columns, and returns what draws the rows below them.
    func drawHeads(
        _ title: String,
        hasNumber: Bool,
        _ layout: ScreenLayout,
        _ painter: inout Painter
    ) -> RowView {
        let view = RowView(
            columns: RowColumns(width: layout.body.width, hasNumber: hasNumber),
            saysHost: ShownHosts(store.rows.values).areSeveral
        )
        if layout.heads.height > 0 { view.drawHeads(title, row: layout.heads.row, &painter) }
        return view
    }

    /// How the row of a task looks in every view.
    func look(of task: TaskSnapshot, in parent: TaskSnapshot? = nil, at now: Moment) -> RowView.Look
    {
        var look = RowView.Look()
        look.isDimmed = !matches(task)
        look.isAlerted = alerts[task.id] != nil
        look.hasParentEnded = parent?.state.isEnded == true
        look.askedSecondsAgo = askedSecondsAgo(task.id, at: now)
        look.trend = store.memories[task.id]?.trend
        return look
    }

    /// Draws a text in the last line of the body, unless the body has only one line.
    func drawLastLine(_ text: String, _ body: Area, _ painter: inout Painter) {
        guard body.height > 1 else { return }
        painter.put(text, .faint, body.field, row: body.row + body.height - 1)
    }
}
