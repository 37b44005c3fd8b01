import ProgressBus
import TaskTree

/// What all views have in common that show a task in a row.
extension DashboardModel {
    /// Draws the names of the columns; what draws the rows below them.
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

    /// What is said below the rows, where there is room for more than them.
    func drawLastLine(_ text: String, _ body: Area, _ painter: inout Painter) {
        guard body.height > 1 else { return }
        painter.put(text, .faint, body.field, row: body.row + body.height - 1)
    }
}
