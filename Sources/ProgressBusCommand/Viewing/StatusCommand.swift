import ArgumentParser
import DashboardCore
import Foundation
import ProgressBus

/// `progressbus status`: the tree now.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Prints all jobs and their tasks as they are now.",
        discussion: """
            Where no broker runs but one has, one is started in the background, and shows what that \
            one has left.

            Exit codes: 0; 69 if there is no broker, 75 if there is one that has no room or \
            says nothing for --timeout seconds. With --line both print nothing and give 0, so that a prompt stays \
            as it is.
            """
    )

    @Flag(help: "One JSON object instead of text.")
    var json = false

    @Option(help: "How many levels of children; 0 is jobs alone. Without it, all.")
    var depth: Int?

    @Flag(help: "One short line for a prompt or a status bar; nothing without a broker.")
    var line = false

    @OptionGroup var patience: PatienceArguments

    @OptionGroup var bus: EndpointOptions

    func validate() throws {
        if json, line { throw ValidationError("use either --json or --line") }
        if let depth, depth < 0 { throw ValidationError("--depth is 0 or more") }
    }

    func run() async throws {
        let configuration = BusConfiguration(endpoint: bus.endpoint, program: "progressbus status")
        let environment = ProcessInfo.processInfo.environment
        if !line { try await bus.ensureBrokerIfAnyWas() }
        let follower = BusFollower(configuration)
        let board: Board
        do {
            board = try await follower.status(
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
            let inWords = OutputMode.isAccessible(environment)
            for line in StatusTree.lines(for: board, inWords: inWords) {
                try StandardStreams.print(line)
            }
        }
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
