import ArgumentParser
import ProcessControl
import OutputReading

/// `progressbus run`: runs a command as a task.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs a command and shows the progress that it prints.",
        discussion: """
            The command works as if you had started it yourself: its output passes through \
            unchanged, it has the terminal if there is one, and keys, signals and the exit status \
            are passed on. It runs even if there is no broker.

              progressbus run -- rsync -a photos/ backup/
              progressbus run --title "Nightly build" -- make -j8

            Its task succeeds if the exit status is 0, is cancelled by Ctrl-C, and fails \
            otherwise; the reason and the log then have the last lines that the command printed. \
            To cancel the task sends SIGTERM to the command and all it has started, and SIGKILL \
            after --grace seconds; to pause it stops them all. SIGUSR1 and SIGUSR2 go to the \
            command alone, other signals also to what it has started.

            If the command reports itself, with a library or with `progressbus report`, its tasks \
            are children of this one, and its output is not read any more.

            With -j it runs one command for each argument after ":::", or for each line of \
            standard input, so many at the same time. "{}" is the argument. Lines of different \
            commands do not mix, and the commands that failed are listed at the end:

              progressbus run -j 4 -- gzip -k {} ::: *.log
              find . -name '*.png' -print0 | progressbus run -j 0 -0 -- optipng -quiet {}

            Exit codes: the command's own; 74 if it succeeded and its output could not be \
            written, for instance to a full disk; 126 if it cannot be executed, 127 if it was not \
            found, 128 plus the signal's number if a signal ended it. With -j, the highest.
            """
    )

    @Option(help: "The title of the task; the command itself if not given.")
    var title: String?

    @Option(help: "How many units of its parent the task is worth, if it has a parent.")
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

    @Option(help: "Seconds from SIGTERM to SIGKILL when the task is cancelled.")
    var grace = 10.0

    @Option(
        name: [.customShort("j", allowingJoined: true), .customLong("jobs")],
        help: "Run a command for each argument, this many at the same time; 0 means one per core."
    )
    var jobs: Int?

    @Flag(
        name: [.customShort("0"), .customLong("null")],
        help: "With -j, arguments on standard input end with NUL instead of a newline."
    )
    var isNulSeparated = false

    @OptionGroup var endpoint: EndpointOptions

    @Argument(parsing: .captureForPassthrough, help: "The command and its arguments.")
    var command: [String] = []

    /// What is run where no option was given.
    ///
    /// - Parameter command: As `command`, the separator included.
    /// - Returns: The command, as if it had been parsed.
    static func usual(_ command: [String]) -> RunCommand {
        var run = RunCommand()
        (run.title, run.share, run.key, run.adapter, run.pattern) = (nil, nil, nil, nil, nil)
        (run.keepsTail, run.grace, run.jobs, run.isNulSeparated) = (true, 10, nil, false)
        run.endpoint = .usual
        run.command = command
        return run
    }

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
