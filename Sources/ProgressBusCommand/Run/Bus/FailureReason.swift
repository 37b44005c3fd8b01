/// Why a command has failed, in one line.
enum FailureReason {
    /// The most bytes of a reason, see PROTOCOL.md 5.1.
    private static let mostBytes = 500
    private static let separator = " | "

    /// Joins how a command ended and as many of its last lines, whole and with words, as fit.
    static func join(_ reason: String, _ all: [String]) -> String {
        let lines = all.filter(hasWords)
        var words = ""
        for line in lines.reversed() {
            let longer = words.isEmpty ? line : line + separator + words
            guard reason.utf8.count + 2 + longer.utf8.count <= mostBytes else { break }
            words = longer
        }
        // A last line that is too long by itself is kept: its beginning says most, and its end is
        // cut off.
        if words.isEmpty { words = lines.last ?? "" }
        return words.isEmpty ? reason : "\(reason): \(words)"
    }

    /// Whether a line is more than bars, rules or a compiler's marks below a line of source.
    private static func hasWords(_ line: String) -> Bool {
        let marks = line.filter { !$0.isWhitespace }
        return marks.count { $0.isLetter } * 4 >= marks.count
    }
}
