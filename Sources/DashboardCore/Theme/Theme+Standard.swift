import CellScreen

/// The built-in themes: only trouble is loud, running tasks have one colour, tasks that are done
/// recede, and secondary text is grey.
extension Theme {
    /// For 256 colours on an unknown background: each can be read on black and on white.
    package static let standard = Theme([
        .fill: 31, .faint: 243, .track: 243, .succeeded: 65, .waiting: 30, .stalled: 130,
        .silent: 133, .paused: 63, .cancelling: 162, .failed: 196,
    ])

    /// For 256 colours on black, or nearly.
    package static let dark = Theme(
        [
            .fill: 74, .faint: 245, .track: 238, .succeeded: 65, .waiting: 73, .stalled: 214,
            .silent: 176, .paused: 111, .cancelling: 211, .failed: 203,
        ],
        cursor: .indexed(236)
    )

    /// For 256 colours on white, or nearly.
    package static let light = Theme(
        [
            .fill: 25, .faint: 242, .track: 250, .succeeded: 65, .waiting: 24, .stalled: 94,
            .silent: 90, .paused: 55, .cancelling: 125, .failed: 160,
        ],
        cursor: .indexed(254)
    )

    /// For 16 colours, which the owner of the terminal may have changed.
    ///
    /// It uses the six colours that every scheme keeps apart from its background, and 12 and 13;
    /// black, white and their bright forms are the background itself in some schemes. Secondary
    /// text is dim instead of grey, and stays readable where a terminal cannot dim it.
    static let sixteen: Theme = {
        var theme = monochrome
        theme.colors = 16
        let colored: [(Role, UInt8, CellStyle.Attributes)] = [
            (.fill, 6, []),
            (.plot, 6, []),
            (.attention, 3, .bold),
            (.waiting, 6, .dim),
            (.stalled, 3, .bold),
            (.silent, 5, []),
            (.paused, 12, []),
            (.cancelling, 13, []),
            (.succeeded, 2, .dim),
            (.failed, 1, .bold),
            (.lost, 1, [.bold, .reverse]),
        ]
        for (role, color, attributes) in colored {
            theme.styles[role] = CellStyle(foreground: .indexed(color), attributes: attributes)
        }
        return theme
    }()

    /// Without any colour, for `NO_COLOR` and for terminals that have none.
    package static let monochrome = Theme(
        styles: ([
            .faint: .dim,
            .header: .bold,
            .footer: .dim,
            .key: .bold,
            .cursor: .bold,
            .track: .dim,
            .attention: .bold,
            .chosenButton: [.bold, .reverse],
            .filtered: .dim,
            .waiting: [.dim, .underline],
            .stalled: .bold,
            .silent: [.bold, .underline],
            .paused: .underline,
            .cancelling: [.dim, .reverse],
            .succeeded: .dim,
            .failed: .reverse,
            .cancelled: [.dim, .bold],
            .lost: [.bold, .reverse],
        ] as [Role: CellStyle.Attributes]).mapValues { CellStyle(attributes: $0) },
        colors: 0
    )

    /// All of them by their names.
    package static let named: [String: Theme] = [
        "standard": standard, "dark": dark, "light": light, "monochrome": monochrome,
    ]

    /// The themes whose styles are replaced on terminals of 16 colours or fewer.
    static let ofManyColors = [standard, dark, light]

    /// Derives the colours of the other roles from these.
    private init(_ colors: [Role: UInt8], cursor: CellColor = .standard) {
        self = .monochrome
        self.colors = 256
        // The mark of a running task has no colour: it changes all the time, and colours would be
        // half of its bytes.
        let others: [Role: Role] = [
            .plot: .fill, .footer: .faint, .filtered: .faint, .cancelled: .faint,
            .attention: .stalled, .lost: .failed,
        ]
        let attributes: [Role: CellStyle.Attributes] = [
            .filtered: .dim, .attention: .bold, .stalled: .bold, .silent: .bold, .failed: .bold,
            .lost: [.bold, .reverse],
        ]
        for role in Array(colors.keys) + others.keys {
            guard let color = colors[others[role] ?? role] else { continue }
            styles[role] =
                CellStyle(foreground: .indexed(color), attributes: attributes[role] ?? [])
        }
        styles[.cursor] = CellStyle(background: cursor, attributes: .bold)
    }
}
