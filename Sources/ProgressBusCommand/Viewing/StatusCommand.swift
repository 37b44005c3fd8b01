import ArgumentParser
import DashboardCore
import ProgressBus
import TaskTree

/// `progressbus status`: prints the tree as it is now.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Prints the state of all jobs, or of some, and ends.",
        discussion: """
            If no broker runs but an earlier one left its journal, a broker is started in the \
            background and shows what it reads there.

            Exit codes: 0; 65 the name fits no task or several; 69 there is no broker; 75 the \
            broker has no room for one more viewer, or sends nothing for --timeout seconds; 77 your \
            key may not look. With --line the last three print nothing and end with 0, so that a \
            prompt stays usable.
            """
    )

    @Argument(
        help:
            "The jobs or tasks to print: slot number, key:NAME, id:ID, the beginning of an id, or key.",
        completion: .jobs
    )
    var jobs: [String] = []

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    @Option(
        parsing: .unconditional,
        help: "How many levels of children to print; 0 means none. If not given, all."
    )
    var depth: Int?

    @Flag(help: "Print one short line for a prompt or a status bar; nothing if there is no broker.")
    var line = false

    @OptionGroup var patience: PatienceArguments

    @OptionGroup var bus: ViewedBusOptions

    func validate() throws {
        if json, line { throw ValidationError("use either --json or --line") }
        if line, depth != nil || !jobs.isEmpty {
            throw ValidationError("--line is of all jobs; use it without a job and --depth")
        }
        if let depth, depth < 0 { throw ValidationError("--depth is 0 or more") }
    }

    func run() async throws {
        let environment = OwnProcess.environment
        if !line { try await bus.ensureBrokerIfAnyWas() }
        let follower = bus.follower(for: "status")
        defer { follower.close() }
        let timeout = patience.duration(for: try bus.resolve())
        let board: Board
        do {
            board = try await follower.status(
                of: jobs,
                depth: line ? 0 : depth,
                timeout: timeout
            )
        } catch {
            if line, error.code != .badEndpoint { return }
            throw CommandFailure(error)
        }
        if json {
            let hosts = jobs.isEmpty ? [:] : await follower.hosts(of: board.jobs, timeout: timeout)
            try StandardStreams.print(try JSONLine.text(StatusJSON(board, hosts: hosts)))
        } else if line {
            let isASCII = !LocaleName(environment: environment).isUTF8
            let text = StatusLine(isASCII: isASCII).text(for: board)
            if !text.isEmpty { try StandardStreams.print(text) }
        } else {
            var tree = StatusTree.lines(
                for: board,
                inWords: OutputMode.isAccessible(environment)
            )
            // The first line is about the whole bus, not about the named jobs.
            if !jobs.isEmpty { tree.removeFirst() }
            for line in tree { try StandardStreams.print(line) }
        }
    }
}

extension BusFollower {
    /// Returns the board; with names, the tasks of these names take the place of the jobs.
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

    /// Returns the hosts of those tasks that are jobs; asks nothing about jobs without children.
    fileprivate func hosts(
        of tasks: [TaskSnapshot],
        timeout: Duration
    ) async -> [TaskID: JobHosts] {
        let jobs = tasks.filter { $0.id == $0.job }
        let parents = Set(jobs.filter { $0.counts.sum > 0 }.map(\.id))
        var hosts = await hosts(of: parents, timeout: timeout)
        for job in jobs where !parents.contains(job.id) { hosts[job.id] = JobHosts(hosts: []) }
        return hosts
    }
}

extension CommandFailure {
    /// Takes the exit code of sysexits(3) that fits why the bus cannot be followed.
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
