import CellScreen

/// Texts in the columns of a row.
extension RowView {
    /// The names of the columns, in the row above them.
    func drawHeads(_ title: String, row: Int, _ painter: inout Painter) {
        painter.put("#", .faint, columns.number, row: row, .trailing)
        painter.put(title, .faint, columns.title, row: row)
        let (left, isWide) = (columns.left, columns.left.number.width >= 4)
        let heads: [(String, Field, Alignment)] = [
            ("PROGRESS", columns.bar.upTo(columns.percent), .leading),
            ("DONE", columns.counts.number, .trailing), ("RATE", columns.rate.number, .trailing),
            ("TREND", columns.trend, .leading),
            ("LEFT", isWide ? left.number : left.whole, isWide ? .trailing : .leading),
            ("ENDS", columns.ends, .leading), ("TIME", columns.taken.whole, .leading),
            ("HOST", columns.host, .leading), ("NOW", columns.detail, .leading),
        ]
        for (head, field, alignment) in heads where head.count <= field.width {
            painter.put(head, .faint, field, row: row, alignment)
        }
    }

    /// A number with its unit; where the number is too long for its part, words in the whole field.
    func put(
        _ measure: Measure?,
        _ role: Theme.Role,
        _ field: RowColumns.Measures,
        row: Int,
        _ painter: inout Painter
    ) {
        guard let measure, field.number.width > 0 else { return }
        if DisplayText.width(of: measure.number) <= field.number.width {
            painter.put(measure.number, role, field.number, row: row, .trailing)
            painter.put(measure.unit, .faint, field.unit, row: row)
            return
        }
        let text = measure.unit.isEmpty ? measure.number : measure.number + " " + measure.unit
        // What is left of a number that is cut would be another number.
        guard DisplayText.width(of: text) <= field.whole.width else { return }
        painter.put(text, role, field.whole, row: row)
    }
}
