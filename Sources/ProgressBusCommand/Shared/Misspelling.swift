/// An unknown word, and the known word that was perhaps meant.
struct Misspelling {
    /// A longer word is cut, because its author meant none of the known words.
    private static let longest = 40

    /// The word, or the beginning of a long one.
    let shown: String
    private let word: [Character]

    init(_ word: String) {
        shown = word.count <= Self.longest ? word : word.prefix(Self.longest) + "…"
        self.word = Array(shown.lowercased())
    }

    /// The first of the words that differ least; `nil` if more than a third of its letters differ.
    ///
    /// One letter may always differ.
    func nearest(of words: [String]) -> String? {
        let distances = words.map { (word: $0, distance: distance(to: Array($0))) }
        guard let nearest = distances.min(by: { $0.distance < $1.distance }),
            nearest.distance <= max(1, nearest.word.count / 3)
        else { return nil }
        return nearest.word
    }

    /// The number of letters to insert, remove, replace, or swap with the next letter.
    private func distance(to other: [Character]) -> Int {
        var above: [Int] = []
        var row = Array(0...other.count)
        for (line, letter) in word.enumerated() {
            var next = [line + 1]
            for (column, otherLetter) in other.enumerated() {
                var least = min(
                    row[column] + (letter == otherLetter ? 0 : 1),
                    row[column + 1] + 1,
                    next[column] + 1
                )
                if line > 0, column > 0, letter == other[column - 1],
                    word[line - 1] == otherLetter
                {
                    least = min(least, above[column - 1] + 1)
                }
                next.append(least)
            }
            above = row
            row = next
        }
        return row[other.count]
    }
}
