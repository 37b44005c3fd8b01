import ProcessControl

/// How `watch` shows the bus.
enum OutputMode: Equatable {
    /// A screen that is drawn over and over.
    case dashboard
    /// A line per change.
    case plain
    /// A line per change, and one a minute while there is no change: for screen readers.
    case accessible
    /// One object per line.
    case json

    /// What was asked for, else what the output can show; only the dashboard needs a terminal.
    static func choose(
        json: Bool = false,
        plain: Bool,
        environment: [String: String] = OwnProcess.environment,
        isTerminal: Bool = isatty(STDOUT_FILENO) == 1
    ) -> OutputMode {
        if json { return .json }
        if isAccessible(environment) { return .accessible }
        let terminal = environment["TERM"] ?? ""
        return plain || !isTerminal || ["", "dumb"].contains(terminal) ? .plain : .dashboard
    }

    /// Whether the output is for a screen reader, with words instead of marks.
    static func isAccessible(_ environment: [String: String]) -> Bool {
        !["", "0"].contains(environment["ACCESSIBLE"] ?? "")
    }
}
