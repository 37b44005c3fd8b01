/// What a person gives ssh besides the machine and the command, such as `-p 2222`.
enum SSHOptions {
    /// The options with which ssh runs no command, or does not wait for it.
    private static let withoutCommand = Set("fGNOQsVW")
    /// The options with a value, in the same word or the next one; as in ssh(1).
    private static let withValue = Set("BbcDEeFIiJLlmoPpRSw")

    /// The first mistake in the options, and what to do; `nil` if there is none.
    static func mistake(in words: some Sequence<String>) -> String? {
        var isValue = false
        for word in words {
            if isValue {
                isValue = false
                // `-f` and `-N` by their other names.
                let name = word.lowercased().prefix { $0 != "=" && $0 != " " }
                if ["forkafterauthentication", "sessiontype"].contains(name) {
                    return "with \(word) ssh may not run the command and wait for it; leave it out"
                }
            } else if word.hasPrefix("--") {
                return "\(word) is no option of ssh; options of progressbus come before the "
                    + "machine: progressbus ssh \(word) … HOST -- COMMAND…"
            } else if word.hasPrefix("-") {
                let letters = Array(word.dropFirst())
                let end = letters.firstIndex { withValue.contains($0) } ?? letters.count
                if let letter = letters[..<end].first(where: withoutCommand.contains) {
                    return "with -\(letter) ssh does not run the command and wait for it; leave it "
                        + "out"
                }
                isValue = end == letters.count - 1
            } else {
                return "what ssh is to run comes behind --: progressbus ssh HOST -- \(word) …"
            }
        }
        return isValue ? "the last option of ssh has no value" : nil
    }
}
