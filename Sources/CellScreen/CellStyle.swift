/// A colour of a terminal's palette, or the one it has for everything else.
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
    /// Which of the links of its grid a cell belongs to, from 1; 0: to none.
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

    /// As the terminal shows text that nobody styled.
    package static let plain = CellStyle()
}
