import DashboardCore

/// What arguments and environment together say of how the dashboard looks.
struct DashboardEnvironment: Equatable {
    var hasColor: Bool
    var hasUnicode: Bool
    var isMirrored: Bool
    /// The path of the theme file, if there is to be one.
    var themeFile: String?
    var isShownInTitle: Bool
    var isShownInTaskbar: Bool

    /// - Parameters:
    ///   - direction: Where everything begins, if an argument says so.
    ///   - theme: The theme file that an argument names.
    ///   - title: Whether the title of the terminal shows the progress.
    ///   - taskbar: Whether the taskbar does.
    ///   - environment: The environment of the process.
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
        themeFile = named.isEmpty ? nil : named
        isShownInTitle = title
        isShownInTaskbar = taskbar
    }

    /// The options that follow from this.
    ///
    /// - Parameter themeText: What is in the theme file, if there is one.
    /// - Returns: Theme, glyphs and direction; all else is as it is by default.
    /// - Throws: `ThemeError` if the file says something wrong.
    func options(themeText: String? = nil) throws(ThemeError) -> DashboardOptions {
        var options = DashboardOptions()
        options.isMirrored = isMirrored
        options.glyphs = hasUnicode ? .unicode : .ascii
        if let themeText {
            let theme = try Theme(parsing: themeText)
            // What a theme says besides colours holds without them.
            options.theme = hasColor ? theme : theme.reduced(toColors: 0)
        } else {
            options.theme = hasColor ? .standard : .monochrome
        }
        return options
    }
}
