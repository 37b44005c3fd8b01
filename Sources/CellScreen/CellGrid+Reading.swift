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

    /// The columns of a row from the first to the last that looks other than in a former grid.
    ///
    /// Wide characters count as a whole; `nil` if none does, all of them if its size was another.
    /// Here and not where it is needed, as the compiler then knows what a cell is: comparing a
    /// screen is most of what a frame costs that changes little.
    package func changedColumns(row: Int, since former: CellGrid?) -> Range<Int>? {
        guard row >= 0, row < rows, columns > 0 else { return nil }
        guard let former, columns == former.columns, rows == former.rows else { return 0..<columns }
        let begin = row * columns
        var first = 0
        var last = columns - 1
        cells.withUnsafeBufferPointer { new in
            former.cells.withUnsafeBufferPointer { old in
                while first <= last, new[begin + first] == old[begin + first] { first += 1 }
                while last > first, new[begin + last] == old[begin + last] { last -= 1 }
            }
        }
        guard first <= last else { return nil }
        while first > 0, cells[begin + first].width == 0 { first -= 1 }
        while last + 1 < columns, cells[begin + last + 1].width == 0 { last += 1 }
        return first..<last + 1
    }
}
