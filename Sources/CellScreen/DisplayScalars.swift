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
                // Two of these are a flag, on some terminals.
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

    /// Digits are emoji as well, of keycaps.
    private func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.isASCII && scalar.properties.isEmoji
    }
}

/// The letter that a regional indicator stands for.
func regionalLetter(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    guard scalar.value >= 0x1F1E6, scalar.value <= 0x1F1FF else { return nil }
    return Unicode.Scalar(UInt8(truncatingIfNeeded: scalar.value - 0x1F1E6 + 0x41))
}
