/// A key press, whatever the terminal sent for it.
package enum Key: Hashable, Sendable {
    case character(Character)
    case up, down, left, right
    case pageUp, pageDown, home, end
    case enter, escape, tab, backspace
    /// Ctrl-C.
    case interrupt
}

extension Key: ExpressibleByExtendedGraphemeClusterLiteral {
    package init(extendedGraphemeClusterLiteral character: Character) {
        self = .character(character)
    }
}

/// What the mouse did, in cells from the upper left corner.
package struct MouseEvent: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case click, wheelUp, wheelDown
    }

    package var kind: Kind
    package var column: Int
    package var row: Int

    package init(_ kind: Kind, column: Int, row: Int) {
        self.kind = kind
        self.column = column
        self.row = row
    }
}
