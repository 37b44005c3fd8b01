/// A scalar as it is drawn, and its columns: 0 for a mark over the one before, else 1 or 2.
struct DisplayScalar: Hashable, Sendable {
    var scalar: Unicode.Scalar
    var width: Int
}

/// The scalars of a text as they are drawn.
///
/// Nothing comes out that moves the cursor, changes the direction or joins its neighbours. A mark
/// comes only after what it is drawn over, and at most two of them.
struct DisplayScalars: Sequence, IteratorProtocol {
    private static let zeroWidthJoiner: Unicode.Scalar = "\u{200D}"

    private var rest: String.UnicodeScalarView.Iterator
    /// The last scalar that took columns; the members of a joined emoji after the first do not.
    private var base: Unicode.Scalar = " "
    /// How many marks may still be drawn over it.
    private var marksLeft = 0
    /// Whether an emoji that comes now belongs to the one that was drawn.
    private var isJoined = false

    init(_ text: String) {
        rest = text.unicodeScalars.makeIterator()
    }

    mutating func next() -> DisplayScalar? {
        while let scalar = rest.next() {
            if scalar.value &- 0x20 < 0x5F { return drawn(scalar, width: 1) }
            switch ScalarClass(scalar) {
            case .narrow:
                if isJoined, isEmoji(scalar) { break }
                // Two regional indicators are a flag on some terminals.
                return drawn(regionalLetter(scalar) ?? scalar, width: 1)
            case .wide:
                if isJoined, isEmoji(scalar) { break }
                return drawn(scalar, width: 2)
            case .mark:
                guard marksLeft > 0 else { break }
                marksLeft -= 1
                return DisplayScalar(scalar: scalar, width: 0)
            case .invisible:
                if scalar == Self.zeroWidthJoiner { isJoined = isEmoji(base) }
            case .space: return drawn(" ", width: 1)
            case .replaced: return drawn("\u{FFFD}", width: 1)
            }
        }
        return nil
    }

    private mutating func drawn(_ scalar: Unicode.Scalar, width: Int) -> DisplayScalar {
        base = scalar
        marksLeft = 2
        isJoined = false
        return DisplayScalar(scalar: scalar, width: width)
    }

    /// Whether a scalar is an emoji; ASCII digits, which Unicode has among them for keycaps, do not
    /// count.
    private func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.isASCII && scalar.properties.isEmoji
    }
}

/// The letter that a regional indicator stands for.
func regionalLetter(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    guard scalar.value >= 0x1F1E6, scalar.value <= 0x1F1FF else { return nil }
    return Unicode.Scalar(UInt8(truncatingIfNeeded: scalar.value - 0x1F1E6 + 0x41))
}

/// What the screen does with a scalar, so that every terminal agrees where the next one stands.
///
/// The C library that lays out the cells, the terminal behind it and a terminal of another year
/// have different ideas of Unicode. What they disagree about is not drawn.
enum ScalarClass: UInt32 {
    /// Takes one column.
    case narrow
    /// Takes two columns.
    case wide
    /// Is drawn over the character before it.
    case mark
    /// Is left out: formats, directions, joiners, variation selectors, tags, skin tones.
    case invisible
    /// Becomes a space: control characters, ends of lines, spaces of other names.
    case space
    /// Becomes U+FFFD: unassigned, private, or of a width that is disputed.
    case replaced

    init(_ scalar: Unicode.Scalar) {
        let value = scalar.value
        switch value {
        case 0x20: self = .space
        // Letters, box drawing, blocks, Braille: most of what is not ASCII on a dashboard.
        case 0x21..<0x7F, 0xC0..<0x300, 0x2500..<0x25FD, 0x2800..<0x2900: self = .narrow
        default: self = Self.found(value)
        }
    }

    /// The class of the last run of the table that begins at or before the scalar.
    static func found(_ value: UInt32) -> ScalarClass {
        let runs = WidthTable.runs
        let highest = value << 3 | 7
        var low = 0
        var high = runs.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if runs[middle] <= highest { low = middle } else { high = middle }
        }
        return ScalarClass(rawValue: runs[low] & 7) ?? .replaced
    }
}
