import CellScreen

/// The plot of a rate with its axes: how much a second at the side, how long ago below.
struct PlotView {
    /// With fewer rows there is no plot.
    static let leastHeight = 4
    private static let greatestHeight = 9
    private static let labelWidth = 12

    let plot: ThroughputPlot
    let unit: String

    /// - Returns: The rows that it took.
    func draw(in area: Area, _ painter: inout Painter) -> Int {
        let labels = Field(start: area.column, width: min(Self.labelWidth, area.width / 4) - 1)
        var inside = area
        inside.column = labels.end + 2
        inside.width = min(area.width - labels.width - 2, ThroughputPlot.capacity)
        inside.height = min(area.height, Self.greatestHeight) - 2
        guard inside.height > 0, inside.width > 0 else { return 0 }
        painter.putPlot(plot, in: inside)
        let (box, style) = (painter.glyphs.box, painter.theme.style(.track))
        let (axis, foot) = (inside.column - 1, inside.row + inside.height)
        for row in inside.row..<foot { painter.put(box.vertical, style, column: axis, row: row) }
        painter.put(box.horizontal, style, inside.column..<inside.field.end, row: foot)
        painter.put(box.bottomLeading, style, column: axis, row: foot)
        let highest = plot.seconds.suffix(inside.width).max() ?? 0
        let rates = HumanNumbers.rates(highest, unit: unit).map(\.text)
        let top = PlainText.firstFitting(rates, in: labels.width)
        painter.put(top, .faint, labels, row: area.row, .trailing)
        painter.put("0", .faint, labels, row: foot, .trailing)
        painter.put("\(inside.width) s ago", .faint, inside.field, row: foot + 1)
        painter.putWord("now", .faint, from: inside.field.end - 3, row: foot + 1)
        return inside.height + 2
    }
}

/// Draws how fast a task was.
extension Painter {
    /// Draws a plot of what was completed per second, the newest second at the trailing side.
    ///
    /// The tallest column shown fills the height. A second in which something was completed is
    /// never blank, and one without always is. The area is blanked first.
    mutating func putPlot(_ plot: ThroughputPlot, in area: Area) {
        let reach = -CellGrid.limit..<CellGrid.limit
        guard area.width > 0, area.height > 0, reach.contains(area.column),
            reach.contains(area.row)
        else { return }
        let (width, height) = (min(area.width, CellGrid.limit), min(area.height, CellGrid.limit))
        fill(area, .plot)
        let shown = plot.seconds.suffix(width)
        guard let highest = shown.max(), highest > 0 else { return }
        for (index, sample) in shown.enumerated() where sample > 0 {
            let levels = max(Int((sample / highest * Double(height * 8)).rounded()), 1)
            let column = area.column + width - shown.count + index
            for line in 0..<(levels + 7) / 8 {
                let glyph = glyphs.plotLevels[min(levels - line * 8, 8) - 1]
                put(glyph, theme.style(.plot), column: column, row: area.row + height - 1 - line)
            }
        }
    }

    /// Draws the rates of the last periods in one row, the newest at the trailing side; the highest
    /// of them fills most of its cell, so that rows stay apart.
    mutating func putTrend(_ trend: RateTrend, column: Int, row: Int) {
        guard let highest = trend.rates.max(), highest > 0 else { return }
        let levels = 6
        let first = column + RateTrend.capacity - trend.rates.count
        for (index, rate) in trend.rates.enumerated() where rate > 0 {
            let level = Int((rate / highest * Double(levels)).rounded(.up))
            let glyph = glyphs.plotLevels[min(max(level, 1), levels) - 1]
            put(glyph, theme.style(.faint), column: first + index, row: row)
        }
    }
}
