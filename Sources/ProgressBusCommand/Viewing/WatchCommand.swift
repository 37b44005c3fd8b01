import ArgumentParser
import BusProtocol
import Dashboard
import Essentials
import ProcessControl
import ProgressBus

/// `progressbus watch`: shows the tree as it changes.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Shows all jobs, or one, while they change; a dashboard on a terminal.",
        discussion: """
            Without a terminal, with --plain or with TERM=dumb it prints plain lines instead of \
            the dashboard: one when a task changes its state, and one for each 10 % or 30 s of a \
            running job. With ACCESSIBLE=1 it prints plain lines for screen readers: one a minute \
            for all jobs while there is no other line.

            With a JOB it shows that job alone and ends when the job has ended.

            A task is stalled when it has not advanced for much longer than it usually takes, silent \
            when its process sends nothing, lost when its process is gone, and waiting until somebody \
            begins it.

            NO_COLOR turns colours off. The locale decides whether the dashboard is ASCII and \
            whether it runs from right to left.

            Exit codes: 0, also after Ctrl-C; 65 the name fits no job or several; 69 there is no \
            broker and none is started; 75 the broker has no room for one more viewer, or with \
            --once it sends nothing for --timeout seconds; 77 your key may not look.
            """
    )

    @Argument(
        help: "The job: its slot number, key:NAME, id:ID, the beginning of its id, or its key.",
        completion: .jobs
    )
    var job: String?

    @Flag(help: "Print plain lines, also on a terminal.")
    var plain = false

    @Flag(help: "Print one JSON object per line.")
    var json = false

    @Flag(name: .customLong("read-only"), help: "Turn off the keys that cancel, pause and dismiss.")
    var readOnly = false

    @Flag(help: "Print the state now and end; never start a broker.")
    var once = false

    @Option(
        parsing: .unconditional,
        help:
            "How many levels of children to show; 0 means jobs alone. If not given, 1; with --once, all."
    )
    var depth: Int?

    @OptionGroup var patience: PatienceArguments

    @OptionGroup(title: "How the dashboard looks") var dashboard: DashboardArguments

    @OptionGroup var bus: ViewedBusOptions

    func validate() throws {
        if json, plain { throw ValidationError("use either --json or --plain") }
        let isDashboardRefused = json || plain || once
        if isDashboardRefused, readOnly || dashboard.isGiven {
            throw ValidationError(
                "--read-only, --ltr, --rtl, --theme, --terminal-title and --taskbar are for the "
                    + "dashboard; leave out --json, --plain and --once"
            )
        }
        if !once, patience.isGiven {
            throw ValidationError("--timeout is for --once; without it watch waits for a broker")
        }
        if let depth, depth < 0 { throw ValidationError("--depth is 0 or more") }
    }

    func run() async throws {
        let environment = OwnProcess.environment
        let face = OutputMode.choose(json: json, plain: plain)
        do {
            if once {
                try await printOnce(face, inWords: OutputMode.isAccessible(environment))
                return
            }
            try await bus.ensureBroker()
            if face == .dashboard {
                try await runDashboard(dashboard.look(in: environment))
            } else {
                try await watch(formatter(for: face))
            }
        } catch let error as FollowError {
            throw CommandFailure(error)
        }
    }

    private var follower: BusFollower { bus.follower(for: "watch") }

    private func printOnce(_ face: OutputMode, inWords: Bool) async throws {
        let follower = follower
        let board = try await follower.status(
            of: job.map { [$0] } ?? [],
            depth: depth,
            timeout: patience.duration(for: try bus.resolve())
        )
        if face == .json {
            var formatter = JSONFormatter()
            let picture = WatchedPicture(board, since: [:])
            for line in try formatter.lines(for: picture, at: .now) {
                try StandardStreams.print(line)
            }
        } else {
            for line in StatusTree.lines(for: board, inWords: inWords) {
                try StandardStreams.print(line)
            }
        }
    }

    private func runDashboard(_ look: DashboardEnvironment) async throws {
        let follower = follower
        defer { follower.close() }
        // ssh asks its questions before the dashboard takes the terminal.
        try await follower.connect()
        let keeper = Task { await bus.keepBroker() }
        defer { keeper.cancel() }
        let viewed = try bus.resolve()
        let dashboard = WatchDashboard(
            bus: viewed.description,
            look: look,
            readOnly: readOnly ? "started with --read-only" : viewed.whyReadOnly,
            job: job
        )
        do {
            _ = try await dashboard.run(follower)
        } catch let error as DashboardError {
            StandardStreams.complain("\(error); going on with plain lines")
            try await watch(PlainFormatter())
        }
    }

    private func formatter(for face: OutputMode) -> any WatchFormatter {
        face == .json ? JSONFormatter() : PlainFormatter(isSparse: face == .accessible)
    }

    private func watch(_ formatter: any WatchFormatter) async throws {
        let follower = follower
        let watcher = Watcher(follower: follower, formatter: formatter)
        // Both signals end the watching, not the work: that is success.
        let signals = SignalWatch([SIGINT, SIGTERM]) { _ in follower.close() }
        defer { withExtendedLifetime(signals) {} }
        let keeper = Task { await bus.keepBroker() }
        defer { keeper.cancel() }
        try await watcher.run(job: job, depth: depth ?? 1)
    }
}

extension ViewedBus {
    /// Why the broker would refuse requests that change the work; `nil` if it would not, or if
    /// unknown.
    fileprivate var whyReadOnly: String? {
        guard case .endpoint(let endpoint) = self, let membership = endpoint.membership,
            let role = membership.role, !role.allows(.command)
        else { return nil }
        return "you are a \(role.rawValue) of \(membership.bus)"
    }
}
