import CellScreen
import ProgressBus
import TaskTree

/// The copy of the board in another order; each job has the number of its slot.
extension DashboardModel {
    func drawOrdered(_ layout: ScreenLayout, _ painter: Painter, on grid: inout CellGrid) {
        let area = layout.body
        guard let ordered, area.height > 0 else { return }
        let view = RowView(
            painter: painter,
            columns: RowColumns(width: area.width, hasNumber: true),
            saysHost: ShownHosts(store.rows.values).areSeveral
        )
        if layout.heads.height > 0 {
            let place = RowView.Place(column: layout.heads.column, row: layout.heads.row)
            view.drawHeads("JOB", at: place, on: &grid)
        }
        let rows = ordered.rows ?? []
        let shown = OrderedBoard.shown(bodyHeight: area.height)
        for offset in 0..<shown where ordered.scroll + offset < rows.count {
            let index = ordered.scroll + offset
            var look = RowView.Look()
            look.isSelected = index == ordered.cursor
            let place = RowView.Place(column: area.column, row: area.row + offset)
            guard let job = store.row(rows[index]), matches(job) else {
                view.drawBlank(look, at: place, on: &grid)
                continue
            }
            look.number = job.slot
            look.isAlerted = alerts[job.id] != nil
            look.askedSecondsAgo = askedSecondsAgo(job.id, at: painter.now)
            look.trend = store.trends[job.id]
            view.draw(job, look, at: place, on: &grid)
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
