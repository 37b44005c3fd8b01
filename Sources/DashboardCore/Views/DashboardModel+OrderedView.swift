import ProgressBus
import TaskTree

/// The copy of the board in another order; each job has the number of its slot.
extension DashboardModel {
    func drawOrdered(_ layout: ScreenLayout, _ painter: inout Painter) {
        let area = layout.body
        guard let ordered, area.height > 0 else { return }
        let view = drawHeads("JOB", hasNumber: true, layout, &painter)
        let rows = ordered.rows ?? []
        let shown = OrderedBoard.shown(bodyHeight: area.height)
        for index in rows.indices.dropFirst(ordered.scroll).prefix(shown) {
            let row = area.row + index - ordered.scroll
            let isSelected = index == ordered.cursor
            guard let job = store.row(rows[index]), matches(job) else {
                view.drawBlank(.init(isSelected: isSelected), row: row, &painter)
                continue
            }
            var look = look(of: job, at: painter.now)
            look.number = job.slot
            look.isSelected = isSelected
            view.draw(job, look, row: row, &painter)
        }
        let words = "a copy of the board \(ordered.order.rawValue) when you asked; Esc leaves it"
        drawLastLine(words, area, &painter)
    }
}
