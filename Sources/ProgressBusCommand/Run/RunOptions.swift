import ArgumentParser
import OutputReading

/// How a command is run as a task, here or on another machine.
struct RunOptions: ParsableArguments {
    @Option(help: "The title of the task; the command itself if not given.")
    var title: String?

    @Option(
        parsing: .unconditional,
        help: "How many units of its parent the task is worth, if it has a parent."
    )
    var share: Int?

    @Option(
        help:
            "The name that gives the job the same slot each time it runs; the title if not given."
    )
    var key: String?

    @Option(
        help: ArgumentHelp(
            "The program whose way of printing progress is expected; \"none\" reads nothing.",
            discussion: "If not given, the command and its output decide. There are "
                + AdapterChoice.names.joined(separator: ", ") + "."
        ),
        completion: .list(AdapterChoice.names + ["none"])
    )
    var adapter: String?

    @Option(
        help: ArgumentHelp(
            "Read progress from the lines that have this pattern.",
            discussion: "Names in braces stand for values: {percent}, or {completed} and {total}; "
                + "{unit}, {detail}, {part}. For example: '{completed} of {total} {unit}'"
        )
    )
    var pattern: String?

    @Flag(
        name: .customLong("tail"),
        inversion: .prefixedNo,
        help:
            "Add the last lines of a command that failed to the reason and the log."
    )
    var keepsTail = true

    @Option(
        parsing: .unconditional,
        help: "Seconds from SIGTERM to SIGKILL when the task is cancelled."
    )
    var grace = 10.0

    @OptionGroup var endpoint: EndpointOptions

    func validate() throws {
        guard grace >= 0, grace <= 86_400 else {
            throw ValidationError("--grace is a number of seconds from 0 to 86400.")
        }
        if let share, share < 0 { throw ValidationError("--share is a number from 0.") }
        if adapter != nil, pattern != nil {
            throw ValidationError("--adapter and --pattern cannot be used together.")
        }
    }

    /// The rules for the command with these words.
    ///
    /// - Throws: Exit code 64 if an option is wrong, before anything runs. A wrong endpoint in the
    ///   environment does not keep the command from running.
    func rules(for words: [String]) throws(CommandFailure) -> RunRules {
        if endpoint.endpoint != nil { _ = try endpoint.resolve() }
        let choice = adapterChoice(words)
        do {
            _ = try OutputReader(choice: choice)
        } catch {
            throw CommandFailure(.usage, String(describing: error))
        }
        return RunRules(grace: grace, choice: choice, keepsTail: keepsTail)
    }

    private func adapterChoice(_ words: [String]) -> AdapterChoice {
        let command = CommandWords(words)
        if let pattern { return .pattern(pattern) }
        switch adapter {
        case nil: return .automatic(command)
        case "none"?: return .none
        case let name?: return .forced(name, for: command)
        }
    }
}
