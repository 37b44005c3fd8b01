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
