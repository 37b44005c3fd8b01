import CellScreen
import ProgressBus
import TaskTree

/// The board: slot n at place n, the same for everybody.
extension DashboardModel {
    func drawBoard(_ area: ScreenLayout.Area, _ painter: Painter, on grid: inout CellGrid) {
        guard area.height > 0 else { return }
        let columns = RowColumns(width: area.width, hasNumber: true)
        let view = RowView(
            painter: painter,
            columns: columns,
            saysHost: ShownHosts(store.rows.values).areSeveral
        )
        let slots = board.slots(bodyHeight: area.height)
        for slot in slots {
            let row = area.row + (slot - slots.lowerBound) * board.height
            drawSlot(slot, view, column: area.column, row: row, on: &grid)
        }
        guard area.height > 1 else { return }
        let edge = area.row + area.height - 1
        painter.put(
            edgeText(slots),
            .faint,
            column: area.column,
            row: edge,
            width: area.width,
            on: &grid
        )
    }

    private func drawSlot(
        _ slot: Int,
        _ view: RowView,
        column: Int,
        row: Int,
        on grid: inout CellGrid
    ) {
        var look = RowView.Look(number: slot)
        look.isSelected = slot == board.slot
        guard let job = store.job(inSlot: slot), shows(job.id) else {
            // A number without a job would be something to look at: only the cursor shows it.
            if !look.isSelected { look.number = nil }
            view.drawBlank(look, column: column, row: row, on: &grid)
            return
        }
        look.isDimmed = !matches(job)
        look.isAlerted = alerts[job.id] != nil
        look.askedSecondsAgo = askedSecondsAgo(job.id, at: view.painter.now)
        view.draw(job, look, column: column, row: row, on: &grid)
        guard board.height > 1 else { return }
        for (index, child) in (board.lines[job.id] ?? []).prefix(board.height - 1).enumerated() {
            guard let child = store.row(child) else { continue }
            var look = RowView.Look(depth: 1)
            look.isDimmed = !matches(child)
            look.hasParentEnded = job.state.isEnded
            look.askedSecondsAgo = askedSecondsAgo(child.id, at: view.painter.now)
            view.draw(child, look, column: column, row: row + 1 + index, on: &grid)
        }
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
        if broker.jobs == 0 {
            return store.connection == .live
                ? "no jobs yet: whatever reports to this bus appears here" : ""
        }
        guard more > 0 else { return "" }
        let seen = here.reduce(0) { $0 + ($1.needsAttention ? 1 : 0) + $1.attentionBelow }
        let needing = max(broker.needingAttention - seen, 0)
        let attention =
            needing > 0 ? ", \(needing) need\(needing == 1 ? "s" : "") attention (n)" : ""
        return "\(HumanNumbers.grouped(Int64(more))) more\(attention)"
    }
}
