import CellScreen

/// Where in the last line the words are, and where the keys.
///
/// As many keys as there is room for, by their rank. What is said goes before keys, but never takes
/// the room of those that are kept: they then stand there without their words.
struct FooterLayout: Sendable {
    /// A key that is offered, and what it does.
    struct Offer: Sendable {
        var key: String
        var words: String
        var rank: Int
        /// What a click on it presses.
        var pressed: Key?
        var column = 0

        init(_ hint: KeyBinding.Hint, words: String) {
            (key, rank, pressed) = (hint.key, hint.rank, hint.pressed)
            self.words = words
        }

        /// The columns from the key to the end of its words.
        var width: Int {
            DisplayText.width(of: key) + (words.isEmpty ? 0 : 1 + DisplayText.width(of: words))
        }
    }

    private static let gap = 2

    /// The columns for what is said, from the first.
    let textWidth: Int
    let offers: [Offer]

    init(width: Int, text: String, offers: [Offer]) {
        let sorted = offers.enumerated()
            .sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
            .map(\.element)
        var kept = sorted.filter { $0.rank < KeyBinding.kept }
        var others = sorted.filter { $0.rank >= KeyBinding.kept }
        let wanted = DisplayText.width(of: text)
        let before = wanted > 0 ? wanted + Self.gap : 0
        var gap = Self.gap
        if before + Self.width(of: kept, gap) > width {
            if wanted > 0 { gap = 1 }
            for index in kept.indices where wanted > 0 { kept[index].words = "" }
            while kept.count > 0, Self.width(of: kept, gap) > width { kept.removeLast() }
            others = []
        }
        var chosen: [Offer] = []
        var end = before + Self.width(of: kept, gap)
        for offer in others {
            end += offer.width + gap
            guard end <= width else { break }
            chosen.append(offer)
        }
        // The ones that are kept stand at the end, the one to stay longest last.
        chosen += kept.reversed()
        let taken = Self.width(of: chosen, gap)
        textWidth = min(wanted, max(width - (chosen.isEmpty ? 0 : taken + Self.gap), 0))
        var column = textWidth > 0 ? textWidth + Self.gap : 0
        for index in chosen.indices {
            chosen[index].column = column
            column += chosen[index].width + gap
        }
        self.offers = chosen
    }

    private static func width(of offers: [Offer], _ gap: Int) -> Int {
        guard !offers.isEmpty else { return 0 }
        return offers.reduce(-gap) { $0 + $1.width + gap }
    }
}
