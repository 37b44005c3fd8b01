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
    func draw(in area: Area, _ painter: inout Painter) -> Int {
        let labels = Field(start: area.column, width: min(Self.labelWidth, area.width / 4) - 1)
        var inside = area
        inside.column = labels.end + 2
        inside.width = min(area.width - labels.width - 2, plot.capacity)
        inside.height = min(area.height, Self.greatestHeight) - 2
        guard inside.height > 0, inside.width > 0 else { return 0 }
        painter.putPlot(plot, in: inside)
        let (box, style) = (painter.glyphs.box, painter.theme.style(.track))
        let (axis, foot) = (inside.column - 1, inside.row + inside.height)
        for row in inside.row..<foot { painter.put(box.vertical, style, column: axis, row: row) }
        painter.put(box.horizontal, style, inside.column..<inside.field.end, row: foot)
        painter.put(box.bottomLeading, style, column: axis, row: foot)
        let highest = plot.seconds.suffix(inside.width).max() ?? 0
        let rates = HumanNumbers.rates(highest, unit: unit)
        let top = PlainText.longest(of: rates, in: labels.width)
        painter.put(top, .faint, labels, row: area.row, .trailing)
        painter.put("0", .faint, labels, row: foot, .trailing)
        painter.put("\(inside.width) s ago", .faint, inside.field, row: foot + 1)
        painter.putWord("now", .faint, from: inside.field.end - 3, row: foot + 1)
        return inside.height + 2
    }
}
