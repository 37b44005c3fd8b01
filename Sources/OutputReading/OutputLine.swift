/// A line that a program has printed, without escape sequences and without what ended it.
///
/// Most lines are no progress, so they stay bytes until an adapter wants words of them.
struct OutputLine: Hashable, Sendable {
    /// What came after it.
    enum Ending: Hashable, Sendable {
        case newline
        /// Drawn over by the next one, as bars are.
        case carriageReturn
        /// Nothing so far: it may have been cut anywhere, in the middle of a number too.
        case open
    }

    /// Perhaps no UTF-8.
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
