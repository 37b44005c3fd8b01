import CellScreen
import ProgressBus
import TaskTree

/// The mosaic: thousands of tasks at a glance, each in its own cell.
extension DashboardModel {
    func drawMosaic(_ layout: ScreenLayout, _ painter: inout Painter) {
        let area = layout.body
        guard let mosaic, area.width > 0, area.height > 0 else { return }
        let cells = MosaicLayout(area)
        for row in 0..<cells.rows { drawRow(mosaic, row, cells, &painter) }
        let selected = mosaic.cell - 1 - mosaic.scroll * cells.perRow
        if selected >= 0, selected / cells.perRow < cells.rows {
            let column = cells.column(of: selected % cells.perRow)
            let row = area.row + selected / cells.perRow
            painter.grid.restyle(column: column, row: row, width: 1) { style in
                style.attributes.formUnion(.reverse)
            }
        }
        if layout.heads.height > 0 { drawLegend(of: mosaic.job, layout.heads, &painter) }
        guard area.height > 1 else { return }
        painter.put(cellText(mosaic), .text, area.field, row: area.row + area.height - 1)
    }

    private func drawRow(
        _ mosaic: MosaicState,
        _ row: Int,
        _ cells: MosaicLayout,
        _ painter: inout Painter
    ) {
        let first = (mosaic.scroll + row) * cells.perRow
        let line = cells.area.row + row
        if cells.isGrouped, first < lastCell {
            let start = cells.area.column
            let field = Field(start: start, width: cells.column(of: 0) - start - 1)
            painter.put(HumanNumbers.grouped(first + 1), .faint, field, row: line, .trailing)
        }
        let filter = TaskFilter(activeFilter)
        for place in 0..<cells.perRow {
            let byte = store.byte(ofCell: first + place + 1, in: mosaic.job)
            guard let cell = MosaicCell(byte) else { continue }
            let isShown = filter.isEmpty || filter.matches(cell)
            let theme = painter.theme
            painter.put(
                painter.glyphs.mosaicCell(of: cell.condition),
                isShown ? theme.style(of: cell.condition) : theme.style(.filtered),
                column: cells.column(of: place),
                row: line
            )
        }
    }

    /// What the cells mean, and how many there are of each.
    private func drawLegend(of job: TaskID, _ area: Area, _ painter: inout Painter) {
        let counts = store.rows[job]?.counts ?? StateCounts()
        let kinds: [(TaskCondition, Int?)] = [
            (.succeeded, counts.succeeded), (.running, counts.running), (.waiting, counts.waiting),
            (.failed, counts.failed), (.lost, counts.lost), (.cancelled, counts.cancelled),
            (.stalled, nil), (.silent, nil), (.paused, nil),
        ]
        var column = area.column
        for (condition, count) in kinds where count != 0 {
            let text = count.map { HumanNumbers.counted($0, condition) } ?? condition.word
            guard column + 2 + DisplayText.width(of: text) <= area.field.end else { break }
            let glyph = painter.glyphs.mosaicCell(of: condition)
            painter.put(glyph, painter.theme.style(of: condition), column: column, row: area.row)
            column = 3 + painter.putWord(text, .faint, from: column + 2, row: area.row)
        }
    }

    private func cellText(_ mosaic: MosaicState) -> String {
        let number = HumanNumbers.grouped(mosaic.cell)
        let state = MosaicCell(store.byte(ofCell: mosaic.cell, in: mosaic.job))
            .map { "\($0.condition)" }
        if let named = mosaic.named, named.cell == mosaic.cell {
            let title = named.task.map { PlainText.clean($0.title) } ?? "nobody"
            let end = named.task == nil ? nil : state
            return "cell \(number): " + [title, end].compactMap { $0 }.joined(separator: ", ")
        }
        return "cell \(number): \(state ?? "nobody")"
    }
}

extension TaskStore {
    func byte(ofCell cell: Int, in job: TaskID) -> UInt8 {
        let offset = (max(cell, 1) - 1) % ViewportPart.cellsPerBlock
        guard let bytes = states[.holding(cellOf: job, at: cell)] else { return 0 }
        return offset < bytes.count ? bytes[offset] : 0
    }
}

extension MosaicCell {
    var condition: TaskCondition {
        TaskCondition(state, isStalled: isStalled, isSilent: isSilent)
    }
}
