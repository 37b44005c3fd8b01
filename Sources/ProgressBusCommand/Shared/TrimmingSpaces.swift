extension StringProtocol {
    /// Without the blanks at both ends.
    var trimmingSpaces: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
