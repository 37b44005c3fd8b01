import ArgumentParser

/// The options for how the dashboard looks.
struct DashboardArguments: ParsableArguments {
    /// The side at which everything begins.
    enum Direction: String, EnumerableFlag {
        case ltr, rtl

        static func help(for direction: Direction) -> ArgumentHelp? {
            switch direction {
            case .ltr: "Draw from left to right, in every locale."
            case .rtl: "Draw from right to left, in every locale."
            }
        }
    }

    @Flag var direction: Direction?

    @Option(
        help: ArgumentHelp(
            "The colours of the dashboard: standard, dark, light, monochrome, or a file.",
            discussion: "If not given, what PROGRESSBUS_THEME names, else what suits the terminal.",
            valueName: "theme"
        ),
        completion: .file()
    )
    var theme: String?

    @Flag(help: "Show the progress in the title of the terminal.")
    var terminalTitle = false

    @Flag(help: "Show the progress in the taskbar, where the terminal can (OSC 9;4).")
    var taskbar = false

    /// Whether any of these options is given.
    var isGiven: Bool { direction != nil || theme != nil || terminalTitle || taskbar }

    /// Combines these options with an environment.
    func look(in environment: [String: String]) -> DashboardEnvironment {
        DashboardEnvironment(
            direction: direction,
            theme: theme,
            title: terminalTitle,
            taskbar: taskbar,
            environment: environment
        )
    }
}
