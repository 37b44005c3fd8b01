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
        // Cells that are not of this moment are dim, as a cell cannot tell its age.
        let isOld = frozen != nil || store.secondsWithoutBroker(at: painter.clock) != nil
        for place in 0..<cells.perRow {
            let byte = store.byte(ofCell: first + place + 1, in: mosaic.job)
            guard let cell = MosaicCell(byte) else { continue }
            let isShown = filter.isEmpty || filter.matches(cell)
            let theme = painter.theme
            var style = isShown ? theme.style(of: cell.condition) : theme.style(.filtered)
            if isOld { style.attributes.insert(.dim) }
            painter.put(
                painter.glyphs.mosaicCell(of: cell.condition, eighths: cell.eighths),
                style,
                column: cells.column(of: place),
                row: line
            )
        }
    }

    /// What the cells mean, and how many there are of each.
    private func drawLegend(of job: TaskID, _ area: Area, _ painter: inout Painter) {
        let counts = store.rows[job]?.counts ?? StateCounts()
        let halted = store.rows[job]?.haltedBelow ?? 0
        let kinds: [(TaskCondition, Int?)] = [
            (.succeeded, counts.succeeded), (.running, max(counts.running - halted, 0)),
            (.waiting, counts.waiting), (.failed, counts.failed), (.lost, counts.lost),
            (.cancelled, counts.cancelled), (.paused, nil),
        ]
        let glyphs = painter.glyphs
        var entries = kinds.filter { $0.1 != 0 }
            .map { condition, count in
                (
                    glyphs: [glyphs.mosaicCell(of: condition)], condition: condition,
                    text: count.map { HumanNumbers.counted($0, condition) } ?? condition.word
                )
            }
        if let running = entries.firstIndex(where: { $0.condition == .running }) {
            let steps = [1, 4, 7].map { glyphs.mosaicCell(of: .running, eighths: $0) }
            entries.insert((steps, .running, "how far"), at: running + 1)
        }
        if halted > 0 {
            let marks = [TaskCondition.stalled, .silent].map { glyphs.mosaicCell(of: $0) }
            let text = HumanNumbers.counted(halted, .stalled) + " or silent"
            entries.insert((marks, .stalled, text), at: 0)
        }
        var column = area.column
        for entry in entries {
            let text = column + entry.glyphs.count + 1
            guard text + DisplayText.width(of: entry.text) <= area.field.end else { break }
            for (index, glyph) in entry.glyphs.enumerated() {
                let style = painter.theme.style(of: entry.condition)
                painter.put(glyph, style, column: column + index, row: area.row)
            }
            column = 3 + painter.putWord(entry.text, .faint, from: text, row: area.row)
        }
    }

    private static let noTask = "no task any more, or none yet"

    private func cellText(_ mosaic: MosaicState) -> String {
        let number = HumanNumbers.grouped(mosaic.cell)
        let state = MosaicCell(store.byte(ofCell: mosaic.cell, in: mosaic.job))
            .map { cell in
                let eighths = cell.eighths == 1 ? "1 eighth" : "\(cell.eighths) eighths"
                return cell.condition.word + (cell.eighths > 0 ? ", \(eighths) done" : "")
            }
        if let named = mosaic.named, named.cell == mosaic.cell {
            let title = named.task.map { PlainText.clean($0.title) } ?? Self.noTask
            let end = named.task == nil ? nil : state
            return "cell \(number): " + [title, end].compactMap { $0 }.joined(separator: ", ")
        }
        return "cell \(number): \(state ?? Self.noTask)"
    }
}

extension TaskStore {
    func byte(ofCell cell: Int, in job: TaskID) -> UInt8 {
        let offset = (max(cell, 1) - 1) % ViewportPart.cellsPerBlock
        guard let bytes = states[.holding(cellOf: job, at: cell)] else { return 0 }
        return offset < bytes.count ? bytes[offset] : 0
    }
}
