package import CellScreen

extension IndicatorPainter {
    /// Draws a plot of what was completed per second, the newest second at the trailing side.
    ///
    /// The tallest column shown fills the height. A second with anything in it is never blank, one
    /// without always is. The field is blanked first.
    package func putPlot(
        _ plot: ThroughputPlot,
        column: Int,
        row: Int,
        width: Int,
        height: Int,
        on grid: inout CellGrid
    ) {
        let reach = -CellGrid.limit..<CellGrid.limit
        guard width > 0, height > 0, reach.contains(column), reach.contains(row) else { return }
        let width = min(width, CellGrid.limit)
        let height = min(height, CellGrid.limit)
        let style = theme.style(.plot)
        grid.fill(column: column, row: row, width: width, height: height, style: style)
        let shown = plot.seconds.suffix(width)
        guard let highest = shown.max(), highest > 0 else { return }
        for (index, sample) in shown.enumerated() where sample > 0 {
            let levels = max(Int((sample / highest * Double(height * 8)).rounded()), 1)
            let place = column + width - shown.count + index
            for line in 0..<(levels + 7) / 8 {
                let level = min(levels - line * 8, 8)
                grid.put(
                    glyphs.plotLevels[level - 1],
                    column: place,
                    row: row + height - 1 - line,
                    style: style
                )
            }
        }
    }
}
