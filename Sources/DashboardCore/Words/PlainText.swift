import CellScreen

/// Text of other processes, made fit for a terminal or a log.
package enum PlainText {
    /// The text with a space in place of every character that a terminal would obey.
    package static func clean(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: steers) else { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            scalars.append(steers(scalar) ? " " : scalar)
        }
        return String(scalars)
    }

    /// The text without control characters at its beginning and its end, such as the last line
    /// break.
    static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !steers($0) }),
            let last = scalars.lastIndex(where: { !steers($0) })
        else { return "" }
        return String(scalars[first...last])
    }

    /// The text in at most this many columns of a terminal, ending in dots if it is cut.
    package static func cut(_ text: String, to columns: Int) -> String {
        DisplayText.clipped(text, to: columns, ellipsis: "...")
    }

    /// The first of several forms that takes at most so many columns; empty if none does.
    ///
    /// A number is left out rather than cut, as a part of it would read as another number.
    package static func firstFitting(_ forms: [String], in columns: Int) -> String {
        forms.first { DisplayText.width(of: $0) <= columns } ?? ""
    }

    /// Whether a scalar is a control character, or changes the direction of the text after it.
    private static func steers(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
