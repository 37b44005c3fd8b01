import Foundation
import Testing

/// How a command has ended and what it said.
struct CommandResult: CustomStringConvertible {
    var end: ChildProcess.End
    var output: String
    var errorOutput: String

    var description: String { "\(end)\nout: \(output)\nerr: \(errorOutput)" }
}

extension TemporaryBus {
    /// Starts a broker and returns when it listens.
    func startBroker(_ options: String...) async throws -> ChildProcess {
        try await startBroker(options)
    }

    /// The same with a list of options.
    func startBroker(_ options: [String]) async throws -> ChildProcess {
        // Whatever becomes of this process, no broker of a test stays for good.
        let leaving = options.contains("--idle-exit") ? [] : ["--idle-exit", "300"]
        let broker = try start("broker", options + leaving)
        try await eventually("the broker listens", instead: { broker.errorOutput }) {
            if let end = broker.endIfAny() {
                throw NeverHappened(
                    what: "the broker listens: \(end)",
                    patience: .zero,
                    last: broker.errorOutput
                )
            }
            return self.brokerPID == broker.pid
        }
        return broker
    }

    /// Starts `progressbus` with a subcommand.
    func start(
        _ command: String,
        _ arguments: [String] = [],
        adding additions: [String: String] = [:]
    ) throws -> ChildProcess {
        try start(program: Programs.progressbus(), [command] + arguments, adding: additions)
    }

    /// Runs a subcommand of `progressbus` without input to its end.
    func run(
        _ command: String,
        _ arguments: String...,
        within patience: Duration = .seconds(30)
    ) async throws -> CommandResult {
        try await run(command, arguments, within: patience)
    }

    /// The same with a list of arguments.
    func run(
        _ command: String,
        _ arguments: [String],
        within patience: Duration = .seconds(30)
    ) async throws -> CommandResult {
        let child = try start(command, arguments)
        let end = try await child.finish(within: patience)
        return CommandResult(end: end, output: child.output, errorOutput: child.errorOutput)
    }

    /// Starts `progressbus report`, which never starts a broker here.
    func startReporter(
        _ options: String...,
        adding additions: [String: String] = [:]
    ) throws -> Reporter {
        Reporter(try start("report", ["--no-autostart"] + options, adding: additions))
    }

    /// The tree as `progressbus status --json` prints it.
    func status() async throws -> StatusReport {
        let result = try await run("status", "--json")
        guard result.end == .exited(0) else {
            throw StatusReport.Unavailable(result: result)
        }
        return try JSONDecoder().decode(StatusReport.self, from: Data(result.output.utf8))
    }

    /// The tree as soon as it is as wanted.
    ///
    /// - Parameters:
    ///   - what: What is wanted, for the reader of a failure.
    ///   - patience: How long that may take.
    ///   - isWanted: Looks at a tree.
    /// - Returns: That tree.
    /// - Throws: `NeverHappened`, with the last tree seen.
    @discardableResult
    func status(
        _ what: String,
        within patience: Duration = .seconds(20),
        _ isWanted: (StatusReport) throws -> Bool
    ) async throws -> StatusReport {
        var last = "no status yet"
        return try await eventually(
            what,
            within: patience,
            every: .milliseconds(100),
            instead: { last }
        ) {
            do {
                let report = try await self.status()
                last = report.description
                return try isWanted(report) ? report : nil
            } catch let error as StatusReport.Unavailable {
                // A broker that has just started may not answer within its second.
                last = "\(error)"
                return nil
            }
        }
    }
}
