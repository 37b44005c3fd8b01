/// Keys that belong together: what each does, and how both footer and help speak of them.
struct KeyBinding: Sendable {
    /// How the footer offers them.
    struct Hint: Sendable {
        /// How the key is written there.
        var key: String
        /// The lower, the longer it stays where there is little room; see `KeyBinding.kept`.
        var rank: Int
        /// What a click on it presses.
        var pressed: Key?
        /// What it does at this moment; `nil` if it does nothing then.
        var words: @Sendable (DashboardModel) -> String?
    }

    /// Hints of a lower rank than this are the last to go, and stand at the end.
    static let kept = 2

    /// How the keys are written in the help.
    var name: String
    /// What they do, in the help.
    var meaning: String
    var actions: [Key: KeyAction]
    /// More than one where a key matters more at one time than at another.
    var hints: [Hint] = []
    /// Whether it asks something of a task, which is refused on a frozen picture and by `--read-only`.
    var changesWork = false

    init(_ name: String, _ meaning: String, _ actions: [Key: KeyAction]) {
        self.name = name
        self.meaning = meaning
        self.actions = actions
    }

    /// A key that is a character.
    init(_ character: Character, _ meaning: String, _ action: KeyAction) {
        self.init(String(character), meaning, [.character(character): action])
    }

    /// The same keys, offered in the footer.
    func offered(
        _ rank: Int,
        as key: String? = nil,
        _ words: @escaping @Sendable (DashboardModel) -> String?
    ) -> KeyBinding {
        let key = key ?? name
        let written = key.first.map { [Key.character($0)] } ?? []
        let keys = [.enter, .escape, .tab, .pageDown] + written
        let pressed = keys.first { actions[$0] != nil }
        var copy = self
        copy.hints.append(Hint(key: key, rank: rank, pressed: pressed, words: words))
        return copy
    }

    /// The same keys, which ask something of a task.
    var changingWork: KeyBinding {
        var copy = self
        copy.changesWork = true
        return copy
    }
}
