/// All keys of one view, in the order of its help.
///
/// Only this table decides what a key does, what the footer offers and what the help lists. Arrows
/// and `h j k l` move everywhere; no key means one thing in one view and another in the next.
struct KeyTable: Sendable {
    var bindings: [KeyBinding]
    /// What all other characters do; in a line that is being typed they are added to it.
    var typing: KeyAction?

    func binding(of key: Key) -> KeyBinding? {
        bindings.first { $0.actions[key] != nil }
    }

    func action(for key: Key) -> KeyAction? {
        // Ctrl-C ends the program whatever is open, and never the work.
        if key == .interrupt { return .quit }
        if let action = binding(of: key)?.actions[key] { return action }
        if case .character = key { return typing }
        return nil
    }

    static func of(_ context: KeyContext) -> KeyTable {
        switch context {
        case .board: board
        case .ordered: ordered
        case .job: job
        case .mosaic: mosaic
        case .help: help
        case .dialog: dialog
        case .slotLine: slotLine
        case .filterLine: filterLine
        }
    }

    // MARK: - Views

    private static let board = KeyTable(
        bindings: [
            .vertical, .pages, .ends, .open,
            KeyBinding("o", "a copy by time left, trouble, host", .order)
                .offered(52) { $0.hasTasks ? "order" : nil },
            KeyBinding("D", "dismiss all that has ended (asks first)", .dismissAll)
                .offered(54) { $0.hasEndedJob ? "dismiss all" : nil }.changingWork,
            KeyBinding("+ -", "lines of a slot", ["+": .higher, "-": .lower])
                .offered(90) { $0.hasTasks ? "lines" : nil },
            .back,
        ] + .everywhere
    )

    private static let ordered = KeyTable(
        bindings: [
            .vertical, .pages, .ends, .open,
            KeyBinding("o", "the next order", .order)
                .offered(12) { $0.ordered?.order.next.rawValue },
            .back,
        ] + .everywhere
    )

    private static let job = KeyTable(
        bindings: [
            .vertical,
            KeyBinding(
                "right, l",
                "show what is below",
                [.right: .move(.right), "l": .move(.right)]
            ),
            KeyBinding(
                "left, h",
                "hide it, or to the parent",
                [.left: .move(.left), "h": .move(.left)]
            ),
            .pages, .ends,
            KeyBinding("Enter", "show or hide what is below, or details", [.enter: .choose])
                .offered(10) { $0.meaningOfChoice },
            KeyBinding("E", "expand: show what is below all tasks", .unfoldAll)
                .offered(92) { $0.filter.isEmpty ? "expand all" : nil }
                .offered(6) { $0.filter.isEmpty || !$0.hasFoldedTask ? nil : "expand all" },
            KeyBinding("C", "collapse: hide what is below all tasks", .foldAll)
                .offered(93) { _ in "collapse all" },
            .refit, .back,
        ] + .everywhere
    )

    private static let mosaic = KeyTable(
        bindings: [
            .vertical, .horizontal, .pages, .ends,
            KeyBinding("Enter", "show the task in its tree", [.enter: .choose])
                .offered(10) { _ in "show in tree" },
            .refit, .back,
        ] + [KeyBinding].everywhere.filter { $0.name != KeyBinding.fields.name }
    )

    // MARK: - In front of them

    private static let help = KeyTable(
        bindings: [
            .vertical.offered(10, as: "j k") { $0.helpLinesCut > 0 ? "scroll" : nil },
            .pages, .ends,
            KeyBinding("Esc", "back", [.escape: .back, .enter: .back, "?": .back])
                .offered(1) { _ in "back" },
            .quit,
        ]
    )

    private static let dialog = KeyTable(
        bindings: [
            KeyBinding(
                "arrows, h j k l",
                "choose",
                KeyBinding.vertical.actions
                    .merging(KeyBinding.horizontal.actions) { first, _ in first }
                    .merging([.tab: .move(.right)]) { first, _ in first }
            ).offered(10, as: "arrows") { _ in "choose" },
            .pages.offered(2, as: "PgDn") { $0.dialogLinesCut > 0 ? "more" : nil },
            .ends,
            KeyBinding("Enter", "do it", [.enter: .choose]).offered(1) { _ in "do it" },
            KeyBinding("Esc", "leave everything as it is", [.escape: .back, "q": .back])
                .offered(0) { $0.dialog?.choices.first?.label.lowercased() },
        ]
    )

    private static let slotLine = KeyTable(
        bindings: [
            KeyBinding("Enter", "go there", [.enter: .choose]).offered(1) { _ in "goes there" },
            KeyBinding("Esc", "leave it", [.escape: .back]).offered(0) { _ in "leaves" },
            KeyBinding("Backspace", "take back a digit", [.backspace: .erase]),
            KeyBinding(
                "arrows",
                "leave it and move",
                [
                    .up: .move(.up), .down: .move(.down), .left: .move(.left),
                    .right: .move(.right),
                ]
            ),
            .pages, .ends,
        ],
        typing: .type
    )

    private static let filterLine = KeyTable(
        bindings: [
            KeyBinding("Enter", "keep it", [.enter: .choose]).offered(1) { _ in "keeps" },
            KeyBinding("Esc", "show everything again", [.escape: .back])
                .offered(0) { _ in "leaves" },
            KeyBinding("Backspace", "take back a character", [.backspace: .erase]),
        ],
        typing: .type
    )
}
