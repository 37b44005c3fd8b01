import ArgumentParser
import DashboardCore
import ProgressBus

/// `progressbus status`: the tree now.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Prints all jobs and their tasks as they are now, or those that are named.",
        discussion: """
            A JOB is a slot in digits, key:NAME, id:ID, the beginning of an id, or a key; any task \
            of a job can be named so.

            Where no broker runs but one has, one is started in the background, and shows what that \
            one has left.

            Exit codes: 0; 65 if there is no such task or several; 69 if there is no broker, 75 if there is one that has no room or \
            says nothing for --timeout seconds. With --line both print nothing and give 0, so that a prompt stays \
            as it is.
            """
    )

    @Argument(help: "The jobs or tasks to print; without one, all jobs.", completion: .jobs)
    var jobs: [String] = []

    @Flag(help: "One JSON object instead of text.")
    var json = false

    @Option(help: "How many levels of children; 0 is none. Without it, all.")
    var depth: Int?

    @Flag(help: "One short line for a prompt or a status bar; nothing without a broker.")
    var line = false

    @OptionGroup var patience: PatienceArguments

    @OptionGroup var bus: EndpointOptions

    func validate() throws {
        if json, line { throw ValidationError("use either --json or --line") }
        if line, depth != nil || !jobs.isEmpty {
            throw ValidationError("--line is of all jobs; use it without a job and --depth")
        }
        if let depth, depth < 0 { throw ValidationError("--depth is 0 or more") }
    }

    func run() async throws {
        let configuration = BusConfiguration(endpoint: bus.endpoint, program: "progressbus status")
        let environment = OwnProcess.environment
        if !line { try await bus.ensureBrokerIfAnyWas() }
        let follower = BusFollower(configuration)
        let board: Board
        do {
            board = try await follower.status(
                of: jobs,
                depth: line ? 0 : depth,
                timeout: patience.duration
            )
        } catch {
            if line, error.code != .badEndpoint { return }
            throw CommandFailure(error)
        }
        if json {
            try StandardStreams.print(try JSONLine.text(StatusJSON(board)))
        } else if line {
            let isASCII = !LocaleName(environment: environment).isUTF8
            let text = StatusLine(isASCII: isASCII).text(for: board)
            if !text.isEmpty { try StandardStreams.print(text) }
        } else {
            var tree = StatusTree.lines(
                for: board,
                inWords: OutputMode.isAccessible(environment)
            )
            // The line about the bus is not about the jobs that were named.
            if !jobs.isEmpty { tree.removeFirst() }
            for line in tree { try StandardStreams.print(line) }
        }
    }
}

extension BusFollower {
    /// The board, with the tasks of these names in place of all jobs if there are any names.
    func status(
        of names: [String],
        depth: Int?,
        timeout: Duration
    ) async throws(FollowError) -> Board {
        guard !names.isEmpty else { return try await status(depth: depth, timeout: timeout) }
        var board = try await status(depth: 0, timeout: timeout)
        board.jobs = []
        for name in names {
            let task = try await status(of: TaskSelector(name), depth: depth, timeout: timeout)
            board.jobs.append(task)
        }
        return board
    }
}

extension CommandFailure {
    /// The code of sysexits that fits why the bus cannot be followed.
    init(_ error: FollowError) {
        let code: ExitCode =
            switch error.code {
            case .noBroker, .closed, .cannotConnect, .left: .unavailable
            case .timedOut, .busy: .temporaryFailure
            case .ambiguous, .noSuchTask: .dataError
            case .badEndpoint: .usage
            case .refused: .noPermission
            default: .unavailable
            }
        self.init(code, PlainText.clean(error.description))
    }
}
