import CellScreen
import ProgressBus

extension IndicatorPainter {
    /// Draws when a task ran, in the place of its bar, which would only say that it has ended: "├──┤"
    /// from its beginning to its end, where the field is the time of its job.
    func putSpan(
        _ span: RunSpan,
        of task: TaskSnapshot,
        column: Int,
        row: Int,
        width: Int,
        on grid: inout CellGrid
    ) {
        guard width > 0 else { return }
        let style = theme.fill(of: task)
        let first = min(Int(span.from * Double(width)), width - 1)
        let last = max(first, min(Int((span.to * Double(width)).rounded(.up)), width) - 1)
        let ends =
            grid.isMirrored
            ? [glyphs.spanEnd, glyphs.spanBegin] : [glyphs.spanBegin, glyphs.spanEnd]
        for cell in first...last {
            let glyph =
                first == last
                ? glyphs.box.vertical
                : cell == first ? ends[0] : cell == last ? ends[1] : glyphs.box.horizontal
            grid.put(glyph, column: column + cell, row: row, style: style)
        }
    }
}
