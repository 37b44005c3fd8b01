import ArgumentParser
import ProcessControl
import OutputReading

/// `progressbus run`: runs a command as a task.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs a command as a task, and reads the progress it prints.",
        discussion: """
            The command is as it is without: what it prints is passed on unchanged, on a terminal \
            it has one, and keys, signals and its exit status are passed on too. It ends as \
            succeeded with exit status 0 and as failed otherwise. Cancelling its task sends \
            SIGTERM, and SIGKILL after a time of grace; pausing stops it and all it has started. \
            SIGUSR1 and SIGUSR2 go to the command alone, other signals to all it has started too.

              progressbus run -- rsync -a photos/ backup/
              progressbus run --title "Nightly build" -- make -j8

            With -j, many commands, so many at a time: one for each argument behind ":::", or for \
            each line of standard input, put in the place of "{}". Their lines do not mix, and \
            those that fail are listed at the end:

              progressbus run -j 4 -- gzip -k {} ::: *.log
              find . -name '*.png' -print0 | progressbus run -j 0 -0 -- optipng -quiet {}

            What it reports itself, by a library or by `progressbus report`, becomes a part of its \
            task, and its output is not read from then on. Interrupted by Ctrl-C it is cancelled. \
            When it fails, the last lines that it printed are told with the reason and in the log. \
            The command runs whether there is a broker or not.

            Exit codes: those of the command; 74 if it has succeeded and what it printed could not \
            be written, as to a full disk; 126 if it cannot be executed, 127 if it was not \
            found, 128 and the number of the signal that ended it.
            """
    )

    @Option(help: "What the task is called; the command itself if left out.")
    var title: String?

    @Option(help: "How many of the parent's units it is worth, where it has a parent.")
    var share: Int?

    @Option(
        help:
            "The name by which it is the same job tomorrow; left out it is the title. Parts have none."
    )
    var key: String?

    @Option(
        help: ArgumentHelp(
            "Which program's progress is to be understood; \"none\" reads nothing.",
            discussion: "Without it the command and its output decide. There are "
                + AdapterChoice.names.joined(separator: ", ") + "."
        ),
        completion: .list(AdapterChoice.names + ["none"])
    )
    var adapter: String?

    @Option(
        help: ArgumentHelp(
            "Understand lines in which this pattern stands.",
            discussion: "Names in braces say what is what: {percent}, or {completed} and {total}; "
                + "{unit}, {detail}, {part}. For example: '{completed} of {total} {unit}'"
        )
    )
    var pattern: String?

    @Flag(
        name: .customLong("tail"),
        inversion: .prefixedNo,
        help:
            "Tell the last lines that a command printed before it failed, in the reason and the log."
    )
    var keepsTail = true

    @Option(help: "Seconds between SIGTERM and SIGKILL when the task is cancelled.")
    var grace = 10.0

    @Option(
        name: [.customShort("j", allowingJoined: true), .customLong("jobs")],
        help: "Run a command for each argument, this many at a time; 0 is one for each core."
    )
    var jobs: Int?

    @Flag(
        name: [.customShort("0"), .customLong("null")],
        help: "With -j, arguments on standard input end with a NUL instead of a line's end."
    )
    var isNulSeparated = false

    @OptionGroup var endpoint: EndpointOptions

    @Argument(parsing: .captureForPassthrough, help: "The command and its arguments.")
    var command: [String] = []

    func validate() throws {
        guard grace >= 0, grace <= 86_400 else {
            throw ValidationError("--grace is a number of seconds from 0 to 86400.")
        }
        if let share, share < 0 { throw ValidationError("--share is a number from 0.") }
        if adapter != nil, pattern != nil {
            throw ValidationError("--adapter and --pattern cannot be used together.")
        }
        if let jobs, !(0...256).contains(jobs) {
            throw ValidationError("-j is a number from 0 to 256.")
        }
        if isNulSeparated, jobs == nil { throw ValidationError("-0 is for -j.") }
        let words = commandWords
        guard let first = words.first, jobs == nil || first != ":::" else {
            throw ValidationError("Say which command to run: progressbus run -- COMMAND…")
        }
        // GNU parallel has them too.
        if jobs == nil, words.contains(":::"), CommandWords(words).meant.program != "parallel" {
            throw ValidationError(
                "\":::\" is for -j: progressbus run -j 0 -- \(first) … ::: ARGUMENTS, "
                    + "with -j 0 for one command on each core."
            )
        }
        if command.first != "--", first.hasPrefix("-") {
            // What is passed on is not looked at, not even this.
            if first == "--help" || first == "-h" { throw CleanExit.helpRequest(Self.self) }
            throw ValidationError("There is no option \(first); see progressbus run --help.")
        }
    }

    /// The command without the separator before it.
    private var commandWords: [String] {
        command.first == "--" ? Array(command.dropFirst()) : command
    }

    func run() async throws {
        // What the person has said is checked before anything runs; what is only in the
        // environment does not keep the command from running.
        if endpoint.endpoint != nil { _ = try endpoint.resolve() }
        let words = commandWords
        let choice = adapterChoice(words)
        do {
            _ = try OutputReader(choice: choice)
        } catch {
            throw CommandFailure(.usage, String(describing: error))
        }
        let run = CommandRun(
            title: title,
            key: key,
            share: share,
            rules: RunRules(grace: grace, choice: choice, keepsTail: keepsTail),
            endpoint: endpoint
        )
        let rawWords = InheritedContext.lastArguments(words.count)
        guard let jobs else {
            let need = TerminalRequirement(of: CommandWords(words))
            throw ExitCode(try await run.once(rawWords, need: need))
        }
        let status = try await run.many(
            ArgumentTemplate(rawWords),
            jobs: jobs > 0 ? jobs : OwnProcess.processorCount,
            isNulSeparated: isNulSeparated
        )
        throw ExitCode(status)
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
