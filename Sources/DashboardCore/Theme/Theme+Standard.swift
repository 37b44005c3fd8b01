import CellScreen

extension Theme {
    /// Neutral, with colour for what a person should notice.
    ///
    /// Only the six colours that every scheme keeps apart from its background, and 12 and 13: black,
    /// white and their bright forms are the background itself in some. What is secondary is dim
    /// instead of grey, as where a terminal cannot do that it is still readable.
    package static let standard: Theme = {
        var theme = monochrome
        theme.colors = 256
        let colored: [(Role, UInt8, CellStyle.Attributes)] = [
            (.attention, 3, .bold),
            (.waiting, 6, []),
            (.stalled, 3, .bold),
            (.silent, 5, []),
            (.paused, 12, []),
            (.cancelling, 13, []),
            (.succeeded, 2, []),
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
            .title: .bold,
            .faint: .dim,
            .header: .bold,
            .footer: .dim,
            .key: .bold,
            .cursor: .reverse,
            .track: .dim,
            .attention: .bold,
            .chosenButton: [.bold, .reverse],
            .filtered: .dim,
            .waiting: [.dim, .underline],
            .stalled: .bold,
            .silent: [.bold, .underline],
            .paused: .underline,
            .cancelling: [.dim, .reverse],
            .failed: .reverse,
            .cancelled: .dim,
            .lost: [.bold, .reverse],
        ] as [Role: CellStyle.Attributes]).mapValues { CellStyle(attributes: $0) },
        colors: 0
    )
}
