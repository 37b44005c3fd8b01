extension String {
    /// The text with every control character replaced by a space.
    ///
    /// Whatever a peer sends ends up on somebody's terminal, in a line of a log, in a key of the
    /// journal: no escape sequence, line break or NUL may reach those. Costs a look at the bytes
    /// if there is nothing to replace.
    package var oneLine: String {
        guard hasControls else { return self }
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: text.append(" ")
            default: text.append(scalar)
            }
        }
        return String(text)
    }

    /// Whether `oneLine` has anything to replace.
    var hasControls: Bool {
        if isPlain() { return false }
        var former: (UInt8, UInt8) = (0, 0)
        for byte in utf8 {
            // C0 and DEL are one byte; C1 (U+0080 to U+009F) are C2 80 to C2 9F; the separators of
            // lines and paragraphs are E2 80 A8 and E2 80 A9.
            if byte < 0x20 || byte == 0x7F { return true }
            if former.1 == 0xC2, byte < 0xA0 { return true }
            if former == (0xE2, 0x80), byte == 0xA8 || byte == 0xA9 { return true }
            former = (former.1, byte)
        }
        return false
    }
}
