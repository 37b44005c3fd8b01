import BusProtocol

/// A command as the title of a task: readable, on one line and not too long.
enum CommandTitle {
    /// The longest title in characters.
    private static let limit = 60

    /// "rsync -a photos/ backup/", "make -j8 …": the program without its directory.
    static func of(_ words: [String]) -> String {
        guard let first = words.first else { return "" }
        let program = first.split(separator: "/").last.map(String.init) ?? first
        var title = quoted(program)
        for (index, word) in words.enumerated().dropFirst() {
            let next = quoted(word)
            // Room for the sign that there is more.
            let reserve = index == words.count - 1 ? 0 : 2
            guard title.count + 1 + next.count + reserve <= limit else {
                // A word without room is left out, unless more than 20 of its characters fit.
                let room = limit - title.count - 2
                return title.prefix(limit - 2) + " " + (room > 20 ? next.prefix(room) : "") + "…"
            }
            title += " " + next
        }
        return title.count > limit ? title.prefix(limit - 1) + "…" : title
    }

    private static func quoted(_ word: String) -> String {
        let text = word.oneLine
        return text.isEmpty || text.contains(" ") ? "'\(text)'" : text
    }
}
