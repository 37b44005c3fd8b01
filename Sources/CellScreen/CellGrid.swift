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
    /// Where cells lead to.
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
