import CellScreen
import ProgressBus
import TaskTree

/// The mosaic: thousands of tasks at a glance, each in its own cell.
extension DashboardModel {
    func drawMosaic(_ area: ScreenLayout.Area, _ painter: Painter, on grid: inout CellGrid) {
        guard let mosaic, area.width > 0, area.height > 0 else { return }
        let rows = area.height > 1 ? area.height - 1 : area.height
        for row in 0..<rows {
            drawRow(mosaic, row, area, painter, on: &grid)
        }
        let selected = mosaic.cell - 1 - mosaic.scroll * area.width
        if selected >= 0, selected / area.width < rows {
            grid.restyle(
                column: area.column + selected % area.width,
                row: area.row + selected / area.width,
                width: 1
            ) { style in style.attributes.formUnion(.reverse) }
        }
        guard area.height > 1 else { return }
        painter.put(
            cellText(mosaic, painter),
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
        _ area: ScreenLayout.Area,
        _ painter: Painter,
        on grid: inout CellGrid
    ) {
        var block = -1
        var bytes: [UInt8] = []
        let filter = TaskFilter(activeFilter)
        for column in 0..<area.width {
            let index = (mosaic.scroll + row) * area.width + column
            let number = index / ViewportPart.cellsPerBlock
            if number != block {
                block = number
                bytes = store.states[.states(of: mosaic.job, block: number)] ?? []
            }
            let offset = index - number * ViewportPart.cellsPerBlock
            guard offset < bytes.count, let cell = MosaicCell(bytes[offset]) else { continue }
            grid.put(
                painter.glyphs.mosaicCell(of: cell.condition),
                column: area.column + column,
                row: area.row + row,
                style: filter.isEmpty || filter.matches(cell)
                    ? painter.theme.style(of: cell.condition) : painter.theme.style(.filtered)
            )
        }
    }

    private func cellText(_ mosaic: MosaicState, _ painter: Painter) -> String {
        let number = HumanNumbers.grouped(Int64(mosaic.cell))
        if let named = mosaic.named, named.cell == mosaic.cell {
            return "cell \(number): \(named.task.map { PlainText.clean($0.title) } ?? "nobody")"
        }
        let byte = store.byte(ofCell: mosaic.cell, in: mosaic.job)
        guard let cell = MosaicCell(byte) else { return "cell \(number): nobody" }
        return "cell \(number): \(cell.condition)"
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
