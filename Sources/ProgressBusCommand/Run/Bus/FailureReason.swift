/// Why a command has failed, in one line.
enum FailureReason {
    /// What a reason may have, see PROTOCOL.md 5.1.
    private static let mostBytes = 500
    private static let separator = " | "

    /// How it ended, and as many of its last lines with words in them as there is room for, whole.
    static func join(_ reason: String, _ all: [String]) -> String {
        let lines = all.filter(hasWords)
        var words = ""
        for line in lines.reversed() {
            let longer = words.isEmpty ? line : line + separator + words
            guard reason.utf8.count + 2 + longer.utf8.count <= mostBytes else { break }
            words = longer
        }
        // A last line that is too long by itself says most at its beginning; the end is cut off.
        if words.isEmpty { words = lines.last ?? "" }
        return words.isEmpty ? reason : "\(reason): \(words)"
    }

    /// Bars, rules and the marks that compilers put below a line of source say nothing by themselves.
    private static func hasWords(_ line: String) -> Bool {
        let marks = line.filter { !$0.isWhitespace }
        return marks.count { $0.isLetter } * 4 >= marks.count
    }
}
