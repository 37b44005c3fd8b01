import ProgressBus
import TaskTree

/// The board: slot n at place n, the same for everybody.
extension DashboardModel {
    func drawBoard(_ layout: ScreenLayout, _ painter: inout Painter) {
        let area = layout.body
        guard area.height > 0 else { return }
        if let lines = emptyBoard(width: area.width, at: painter.clock) {
            return draw(lines, in: area, &painter)
        }
        let view = drawHeads("JOB", hasNumber: true, layout, &painter)
        let slots = board.slots(bodyHeight: area.height)
        for slot in slots {
            let row = area.row + (slot - slots.lowerBound) * board.height
            drawSlot(slot, view, row: row, &painter)
        }
        // Indented, as rows are behind the cursor.
        drawLastLine(" " + edgeText(slots), area, &painter)
    }

    private func drawSlot(_ slot: Int, _ view: RowView, row: Int, _ painter: inout Painter) {
        let isSelected = slot == board.slot
        guard let job = store.job(inSlot: slot), shows(job.id), isSelected || !isInHeader(job)
        else {
            // A slot without a row has no number behind the last job or while a filter is set,
            // unless the cursor is on it.
            let isQuiet = slot > store.highestSlot || !activeFilter.isEmpty
            let number = isSelected || !isQuiet ? slot : nil
            return view.drawBlank(.init(number: number, isSelected: isSelected), row: row, &painter)
        }
        var look = look(of: job, at: painter.now)
        look.number = slot
        look.isSelected = isSelected
        view.draw(job, look, row: row, &painter)
        guard board.height > 1 else { return }
        for (index, child) in (board.lines[job.id] ?? []).prefix(board.height - 1).enumerated() {
            guard let child = store.row(child) else { continue }
            var look = self.look(of: child, in: job, at: painter.now)
            look.depth = 1
            view.draw(child, look, row: row + 1 + index, &painter)
        }
    }

    /// Whether only a cell in the header shows a job: a background job with which nothing is wrong.
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
            return count > 0 ? "\(count) more on other pages (n)" : ""
        }
        guard let broker = store.broker else { return "" }
        let here = slots.compactMap { store.inSlot[$0] }
        let more = max(broker.jobs - here.count, 0)
        guard more > 0 else { return "" }
        let seen = here.reduce(0) { $0 + troubled(in: $1) }
        let needing = max(broker.needingAttention - seen, 0)
        let attention =
            needing > 0
            ? ", \(HumanNumbers.grouped(needing)) need\(needing == 1 ? "s" : "") attention (n)" : ""
        return "\(HumanNumbers.grouped(more)) more\(attention)"
    }

    // MARK: - The copy of the board in another order; each job has the number of its slot

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
            look.isHeadedByHost = ordered.order == .host
            view.draw(job, look, row: row, &painter)
        }
        let words =
            ordered.rows == nil
            ? "waits until all jobs have come; Esc leaves it"
            : "a copy of the board \(ordered.order.rawValue) when you asked; Esc leaves it"
        drawLastLine(words, area, &painter)
    }
}
