import CellScreen
import ProgressBus
import TaskTree

/// The mouse: a click selects, a second one opens, the wheel scrolls.
///
/// A click on a mark of folding folds, one on a key in the footer presses it.
extension DashboardModel {
    /// Seconds within which a second click on the same cell is a double click.
    private static let doubleClick = 0.4

    mutating func take(_ mouse: MouseEvent, at now: Moment, _ actions: inout [DashboardAction]) {
        let column = options.isMirrored ? columns - 1 - mouse.column : mouse.column
        if mouse.kind == .click, mouse.row == layout.footer.row, layout.footer.height > 0 {
            if let key = offeredKey(atColumn: column, at: now) { press(key, at: now, &actions) }
            return
        }
        if mouse.kind != .click, isHelpShown, dialog == nil, prompt == nil {
            return press(mouse.kind == .wheelUp ? .up : .down, at: now, &actions)
        }
        guard dialog == nil, prompt == nil, !isHelpShown else { return }
        switch mouse.kind {
        case .wheelUp: scroll(.up, at: now, &actions)
        case .wheelDown: scroll(.down, at: now, &actions)
        case .click: click(mouse, column: column, at: now, &actions)
        }
        observe(at: now)
    }

    private mutating func click(
        _ mouse: MouseEvent,
        column: Int,
        at now: Moment,
        _ actions: inout [DashboardAction]
    ) {
        let body = layout.body
        let row = mouse.row
        let line = row - body.row
        if row == layout.header.row, layout.header.height > 0 {
            activity.focus = activityCell(atColumn: column)
        } else if (0..<body.height).contains(line), (0..<body.width).contains(column) {
            let last = lastClick
            lastClick = (column, row, now)
            guard select(line: line, column: column, &actions) else { return }
            if isFoldMark(atColumn: mouse.column, row: row, at: now) {
                press(.enter, at: now, &actions)
            } else if let last, last.row == row, last.column == column,
                now.seconds(since: last.at) <= Self.doubleClick
            {
                lastClick = nil
                press(.enter, at: now, &actions)
            }
        }
    }

    /// Puts the cursor on what is there; whether there is anything.
    private mutating func select(
        line: Int,
        column: Int,
        _ actions: inout [DashboardAction]
    ) -> Bool {
        switch view {
        case .board:
            let slots = board.slots(bodyHeight: layout.body.height)
            let slot = slots.lowerBound + line / board.height
            guard slots.contains(slot), isStop(slot: slot) else { return false }
            board.slot = slot
            bind()
        case .ordered:
            guard let ordered, let rows = ordered.rows,
                line < OrderedBoard.shown(bodyHeight: layout.body.height),
                rows.indices.contains(ordered.scroll + line),
                matches(rows[ordered.scroll + line])
            else { return false }
            moveInOrder(to: ordered.scroll + line)
        case .job:
            guard var job, stops(in: job).contains(job.scroll + line) else { return false }
            let index = job.scroll + line
            job.moveCursor(to: index, store: store, bodyHeight: layout.body.height)
            self.job = job
        case .mosaic:
            guard var mosaic else { return false }
            let cells = MosaicLayout(layout.body)
            guard let place = cells.place(atColumn: column) else { return false }
            let cell = (mosaic.scroll + line) * cells.perRow + place + 1
            guard cell <= lastCell, isStop(cell: cell, in: mosaic) else { return false }
            mosaic.cell = cell
            self.mosaic = mosaic
            nameCell(&actions)
        }
        return true
    }

    /// Whether there is the mark that says what is folded.
    private func isFoldMark(atColumn column: Int, row: Int, at now: Moment) -> Bool {
        guard view == .job else { return false }
        let painter = Painter(options, at: now)
        let shown = draw(at: now).cell(column: column, row: row)?.scalar
        return shown == painter.folded || shown == painter.glyphs.unfolded
    }

    private mutating func scroll(
        _ direction: KeyAction.Direction,
        at now: Moment,
        _ actions: inout [DashboardAction]
    ) {
        let steps = view == .mosaic ? 1 : 3
        for _ in 0..<steps { press(direction == .up ? .up : .down, at: now, &actions) }
    }
}
