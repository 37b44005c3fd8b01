import CellScreen
import ProgressBus
import TaskTree

/// The mosaic: thousands of tasks at a glance, each in its own cell.
extension DashboardModel {
    func drawMosaic(_ layout: ScreenLayout, _ painter: Painter, on grid: inout CellGrid) {
        let area = layout.body
        guard let mosaic, area.width > 0, area.height > 0 else { return }
        let cells = MosaicLayout(area)
        for row in 0..<cells.rows { drawRow(mosaic, row, cells, painter, on: &grid) }
        let selected = mosaic.cell - 1 - mosaic.scroll * cells.perRow
        if selected >= 0, selected / cells.perRow < cells.rows {
            grid.restyle(
                column: cells.column(of: selected % cells.perRow),
                row: area.row + selected / cells.perRow,
                width: 1
            ) { style in style.attributes.formUnion(.reverse) }
        }
        if layout.heads.height > 0 { drawLegend(mosaic, layout.heads, painter, on: &grid) }
        guard area.height > 1 else { return }
        painter.put(
            cellText(mosaic),
            .text,
            column: area.column,
            row: area.row + area.height - 1,
            width: area.width,
            on: &grid
        )
    }

    private func drawRow(
        _ mosaic: MosaicState,
        _ row: Int,
        _ cells: MosaicLayout,
        _ painter: Painter,
        on grid: inout CellGrid
    ) {
        let first = (mosaic.scroll + row) * cells.perRow
        let line = cells.area.row + row
        if cells.isGrouped, first < lastCell {
            painter.put(
                HumanNumbers.grouped(Int64(first + 1)),
                .faint,
                column: cells.area.column,
                row: line,
                width: cells.column(of: 0) - cells.area.column - 1,
                alignment: .trailing,
                on: &grid
            )
        }
        var block = -1
        var bytes: [UInt8] = []
        let filter = TaskFilter(activeFilter)
        for place in 0..<cells.perRow {
            let number = (first + place) / ViewportPart.cellsPerBlock
            if number != block {
                block = number
                bytes = store.states[.states(of: mosaic.job, block: number)] ?? []
            }
            let offset = first + place - number * ViewportPart.cellsPerBlock
            guard offset < bytes.count, let cell = MosaicCell(bytes[offset]) else { continue }
            grid.put(
                painter.glyphs.mosaicCell(of: cell.condition),
                column: cells.column(of: place),
                row: line,
                style: filter.isEmpty || filter.matches(cell)
                    ? painter.theme.style(of: cell.condition) : painter.theme.style(.filtered)
            )
        }
    }

    /// What the cells mean, and how many there are of each.
    private func drawLegend(
        _ mosaic: MosaicState,
        _ area: ScreenLayout.Area,
        _ painter: Painter,
        on grid: inout CellGrid
    ) {
        let counts = store.rows[mosaic.job]?.counts ?? StateCounts()
        let kinds: [(TaskCondition, String, Int?)] = [
            (.succeeded, "done", counts.succeeded), (.running, "running", counts.running),
            (.waiting, "waiting", counts.waiting), (.failed, "failed", counts.failed),
            (.lost, "lost", counts.lost), (.cancelled, "cancelled", counts.cancelled),
            (.stalled, "stalled", nil), (.silent, "silent", nil), (.paused, "paused", nil),
        ]
        var column = area.column
        for (condition, word, count) in kinds where count != 0 {
            let number = count.map { HumanNumbers.grouped(Int64($0)) + " " } ?? ""
            let text = number + word
            let width = DisplayText.width(of: text)
            guard column + 2 + width <= area.column + area.width else { break }
            grid.put(
                painter.glyphs.mosaicCell(of: condition),
                column: column,
                row: area.row,
                style: painter.theme.style(of: condition)
            )
            painter.put(text, .faint, column: column + 2, row: area.row, width: width, on: &grid)
            column += width + 5
        }
    }

    private func cellText(_ mosaic: MosaicState) -> String {
        let number = HumanNumbers.grouped(Int64(mosaic.cell))
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
        let index = max(cell, 1) - 1
        let block = index / ViewportPart.cellsPerBlock
        guard let bytes = states[.states(of: job, block: block)] else { return 0 }
        let offset = index - block * ViewportPart.cellsPerBlock
        return offset < bytes.count ? bytes[offset] : 0
    }
}

extension MosaicCell {
    var condition: TaskCondition {
        TaskCondition(state, isStalled: isStalled, isSilent: isSilent)
    }
}
