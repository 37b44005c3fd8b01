import ProgressBus
import TaskTree

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
    /// A binding has several if a key matters more at one time than at another.
    var hints: [Hint] = []
    /// Whether it sends a request to a task, which a frozen picture and `--read-only` refuse.
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

    /// The same keys, marked as sending requests to tasks.
    var changingWork: KeyBinding {
        var copy = self
        copy.changesWork = true
        return copy
    }
}

/// Keys that mean the same wherever they are.
extension KeyBinding {
    static let vertical = KeyBinding(
        "arrows, j k",
        "move",
        [.up: .move(.up), "k": .move(.up), .down: .move(.down), "j": .move(.down)]
    )

    static let horizontal = KeyBinding(
        "arrows, h l",
        "move",
        [.left: .move(.left), "h": .move(.left), .right: .move(.right), "l": .move(.right)]
    )

    static let pages = KeyBinding(
        "PgUp PgDn",
        "a screenful up, down",
        [.pageUp: .move(.pageUp), .pageDown: .move(.pageDown)]
    )

    static let ends =
        KeyBinding("Home End", "first, last", [.home: .move(.first), .end: .move(.last)])

    static let open = KeyBinding(
        "Enter, l",
        "open the job, or its details",
        [.enter: .choose, .right: .move(.right), "l": .move(.right)]
    ).offered(10, as: "Enter") { model in
        model.selectedRow.map { $0.isParent ? "open" : model.meaningOfDetails }
    }

    /// What a filter looks in besides titles.
    static let fields = KeyBinding("/host: /key:", "tasks of a host, of a key", [:])

    static let refit = KeyBinding("=", "fit rows to what there is", .refit)
        .offered(95) { _ in "fit" }

    static let back = KeyBinding("Esc", "one step back", [.escape: .back])
        .offered(15) { $0.meaningOfBack }

    static let quit = KeyBinding("q, Ctrl-C", "quit; the work goes on", ["q": .quit])
        .offered(0, as: "q") { _ in "quit" }
}

extension [KeyBinding] {
    /// The keys of every view, after the view's own keys.
    static let everywhere: [KeyBinding] =
        finding + acting + [
            KeyBinding("Tab", "details", [.tab: .details]).offered(40) { model in
                model.pane.content == .details || model.hasTasks ? model.meaningOfDetails : nil
            },
            KeyBinding("J K", "scroll the details", ["J": .scrollDown, "K": .scrollUp]),
            // `l` moves, as in every program with these keys; its capital is next to it.
            KeyBinding("L", "messages", .messages)
                .offered(45) { model in
                    model.pane.content == .messages
                        ? "hide messages" : model.hasTasks ? "messages" : nil
                },
            KeyBinding("m", "mosaic", .mosaic)
                .offered(50) { model in
                    if model.view == .mosaic { return "tree" }
                    let row = model.job?.last ?? model.selectedRow
                    return row?.isParent == true ? "mosaic" : nil
                },
            // Not `N`, which goes to the match before.
            KeyBinding("a", "alert: tell when the job ends", .alert)
                .offered(53) { model in
                    guard let job = model.jobOfMessages else { return nil }
                    if model.alerts[job] != nil { return "no alert" }
                    return model.store.rows[job]?.state.isEnded == false ? "alert" : nil
                },
            KeyBinding("y", "copy the id", .copy)
                .offered(70) { $0.selected == nil ? nil : "copy id" },
            KeyBinding("Y", "copy the link in what it says", .copyLink)
                .offered(24) { $0.selectedRow?.links.isEmpty == false ? "copy link" : nil },
            KeyBinding("b", "name background work", .background)
                .offered(60) { $0.activity.cells.isEmpty ? nil : "background" },
            KeyBinding("f", "freeze the picture", .freeze)
                .offered(5) { $0.frozen == nil ? nil : "go on" }
                .offered(55) { $0.frozen == nil && $0.hasTasks ? "freeze" : nil },
            KeyBinding("R", "ask for a fresh picture", .refresh)
                .offered(80) { $0.hasTasks ? "refresh" : nil },
            KeyBinding("?", "the keys of this view", .help)
                .offered(1) { _ in "keys" },
            .quit,
        ]

    private static let finding: [KeyBinding] = [
        KeyBinding(
            "1 to 9",
            "go to a slot",
            Dictionary(uniqueKeysWithValues: "123456789".map { (.character($0), .slot) })
        ),
        KeyBinding("/", "find: hides what does not match", .filter)
            .offered(42) { $0.hasTasks ? "find" : nil },
        KeyBinding("/! /failed", "trouble, or any state", [:]),
        .fields,
        KeyBinding("n N", "next, previous match or trouble", ["n": .next, "N": .previous])
            .offered(7, as: "n") { $0.filter.isEmpty ? nil : "next match" }
            .offered(35, as: "n") { model in
                let isTroubled = model.counts.map { $0.needing > 0 } ?? false
                return model.filter.isEmpty && isTroubled ? "attention" : nil
            },
    ]

    private static let acting: [KeyBinding] = [
        KeyBinding("p", "pause or resume", .pauseOrResume)
            .offered(22) { model in
                guard let row = model.selectedRow, !row.state.isEnded else { return nil }
                if row.state == .paused { return "resume" }
                return row.options.isPausable ? "pause" : nil
            }.changingWork,
        KeyBinding("x", "cancel (asks first)", .cancel)
            .offered(20) { model in
                guard let row = model.selectedRow, !row.state.isEnded else { return nil }
                return row.options.isCancellable ? "cancel" : nil
            }.changingWork,
        KeyBinding("d", "dismiss what has ended", .dismiss)
            .offered(20) { $0.canDismiss ? "dismiss" : nil }
            .changingWork,
    ]
}
