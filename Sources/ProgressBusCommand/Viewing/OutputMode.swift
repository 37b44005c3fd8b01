import ProcessControl

/// How `watch` shows the bus.
enum OutputMode: Equatable {
    /// A screen that is drawn over and over.
    case dashboard
    /// A line per change.
    case plain
    /// A line per change and, while there is none, one a minute: for those who are read to.
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

    /// Whether words are wanted where others look at marks.
    static func isAccessible(_ environment: [String: String]) -> Bool {
        !["", "0"].contains(environment["ACCESSIBLE"] ?? "")
    }
}
