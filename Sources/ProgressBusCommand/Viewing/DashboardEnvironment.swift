import DashboardCore

/// What arguments and environment together say of how the dashboard looks.
struct DashboardEnvironment: Equatable {
    var hasColor: Bool
    var hasUnicode: Bool
    var isMirrored: Bool
    /// The theme without a file: one that is named, or one for the ground of the terminal.
    var theme: Theme
    /// The path of the theme file, if there is to be one.
    var themeFile: String?
    var isShownInTitle: Bool
    var isShownInTaskbar: Bool

    /// All but the environment is what arguments say.
    init(
        direction: DashboardArguments.Direction? = nil,
        theme: String? = nil,
        title: Bool = false,
        taskbar: Bool = false,
        environment: [String: String]
    ) {
        let locale = LocaleName(environment: environment)
        hasColor = (environment["NO_COLOR"] ?? "").isEmpty
        hasUnicode = locale.isUTF8
        isMirrored = direction.map { $0 == .rtl } ?? locale.isRightToLeft
        let named = theme ?? environment["PROGRESSBUS_THEME"] ?? ""
        let known = Theme.named[named]
        self.theme = known ?? Self.theme(onGround: environment["COLORFGBG"] ?? "")
        themeFile = named.isEmpty || known != nil ? nil : named
        isShownInTitle = title
        isShownInTaskbar = taskbar
    }

    /// The theme for a terminal that says of its colours "15;0" or "0;default;15": what stands
    /// last is the ground.
    private static func theme(onGround colors: String) -> Theme {
        switch colors.split(separator: ";").last.flatMap({ Int($0) }) {
        case .some(0...6), 8: .dark
        case 7, .some(9...15): .light
        default: .standard
        }
    }

    /// Theme, glyphs, direction, title and taskbar that follow from this and the theme file's text.
    func options(themeText: String? = nil) throws(ThemeError) -> DashboardOptions {
        var options = DashboardOptions()
        options.isMirrored = isMirrored
        options.showsTitle = isShownInTitle
        options.showsTaskbar = isShownInTaskbar
        options.glyphs = hasUnicode ? .unicode : .ascii
        let theme = if let themeText { try Theme(parsing: themeText) } else { theme }
        // What a theme says besides colours holds without them.
        options.theme = hasColor ? theme : theme.reduced(toColors: 0)
        return options
    }
}
