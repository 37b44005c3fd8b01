import CellScreen

/// Texts in the columns of a row.
extension RowView {
    /// The names of the columns, in the row above them.
    func drawHeads(_ title: String, at place: Place, on grid: inout CellGrid) {
        put("#", .faint, columns.number, .trailing, place, &grid)
        put(title, .faint, columns.title, .leading, place, &grid)
        let (left, isWide) = (columns.left, columns.left.number.width >= 4)
        let heads: [(String, RowColumns.Field, Alignment)] = [
            ("PROGRESS", columns.bar.upTo(columns.percent), .leading),
            ("DONE", columns.counts.number, .trailing), ("RATE", columns.rate.number, .trailing),
            ("TREND", columns.trend, .leading),
            ("LEFT", isWide ? left.number : left.whole, isWide ? .trailing : .leading),
            ("ENDS", columns.ends, .leading), ("TIME", columns.taken.whole, .leading),
            ("HOST", columns.host, .leading), ("NOW", columns.detail, .leading),
        ]
        for (head, field, alignment) in heads where head.count <= field.width {
            put(head, .faint, field, alignment, place, &grid)
        }
    }

    @discardableResult
    func put(
        _ text: String,
        _ style: CellStyle,
        _ field: RowColumns.Field,
        _ alignment: Alignment,
        _ place: Place,
        _ grid: inout CellGrid
    ) -> Int {
        guard field.width > 0 else { return 0 }
        return grid.put(
            text,
            column: place.column + field.start,
            row: place.row,
            width: field.width,
            style: style,
            alignment: alignment,
            ellipsis: painter.glyphs.ellipsis
        )
    }

    @discardableResult
    func put(
        _ text: String,
        _ role: Theme.Role,
        _ field: RowColumns.Field,
        _ alignment: Alignment,
        _ place: Place,
        _ grid: inout CellGrid
    ) -> Int {
        put(text, painter.theme.style(role), field, alignment, place, &grid)
    }

    /// A number with its unit; where the number is too long for its part, words in the whole field.
    func put(
        _ measure: Measure?,
        _ role: Theme.Role,
        _ field: RowColumns.Measures,
        _ place: Place,
        _ grid: inout CellGrid
    ) {
        guard let measure, field.number.width > 0 else { return }
        guard DisplayText.width(of: measure.number) <= field.number.width else {
            let text = measure.unit.isEmpty ? measure.number : measure.number + " " + measure.unit
            // What is left of a number that is cut would be another number.
            guard DisplayText.width(of: text) <= field.whole.width else { return }
            put(text, role, field.whole, .leading, place, &grid)
            return
        }
        put(measure.number, role, field.number, .trailing, place, &grid)
        put(measure.unit, .faint, field.unit, .leading, place, &grid)
    }
}

extension RowColumns.Field {
    /// The field without its first columns.
    func dropping(_ count: Int) -> Self {
        Self(start: start + count, width: max(width - count, 0))
    }

    /// From the beginning of this field to the end of another.
    func upTo(_ other: Self) -> Self {
        width > 0 ? Self(start: start, width: other.end - start) : other
    }
}
