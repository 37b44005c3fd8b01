import CellScreen
import ProgressBus
import TaskTree

/// The board: slot n at place n, the same for everybody.
extension DashboardModel {
    func drawBoard(
        _ layout: ScreenLayout,
        at now: Moment,
        _ painter: Painter,
        on grid: inout CellGrid
    ) {
        let area = layout.body
        guard area.height > 0 else { return }
        if let lines = emptyBoard(width: area.width, at: now) {
            return draw(lines, in: area, painter, on: &grid)
        }
        let view = RowView(
            painter: painter,
            columns: RowColumns(width: area.width, hasNumber: true),
            saysHost: ShownHosts(store.rows.values).areSeveral
        )
        if layout.heads.height > 0 {
            view.drawHeads(
                "JOB",
                at: .init(column: layout.heads.column, row: layout.heads.row),
                on: &grid
            )
        }
        let slots = board.slots(bodyHeight: area.height)
        for slot in slots {
            let row = area.row + (slot - slots.lowerBound) * board.height
            drawSlot(slot, view, at: .init(column: area.column, row: row), on: &grid)
        }
        guard area.height > 1 else { return }
        let edge = area.row + area.height - 1
        painter.put(
            edgeText(slots),
            .faint,
            column: area.column + 1,
            row: edge,
            width: area.width - 1,
            on: &grid
        )
    }

    private func drawSlot(
        _ slot: Int,
        _ view: RowView,
        at place: RowView.Place,
        on grid: inout CellGrid
    ) {
        var look = RowView.Look(number: slot)
        look.isSelected = slot == board.slot
        guard let job = store.job(inSlot: slot), shows(job.id),
            look.isSelected || !isInHeader(job)
        else {
            // Behind the last job there is nothing that anybody has left, and what a filter hides is
            // nothing to look at.
            let isQuiet = slot > store.highestSlot || !activeFilter.isEmpty
            if !look.isSelected, isQuiet { look.number = nil }
            view.drawBlank(look, at: place, on: &grid)
            return
        }
        look.isDimmed = !matches(job)
        look.isAlerted = alerts[job.id] != nil
        look.askedSecondsAgo = askedSecondsAgo(job.id, at: view.painter.now)
        look.trend = store.trends[job.id]
        view.draw(job, look, at: place, on: &grid)
        guard board.height > 1 else { return }
        for (index, child) in (board.lines[job.id] ?? []).prefix(board.height - 1).enumerated() {
            guard let child = store.row(child) else { continue }
            var look = RowView.Look(depth: 1)
            look.isDimmed = !matches(child)
            look.hasParentEnded = job.state.isEnded
            look.askedSecondsAgo = askedSecondsAgo(child.id, at: view.painter.now)
            look.trend = store.trends[child.id]
            let row = place.row + 1 + index
            view.draw(child, look, at: .init(column: place.column, row: row), on: &grid)
        }
    }

    /// Whether a job is shown by its cell in the header alone, as work on the side is while nothing
    /// is wrong with it.
    private func isInHeader(_ job: TaskSnapshot) -> Bool {
        guard job.options.isBackground, !job.condition.isWrong, !job.state.isEnded,
            job.attentionBelow == 0, activeFilter.isEmpty
        else { return false }
        let cells = HeaderColumns(width: layout.header.width).activity.width
        return layout.header.height > 0 && activity.cells.prefix(cells).contains(job.id)
    }

    /// What is on other pages.
    private func edgeText(_ slots: Range<Int>) -> String {
        if !activeFilter.isEmpty {
            let count = matchesElsewhere
            return count > 0 ? "\(count) more on other pages; n goes to the next" : ""
        }
        guard let broker = store.broker else { return "" }
        let here = slots.compactMap { store.job(inSlot: $0) }
        let more = max(broker.jobs - here.count, 0)
        guard more > 0 else { return "" }
        let seen = here.reduce(0) { $0 + ($1.needsAttention ? 1 : 0) + $1.attentionBelow }
        let needing = max(broker.needingAttention - seen, 0)
        let attention =
            needing > 0 ? ", \(needing) need\(needing == 1 ? "s" : "") attention (n)" : ""
        return "\(HumanNumbers.grouped(Int64(more))) more\(attention)"
    }
}
