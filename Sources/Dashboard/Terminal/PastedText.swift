/// What comes between the marks of a paste, up to the mark that ends it.
///
/// Text that is pasted is no key press, whatever is in it. The text kept of a paste, its length and
/// the wait for its end are bounded.
struct PastedText {
    /// Scalars that are kept; more are of no use to anybody here.
    static let mostKept = 1_000
    /// Scalars after which a paste without an end is over.
    static let longest = 16 << 20
    /// How long a paste may pause before it counts as one without an end, in seconds.
    static let patience = 2.0

    private static let end = Array("\u{1B}[201~".unicodeScalars)

    private let longest: Int
    private var kept = String.UnicodeScalarView()
    private var keptCount = 0
    private var count = 0
    /// How much of the end mark has come.
    private var matched = 0

    init(longest: Int = Self.longest) {
        self.longest = longest
    }

    var text: String { String(kept) }

    /// Takes the next scalar, and returns whether the paste is over.
    mutating func take(_ value: UInt32) -> Bool {
        count += 1
        if value == Self.end[matched].value {
            matched += 1
            if matched == Self.end.count { return true }
        } else {
            // It was no end mark. ESC is in the mark only once, so that another mark can begin only
            // here.
            for scalar in Self.end.prefix(matched) { keep(scalar) }
            matched = value == Self.end[0].value ? 1 : 0
            if matched == 0, let scalar = Unicode.Scalar(value) { keep(scalar) }
        }
        return count >= longest
    }

    private mutating func keep(_ scalar: Unicode.Scalar) {
        guard keptCount < Self.mostKept else { return }
        keptCount += 1
        kept.append(scalar)
    }
}
