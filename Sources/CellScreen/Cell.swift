/// What one cell of a terminal shows: plain data, so that comparing two screens is cheap.
package struct Cell: Hashable, Sendable {
    /// Up to two scalars drawn over the cell's own; U+0000 where there is none.
    package struct Marks: Hashable, Sendable {
        package var first: Unicode.Scalar = "\0"
        package var second: Unicode.Scalar = "\0"

        package init() {}

        /// How many there are.
        package var count: Int {
            first == "\0" ? 0 : second == "\0" ? 1 : 2
        }

        /// Adds one; a third is left out.
        mutating func append(_ mark: Unicode.Scalar) {
            switch count {
            case 0: first = mark
            case 1: second = mark
            default: break
            }
        }
    }

    package var scalar: Unicode.Scalar
    package var marks = Marks()
    package var style: CellStyle
    /// 1, or 2 for a wide character, or 0 for the right half of the wide one before it.
    package var width: UInt8

    package init(scalar: Unicode.Scalar, style: CellStyle = .plain, width: UInt8 = 1) {
        self.scalar = scalar
        self.style = style
        self.width = width
    }

    /// A cell that shows its background only.
    package static func blank(_ style: CellStyle = .plain) -> Cell {
        Cell(scalar: " ", style: style)
    }

    /// The cell that a wide character takes beside its own.
    static func half(_ style: CellStyle) -> Cell {
        Cell(scalar: " ", style: style, width: 0)
    }
}
