import ArgumentParser
import BusProtocol
import Logging
import ProcessControl
import ServiceLifecycle

/// Runs the bridge `progressbus-fleet` beside a broker while the broker is to be in a fleet.
///
/// The bridge's standard input is a pipe from this process, and the bridge ends when the pipe does.
/// So no bridge outlives its broker, however the broker ends.
struct FleetBridgeService: Service {
    /// The broker's address.
    let endpoint: BusEndpoint
    /// The file in which the bridge keeps its pages.
    let file: String
    /// The arguments of `--join`; `nil` leaves them to the user's file, which may appear and
    /// change.
    let joining: [String]?
    let logger: Logger

    /// The time between two checks of the bridge, and between two of the file.
    private static let look = Duration.milliseconds(500)
    private static let lookAtFile = Duration.seconds(5)
    /// The pause before a bridge that refused its arguments is started with the same ones again.
    private static let pauseAfterRefusal = Duration.seconds(60)
    /// Seconds before a bridge that has ended is started again: twice as many after each end.
    private static let pauses = 1...30
    /// A bridge that ran for so long is started again after the shortest pause.
    private static let steady = Duration.seconds(60)

    /// Works until the broker ends.
    ///
    /// - Throws: An error if `--join` cannot be followed. An error of the user's file is only
    ///   logged, because the work on this machine needs no fleet.
    func run() async throws {
        try await cancelWhenGracefulShutdown {
            var problem = ""
            var refused: (arguments: [String], until: ContinuousClock.Instant)?
            while !Task.isCancelled {
                var arguments: [String]?
                do {
                    arguments = try self.arguments()
                    if arguments == nil { (problem, refused) = ("", nil) }
                    if let arguments,
                        arguments != refused?.arguments || refused?.until ?? .now <= .now
                    {
                        try await keepBridge(arguments)
                        (problem, refused) = ("", nil)
                    }
                } catch {
                    guard joining == nil else { throw error }
                    // The same arguments wait, because the bridge complains each time. They are
                    // tried again, because a file that the bridge reads may have been corrected.
                    if let arguments, (error as? CommandFailure)?.code == .usage {
                        refused = (arguments, .now + Self.pauseAfterRefusal)
                    }
                    let sentence = "\(error)"
                    if sentence != problem { logger.error("no fleet is joined: \(sentence)") }
                    problem = sentence
                }
                try? await Task.sleep(for: Self.lookAtFile)
            }
        }
    }

    /// The arguments of the bridge; `nil` if there is to be none.
    private func arguments() throws -> [String]? {
        let wanted =
            try joining
            ?? FleetConfiguration(environment: OwnProcess.environment)?.arguments(for: endpoint)
        return wanted.map { $0 + ["--endpoint", endpoint.description, "--file", file] }
    }

    /// Runs a bridge and starts it again when it ends; returns when the arguments have changed.
    private func keepBridge(_ arguments: [String]) async throws(CommandFailure) {
        let program = try Self.program()
        var pause = Self.pauses.lowerBound
        while !Task.isCancelled {
            let begin = ContinuousClock.now
            let why: String
            switch await runOnce(program, arguments) {
            case .success(nil):
                return
            case .success(.exited(ExitCode.usage.rawValue)):
                throw CommandFailure(.usage, "progressbus-fleet says above what is wrong")
            case .success(let end?):
                why = "has ended (\(end))"
            case .failure(let error):
                why = "cannot be started (\(error))"
            }
            if begin.duration(to: .now) > Self.steady { pause = Self.pauses.lowerBound }
            logger.warning("the bridge to the fleet \(why); it begins again in \(pause) s")
            try? await Task.sleep(for: .seconds(pause))
            pause = min(2 * pause, Self.pauses.upperBound)
        }
    }

    /// Runs a bridge until it ends by itself; `nil` if new arguments or the broker's end ended it.
    private func runOnce(
        _ program: SystemString,
        _ arguments: [String]
    ) async -> Result<ProcessEnd?, StartError> {
        let input: Int32
        let child: ChildProcess
        do throws(StartError) {
            (child, input) = try start(program, arguments)
        } catch {
            return .failure(error)
        }
        defer { close(input) }
        var nextLook = ContinuousClock.now + Self.lookAtFile
        while !Task.isCancelled {
            if let end = child.endIfAny() { return .success(end) }
            if nextLook <= .now {
                nextLook = .now + Self.lookAtFile
                if (try? self.arguments()) != arguments { break }
            }
            try? await Task.sleep(for: Self.look)
        }
        return .success(nil)
    }

    /// Starts a bridge; closing the descriptor ends the bridge's standard input.
    ///
    /// The bridge has its own process group: an interrupt at the terminal goes to the broker alone,
    /// which then ends the bridge.
    private func start(
        _ program: SystemString,
        _ arguments: [String]
    ) throws(StartError) -> (child: ChildProcess, input: Int32) {
        let pipe = try Pipe()
        defer { close(pipe.reading) }
        do throws(StartError) {
            let child = try ChildProcess.start(
                program: program,
                arguments + ["--end-with-input"],
                environment: OwnProcess.environment,
                streams: .init(input: pipe.reading, error: STDERR_FILENO),
                group: .own
            )
            return (child, pipe.writing)
        } catch {
            close(pipe.writing)
            throw error
        }
    }

    /// Finds the bridge's program beside our own, else on `PATH`.
    static func program() throws(CommandFailure) -> SystemString {
        let name = "progressbus-fleet"
        let path = OwnProcess.folder + ":" + (OwnProcess.environment["PATH"] ?? "")
        do {
            return try ProgramSearch.find(SystemString(name), in: SystemString(path))
        } catch {
            throw CommandFailure(
                .unavailable,
                "to join a fleet, \(name) must be beside progressbus or on PATH: install it with "
                    + "`Tools/install --fleet` in the sources of ProgressBus"
            )
        }
    }
}
