import DashboardCore

/// How the dashboard looks, by the options of the command and the environment.
struct DashboardEnvironment: Equatable {
    var hasColor: Bool
    var hasUnicode: Bool
    var isMirrored: Bool
    /// The built-in theme: a named one, or one for the background of the terminal.
    var theme: Theme
    /// The path of the theme file, if there is to be one.
    var themeFile: String?
    var isShownInTitle: Bool
    var isShownInTaskbar: Bool

    /// Combines the options of the command with the environment.
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

    /// The theme for COLORFGBG, such as "15;0" or "0;default;15", which has the background last.
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
        // The settings of a theme other than colours hold without colours too.
        options.theme = hasColor ? theme : theme.reduced(toColors: 0)
        return options
    }
}
