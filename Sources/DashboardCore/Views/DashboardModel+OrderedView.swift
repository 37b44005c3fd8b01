import CellScreen
import ProgressBus
import TaskTree

/// The copy of the board in another order; each job has the number of its slot.
extension DashboardModel {
    func drawOrdered(_ area: ScreenLayout.Area, _ painter: Painter, on grid: inout CellGrid) {
        guard let ordered, area.height > 0 else { return }
        let view = RowView(
            painter: painter,
            columns: RowColumns(width: area.width, hasNumber: true),
            saysHost: ShownHosts(store.rows.values).areSeveral
        )
        let rows = ordered.rows ?? []
        let shown = OrderedBoard.shown(bodyHeight: area.height)
        for offset in 0..<shown where ordered.scroll + offset < rows.count {
            let index = ordered.scroll + offset
            var look = RowView.Look()
            look.isSelected = index == ordered.cursor
            let row = area.row + offset
            guard let job = store.row(rows[index]), matches(job) else {
                view.drawBlank(look, column: area.column, row: row, on: &grid)
                continue
            }
            look.number = job.slot
            look.isAlerted = alerts[job.id] != nil
            look.askedSecondsAgo = askedSecondsAgo(job.id, at: painter.now)
            view.draw(job, look, column: area.column, row: row, on: &grid)
        }
        guard area.height > 1 else { return }
        painter.put(
            "a copy of the board \(ordered.order.words) when you asked; Esc leaves it",
            .faint,
            column: area.column,
            row: area.row + area.height - 1,
            width: area.width,
            on: &grid
        )
    }
}
