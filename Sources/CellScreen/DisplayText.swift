/// Texts as a terminal shows them, in columns.
///
/// Everything here is about the text as it is drawn: without control and direction-changing
/// characters, with the first picture of a joined emoji, flags as their letters, and U+FFFD for
/// what terminals disagree about. What these functions return may be written to any terminal.
package enum DisplayText {
    /// The columns that a text takes.
    package static func width(of text: String) -> Int {
        var width = 0
        for drawn in DisplayScalars(text) { width += drawn.width }
        return width
    }

    /// The text as it is drawn in at most `width` columns.
    ///
    /// If something is missing it ends with as much of the ellipsis as fits.
    package static func clipped(_ text: String, to width: Int, ellipsis: String = "…") -> String {
        guard width > 0 else { return "" }
        let (whole, isWhole) = beginning(of: text, width)
        if isWhole { return whole }
        let last = beginning(of: ellipsis, width).text
        return beginning(of: text, width - Self.width(of: last)).text + last
    }

    /// The text as it is drawn, in pieces of at most `width` columns.
    ///
    /// A wide character takes two columns even if `width` is one.
    package static func pieces(of text: String, width: Int) -> [String] {
        var pieces = [String.UnicodeScalarView()]
        var left = width
        for drawn in DisplayScalars(text) {
            if drawn.width > left, !pieces[pieces.count - 1].isEmpty {
                pieces.append(String.UnicodeScalarView())
                left = width
            }
            left -= drawn.width
            pieces[pieces.count - 1].append(drawn.scalar)
        }
        return pieces.map(String.init)
    }

    /// As much of a text as is drawn in so many columns, and whether that is all of it.
    private static func beginning(of text: String, _ width: Int) -> (text: String, isWhole: Bool) {
        var result = String.UnicodeScalarView()
        var left = width
        for drawn in DisplayScalars(text) {
            left -= drawn.width
            if left < 0 { return (String(result), false) }
            result.append(drawn.scalar)
        }
        return (String(result), true)
    }
}
