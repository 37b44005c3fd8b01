/// Where a text stands in its field.
package enum Alignment: Hashable, Sendable {
    /// At the side where reading begins: left, in a mirrored grid right.
    case leading
    case trailing
}

/// A screen of styled cells that is drawn upon in columns and rows from 0.
///
/// Drawing takes logical columns: in a mirrored grid, which is for languages written from right to
/// left, column 0 is the rightmost, and a field of `width` columns at `column` covers the physical
/// columns from `columns - column - width`. The characters inside a field keep their order. Any
/// number may be passed anywhere; what lies outside is left out.
///
/// A wide character is never cut: its second cell follows it or a blank takes its place.
package struct CellGrid: Equatable, Sendable {
    /// The most columns and the most rows that a grid has.
    package static let limit = 1_000

    package let columns: Int
    package let rows: Int
    /// Whether columns are counted from the right.
    package let isMirrored: Bool
    /// Row by row, in physical columns.
    var cells: [Cell]
    /// The addresses that links lead to.
    package internal(set) var links: [String] = []

    /// A grid of blanks; negative sizes count as 0, large ones as `limit`.
    package init(columns: Int, rows: Int, isMirrored: Bool = false) {
        self.columns = min(max(columns, 0), Self.limit)
        self.rows = min(max(rows, 0), Self.limit)
        self.isMirrored = isMirrored
        cells = Array(repeating: .blank(), count: self.columns * self.rows)
    }

    /// Makes a field blank.
    package mutating func fill(
        column: Int,
        row: Int,
        width: Int,
        height: Int,
        style: CellStyle = .plain
    ) {
        for row in clip(row, height, to: rows) {
            guard let field = field(column, row, width) else { return }
            blankCutHalves(around: field)
            for index in field { cells[index] = .blank(style) }
        }
    }

    /// Draws one narrow character into each cell of a field; what is not one becomes U+FFFD or a
    /// blank.
    package mutating func put(
        _ scalar: Unicode.Scalar,
        column: Int,
        row: Int,
        width: Int = 1,
        style: CellStyle = .plain
    ) {
        guard let field = field(column, row, width) else { return }
        blankCutHalves(around: field)
        let drawn: Unicode.Scalar =
            switch ScalarClass(scalar) {
            case .narrow: regionalLetter(scalar) ?? scalar
            case .wide, .replaced: "\u{FFFD}"
            case .mark, .invisible, .space: " "
            }
        for index in field { cells[index] = Cell(scalar: drawn, style: style) }
    }

    /// Changes how a part of a row looks; a wide character changes with its left half.
    package mutating func restyle(
        column: Int,
        row: Int,
        width: Int,
        _ change: (inout CellStyle) -> Void
    ) {
        guard let field = field(column, row, width) else { return }
        for index in field where cells[index].width > 0 {
            change(&cells[index].style)
            if cells[index].width == 2 { cells[index + 1].style = cells[index].style }
        }
    }

    /// The cells of a field that lie on the grid, as indices; `nil` if none does.
    func field(_ column: Int, _ row: Int, _ width: Int) -> Range<Int>? {
        guard row >= 0, row < rows else { return nil }
        let logical = clip(column, width, to: columns)
        guard !logical.isEmpty else { return nil }
        let start = row * columns + (isMirrored ? columns - logical.upperBound : logical.lowerBound)
        return start..<start + logical.count
    }

    /// Blanks the halves that remain outside when the cells of a field are overwritten.
    mutating func blankCutHalves(around field: Range<Int>) {
        if cells[field.lowerBound].width == 0 {
            cells[field.lowerBound - 1] = .blank(cells[field.lowerBound - 1].style)
        }
        // No row begins with a half, so this never reaches into the next one.
        if field.upperBound < cells.count, cells[field.upperBound].width == 0 {
            cells[field.upperBound] = .blank(cells[field.upperBound].style)
        }
    }

    private func clip(_ start: Int, _ length: Int, to limit: Int) -> Range<Int> {
        guard length > 0 else { return 0..<0 }
        let (end, isHuge) = start.addingReportingOverflow(length)
        let low = max(start, 0)
        let high = isHuge ? limit : min(end, limit)
        return low < high ? low..<high : 0..<0
    }
}

// MARK: - Text

extension CellGrid {
    /// Draws a text into the field of `width` columns at `column`, and blanks the rest of the
    /// field.
    ///
    /// The part of the field that lies outside the grid does not count. A text that is too long
    /// ends with the ellipsis, or as much of it as fits. Characters are drawn as `DisplayText`
    /// describes.
    /// - Returns: the columns that the text took, its ellipsis included.
    @discardableResult
    package mutating func put(
        _ text: String,
        column: Int,
        row: Int,
        width: Int,
        style: CellStyle = .plain,
        alignment: Alignment = .leading,
        ellipsis: String = "…"
    ) -> Int {
        guard let field = field(column, row, width) else { return 0 }
        blankCutHalves(around: field)
        var (end, isWhole) = write(text, into: field, style)
        if !isWhole {
            let start = max(field.upperBound - DisplayText.width(of: ellipsis), field.lowerBound)
            end = min(end, start)
            // A wide character that the ellipsis would cut goes as a whole.
            if end > field.lowerBound, cells[end - 1].width == 2 { end -= 1 }
            end = write(ellipsis, into: end..<field.upperBound, style).end
        }
        for index in end..<field.upperBound { cells[index] = .blank(style) }
        align(field.lowerBound..<end, in: field, alignment)
        return end - field.lowerBound
    }

    /// Writes what fits; `end` is the first cell that is free.
    private mutating func write(
        _ text: String,
        into field: Range<Int>,
        _ style: CellStyle
    ) -> (end: Int, isWhole: Bool) {
        var end = field.lowerBound
        var last = end
        for drawn in DisplayScalars(text) {
            if drawn.width == 0 {
                cells[last].marks.append(drawn.scalar)
                continue
            }
            guard drawn.width <= field.upperBound - end else { return (end, false) }
            last = end
            cells[end] = Cell(scalar: drawn.scalar, style: style, width: UInt8(drawn.width))
            if drawn.width == 2 { cells[end + 1] = .half(style) }
            end += drawn.width
        }
        return (end, true)
    }

    /// Moves a text that was written at the left of its field to where it belongs.
    private mutating func align(_ text: Range<Int>, in field: Range<Int>, _ alignment: Alignment) {
        let spare = field.count - text.count
        let offset = (alignment == .trailing) == isMirrored ? 0 : spare
        guard offset > 0, !text.isEmpty else { return }
        // All that follows the text in its field is blank, and there are `offset` cells of it.
        let blank = cells[text.upperBound]
        for index in text.reversed() { cells[index + offset] = cells[index] }
        for index in text.lowerBound..<min(text.lowerBound + offset, field.upperBound) {
            cells[index] = blank
        }
    }
}

// MARK: - What is on it

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

    /// The columns of a row from the first to the last that differs from a former grid.
    ///
    /// Wide characters count as a whole. `nil` if no column differs; all columns if the grids
    /// differ in size or there is no former one. The function is in this module as the compiler
    /// then knows what a cell is: comparing the grids is most of the cost of a frame with few
    /// changes.
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
