import CellScreen

/// The plot of a rate with its axes: how much a second at the side, how long ago below.
struct PlotView {
    /// With less there is none.
    static let leastHeight = 4
    private static let greatestHeight = 9
    private static let labelWidth = 12

    let plot: ThroughputPlot
    let unit: String

    /// - Returns: The rows that it took.
    func draw(
        in area: ScreenLayout.Area,
        _ painter: Painter,
        on grid: inout CellGrid
    ) -> Int {
        let height = min(area.height, Self.greatestHeight)
        let plotHeight = height - 2
        let labelWidth = min(Self.labelWidth, area.width / 4)
        let start = area.column + labelWidth + 1
        let width = min(area.width - labelWidth - 1, plot.capacity)
        guard plotHeight > 0, width > 0 else { return 0 }
        painter.indicators.putPlot(
            plot,
            column: start,
            row: area.row,
            width: width,
            height: plotHeight,
            on: &grid
        )
        let (box, axis) = (painter.glyphs.box, painter.theme.style(.track))
        let foot = area.row + plotHeight
        for row in area.row..<foot {
            grid.put(box.vertical, column: start - 1, row: row, style: axis)
        }
        for column in start..<start + width {
            grid.put(box.horizontal, column: column, row: foot, style: axis)
        }
        let corner = grid.isMirrored ? box.mirrored.bottomLeading : box.bottomLeading
        grid.put(corner, column: start - 1, row: foot, style: axis)
        func label(_ text: String, _ column: Int, _ row: Int, _ width: Int, _ side: Alignment) {
            painter.put(
                text,
                .faint,
                column: column,
                row: row,
                width: width,
                alignment: side,
                on: &grid
            )
        }
        let highest = plot.seconds.suffix(width).max() ?? 0
        let rate = HumanNumbers.rates(highest, unit: unit)
        let top = PlainText.longest(of: rate, in: labelWidth - 1)
        label(top, area.column, area.row, labelWidth - 1, .trailing)
        label("0", area.column, foot, labelWidth - 1, .trailing)
        label("\(width) s ago", start, foot + 1, width, .leading)
        label("now", start + width - 3, foot + 1, 3, .trailing)
        return height
    }
}
