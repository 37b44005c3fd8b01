import ArgumentParser
import Dashboard
import ProgressBus

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// `progressbus watch`: the tree as it changes.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Shows the jobs as they change, until Ctrl-C.",
        discussion: """
            Plain lines: one when a task changes its state, and one per 10 % or 30 s of a running \
            job. They are what there is where the output is no terminal or TERM is dumb. With \
            ACCESSIBLE=1 in the environment there is instead one a minute for all jobs, while \
            nothing else is said.

            With a JOB it follows that one alone and ends after its final state. A JOB is a slot \
            in digits, key:NAME, id:ID, the beginning of an id, or a key.

            NO_COLOR takes the colours away. The locale says whether there is more than ASCII, \
            and whether everything begins at the right.

            Exit codes: 0, also after Ctrl-C; 65 if there is no such job or several; 69 if there \
            is no broker and none is started; 75 if it has no room for one more viewer, with --once \
            also if it says nothing for --timeout seconds.
            """
    )

    @Argument(help: "The job or task to follow.", completion: .jobs)
    var job: String?

    @Flag(help: "Plain lines, also on a terminal.")
    var plain = false

    @Flag(help: "One JSON object per line.")
    var json = false

    @Flag(name: .customLong("read-only"), help: "Offer nothing that changes the work.")
    var readOnly = false

    @Flag(help: "Print the present state and end; never starts a broker.")
    var once = false

    @Option(help: "How many levels of children; 0 is jobs alone. Without it 1, with --once all.")
    var depth: Int?

    @OptionGroup var patience: PatienceArguments

    @OptionGroup(title: "How the dashboard looks") var dashboard: DashboardArguments

    @OptionGroup var bus: EndpointOptions

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
        let face = OutputMode.choose(
            json: json,
            plain: plain,
            environment: environment,
            isTerminal: isatty(STDOUT_FILENO) == 1
        )
        do {
            if once {
                try await printOnce(face, inWords: OutputMode.isAccessible(environment))
                return
            }
            try await bus.ensureBroker()
            if face == .dashboard {
                try await runDashboard(dashboard.look(in: environment))
            } else {
                try await watch(printer(for: face))
            }
        } catch let error as FollowError {
            throw CommandFailure(error)
        }
    }

    private var follower: BusFollower {
        BusFollower(BusConfiguration(endpoint: bus.endpoint, program: "progressbus watch"))
    }

    private func printOnce(_ face: OutputMode, inWords: Bool) async throws {
        let follower = follower
        let board = try await follower.status(
            of: job.map { [$0] } ?? [],
            depth: depth,
            timeout: patience.duration
        )
        if face == .json {
            var printer = JSONPrinter()
            let picture = WatchedPicture(board, since: [:])
            for line in try printer.lines(for: picture, at: .now) {
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
        let keeper = Task { await bus.keepBroker() }
        defer { keeper.cancel() }
        let dashboard = WatchDashboard(bus: bus, look: look, isReadOnly: readOnly, job: job)
        do {
            _ = try await dashboard.run(follower)
        } catch let error as DashboardError {
            StandardStreams.complain("\(error); going on with plain lines")
            try await watch(PlainPrinter())
        }
    }

    private func printer(for face: OutputMode) -> any WatchPrinter {
        face == .json ? JSONPrinter() : PlainPrinter(isSparse: face == .accessible)
    }

    private func watch(_ printer: any WatchPrinter) async throws {
        let follower = follower
        let watcher = Watcher(follower: follower, printer: printer)
        // Both end the watching, not the work: that is success.
        let signals = SignalWatch([SIGINT, SIGTERM]) { _ in follower.close() }
        defer { withExtendedLifetime(signals) {} }
        let keeper = Task { await bus.keepBroker() }
        defer { keeper.cancel() }
        try await watcher.run(job: job, depth: depth ?? 1)
    }
}
