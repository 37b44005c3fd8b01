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

/// A colour of a terminal's palette, or the terminal's standard colour.
package struct CellColor: Hashable, Sendable {
    /// 0 for the standard colour, else the index and one.
    private let code: UInt16

    private init(code: UInt16) {
        self.code = code
    }

    /// The terminal's own foreground or background.
    package static let standard = CellColor(code: 0)

    /// The colour at this place of the palette of 256.
    package static func indexed(_ index: UInt8) -> CellColor {
        CellColor(code: UInt16(index) + 1)
    }

    /// The place in the palette; `nil` for the standard colour.
    package var index: UInt8? {
        code == 0 ? nil : UInt8(truncatingIfNeeded: code - 1)
    }
}

/// How a cell looks, whatever it shows.
package struct CellStyle: Hashable, Sendable {
    /// What a terminal can do to a character beside colouring it.
    package struct Attributes: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let bold = Attributes(rawValue: 1)
        package static let dim = Attributes(rawValue: 2)
        package static let reverse = Attributes(rawValue: 4)
        package static let underline = Attributes(rawValue: 8)
    }

    package var foreground: CellColor
    package var background: CellColor
    package var attributes: Attributes
    /// The number of the cell's link among the links of its grid, from 1; 0 for none.
    var link: UInt8 = 0

    package init(
        foreground: CellColor = .standard,
        background: CellColor = .standard,
        attributes: Attributes = []
    ) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    /// As the terminal shows text without any style.
    package static let plain = CellStyle()
}
