import ProgressBus
import TaskTree

/// The mouse: a click selects, the wheel scrolls.
extension DashboardModel {
    mutating func take(_ mouse: MouseEvent, at now: Moment, _ actions: inout [DashboardAction]) {
        guard dialog == nil, prompt == nil, !isHelpShown else { return }
        let body = layout.body
        switch mouse.kind {
        case .wheelUp: scroll(by: -3, at: now, &actions)
        case .wheelDown: scroll(by: 3, at: now, &actions)
        case .click:
            let column = options.isMirrored ? columns - 1 - mouse.column : mouse.column
            let line = mouse.row - body.row
            if mouse.row == layout.header.row, layout.header.height > 0 {
                activity.focus = activityCell(atColumn: column)
            } else if (0..<body.height).contains(line), (0..<body.width).contains(column) {
                select(line: line, column: column, &actions)
            }
        }
        observe(at: now)
    }

    private mutating func select(line: Int, column: Int, _ actions: inout [DashboardAction]) {
        switch view {
        case .board:
            let slots = board.slots(bodyHeight: layout.body.height)
            let slot = slots.lowerBound + line / board.height
            guard slots.contains(slot) else { return }
            moveToSlot(slot)
        case .job:
            guard var job, job.scroll + line < job.lines.count else { return }
            job.moveCursor(
                to: job.scroll + line,
                store: store,
                bodyHeight: layout.body.height
            )
            self.job = job
        case .mosaic:
            guard var mosaic else { return }
            let cell = (mosaic.scroll + line) * layout.body.width + column + 1
            guard cell <= lastCell else { return }
            mosaic.cell = cell
            self.mosaic = mosaic
            nameCell(&actions)
        }
    }

    private mutating func scroll(by lines: Int, at now: Moment, _ actions: inout [DashboardAction])
    {
        switch view {
        case .board:
            moveToSlot(board.slot + lines)
        case .job:
            guard var job else { return }
            let index = job.cursor + lines
            job.moveCursor(to: index, store: store, bodyHeight: layout.body.height)
            self.job = job
        case .mosaic:
            pressInMosaic(lines < 0 ? .up : .down, at: now, &actions)
        }
    }
}
