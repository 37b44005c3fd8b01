import CellScreen

extension IndicatorPainter {
    /// Draws the rates of the last periods in one row, the newest at the trailing side; the highest
    /// of them fills most of its cell, so that rows stay apart.
    func putTrend(_ trend: RateTrend, column: Int, row: Int, on grid: inout CellGrid) {
        guard let highest = trend.rates.max(), highest > 0 else { return }
        let style = theme.style(.faint)
        let levels = 6
        let first = column + RateTrend.capacity - trend.rates.count
        for (index, rate) in trend.rates.enumerated() where rate > 0 {
            let level = Int((rate / highest * Double(levels)).rounded(.up))
            let glyph = glyphs.plotLevels[min(max(level, 1), levels) - 1]
            grid.put(glyph, column: first + index, row: row, style: style)
        }
    }
}
