/// Text of other processes, made fit for a terminal or a log.
enum PlainText {
    /// The text without anything that a terminal would obey: what steers becomes a space.
    static func clean(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: steers) else { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            scalars.append(steers(scalar) ? " " : scalar)
        }
        return String(scalars)
    }

    /// At most so many characters, the last ones dots where something is missing.
    static func cut(_ text: String, to limit: Int) -> String {
        guard text.count > limit else { return text }
        return String(text.prefix(max(limit - 3, 0))) + "..."
    }

    /// Control characters, and those that turn the direction of what follows.
    private static func steers(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
