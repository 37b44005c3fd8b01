extension CellGrid {
    /// What stands at a physical column; `nil` outside.
    package func cell(column: Int, row: Int) -> Cell? {
        guard column >= 0, column < columns, row >= 0, row < rows else { return nil }
        return cells[row * columns + column]
    }

    /// A row from left to right; empty outside.
    package func cells(row: Int) -> ArraySlice<Cell> {
        guard row >= 0, row < rows else { return [] }
        return cells[row * columns..<(row + 1) * columns]
    }

    /// A row as a person sees it, without the blanks at its end.
    package func line(_ row: Int) -> String {
        var result = String.UnicodeScalarView()
        let shown = cells(row: row)
        let end = shown.lastIndex { $0.width > 0 && ($0.scalar != " " || $0.marks.count > 0) }
        guard let end else { return "" }
        for cell in shown[...end] where cell.width > 0 {
            result.append(cell.scalar)
            if cell.marks.count > 0 { result.append(cell.marks.first) }
            if cell.marks.count > 1 { result.append(cell.marks.second) }
        }
        return String(result)
    }

    /// All rows as a person sees them, one per line.
    package var text: String {
        (0..<rows).map(line).joined(separator: "\n")
    }

    /// The rows that look other than in a former grid: all of them if its size was another.
    package func changedRows(since former: CellGrid) -> [Int] {
        guard columns == former.columns, rows == former.rows else { return Array(0..<rows) }
        return (0..<rows).filter { cells(row: $0) != former.cells(row: $0) }
    }
}
