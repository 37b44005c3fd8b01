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
            found, 128 plus the signal's number if a signal ended it. With -j, the highest; with \
            --on, a command that ends with 255 counts as 254, as 255 is what ssh says of itself.
            """
    )

    @OptionGroup var options: RunOptions

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

    @Option(
        name: .customLong("on"),
        help: ArgumentHelp(
            "With -j, run the commands on these machines, through ssh.",
            discussion: "So many as -j says on each, or HOST:NUMBER. A machine that cannot be "
                + "reached is left out, and its commands are run on the others.",
            valueName: "host[:number],…"
        )
    )
    var machines: String?

    @Argument(parsing: .captureForPassthrough, help: "The command and its arguments.")
    var command: [String] = []

    func validate() throws {
        if let jobs, !(0...256).contains(jobs) {
            throw ValidationError("-j is a number from 0 to 256.")
        }
        if isNulSeparated, jobs == nil { throw ValidationError("-0 is for -j.") }
        if machines != nil, jobs == nil {
            throw ValidationError(
                "--on is for -j; for one command: progressbus ssh HOST -- COMMAND…"
            )
        }
        let words = commandWords
        guard let first = words.first, jobs == nil || first != ":::" else {
            throw ValidationError("Say which command to run: progressbus run -- COMMAND…")
        }
        // GNU parallel has ":::" too.
        if jobs == nil, words.contains(":::"), CommandWords(words).meant.program != "parallel" {
            throw ValidationError(
                "\":::\" is for -j: progressbus run -j 0 -- \(first) … ::: ARGUMENTS, "
                    + "with -j 0 for one command on each core."
            )
        }
        if command.first != "--", first.hasPrefix("-") {
            // ArgumentParser does not look at the command's words, not even at this one.
            if first == "--help" || first == "-h" { throw CleanExit.helpRequest(Self.self) }
            throw ValidationError("There is no option \(first); see progressbus run --help.")
        }
    }

    /// The command without the separator before it.
    private var commandWords: [String] {
        command.first == "--" ? Array(command.dropFirst()) : command
    }

    func run() async throws {
        let words = commandWords
        var run = CommandAsTask(options: options, rules: try options.rules(for: words))
        let rawWords = InheritedContext.lastArguments(words.count)
        guard let jobs else {
            let need = TerminalRequirement(of: CommandWords(words))
            throw ExitCode(try await run.once(rawWords, need: need))
        }
        let count = jobs > 0 ? jobs : OwnProcess.processorCount
        var hosts: HostPool?
        var relay: ReportRelay?
        defer { relay?.close() }
        if let machines {
            let bus = try options.endpoint.resolve().endpoint
            relay = try ReportRelay(to: bus)
            run.rules.patience = RemoteShell.patience(for: bus)
            let sockets = relay?.endpoint ?? bus
            hosts = HostPool(try RemoteShell.list(machines, slots: count, bus: sockets))
        }
        let status = try await run.many(
            ArgumentTemplate(rawWords),
            jobs: count,
            on: hosts,
            isNulSeparated: isNulSeparated
        )
        throw ExitCode(status)
    }
}
