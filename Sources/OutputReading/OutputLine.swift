/// A line that a program has printed, without escape sequences and without what ended it.
package struct OutputLine: Hashable, Sendable {
    /// What came after it.
    package enum Ending: Hashable, Sendable {
        case newline
        /// Drawn over by the next one, as bars are.
        case carriageReturn
        /// Nothing so far.
        case open
    }

    package var text: String
    package var ending: Ending

    package init(_ text: String, ending: Ending = .newline) {
        self.text = text
        self.ending = ending
    }
}
