/// A line that a program has printed, without escape sequences and without what ended it.
///
/// Most lines are no progress, so they stay bytes until an adapter wants words of them.
struct OutputLine: Hashable, Sendable {
    /// What ended the line.
    enum Ending: Hashable, Sendable {
        case newline
        /// The next line is drawn over this one, as with bars.
        case carriageReturn
        /// Nothing so far: the line may have been cut anywhere, even in the middle of a number.
        case open
    }

    /// The bytes of the line, which may be no valid UTF-8.
    var bytes: [UInt8]
    var ending: Ending

    init(_ text: String, ending: Ending = .newline) {
        self.init(bytes: Array(text.utf8), ending: ending)
    }

    init(bytes: [UInt8], ending: Ending) {
        self.bytes = bytes
        self.ending = ending
    }
}
