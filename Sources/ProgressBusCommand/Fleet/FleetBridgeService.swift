import ArgumentParser
import BusProtocol
import Logging
import ProcessControl
import ServiceLifecycle

/// Keeps `progressbus-fleet` running beside a broker, as long as that is to be in a fleet.
///
/// The bridge ends when its standard input does, which is a pipe from this process: so none outlives
/// its broker, however that ends.
struct FleetBridgeService: Service {
    /// The broker's address.
    let endpoint: BusEndpoint
    /// What the bridge remembers its pages in.
    let file: String
    /// What `--join` said; otherwise the user's file says it, which may come and change meanwhile.
    let joining: [String]?
    let logger: Logger

    /// Between two looks at the bridge, and at the file.
    private static let look = Duration.milliseconds(500)
    private static let lookAtFile = Duration.seconds(5)
    /// Until a bridge that refuses what it is to join begins again, where that is the same.
    private static let pauseAfterRefusal = Duration.seconds(60)
    /// Seconds until a bridge that has ended begins again: twice as many after each end.
    private static let pauses = 1...30
    /// How long a bridge has worked after which its next end is another matter.
    private static let steady = Duration.seconds(60)

    /// Works until the broker ends.
    ///
    /// - Throws: Where `--join` cannot be followed. What is wrong with the user's file is logged, as
    ///   the work on this machine needs no fleet.
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
                    // The bridge complains each time, and another file that it reads may be wrong.
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

    /// What the bridge is to be started with; `nil` where there is to be none.
    private func arguments() throws -> [String]? {
        let wanted =
            try joining
            ?? FleetConfiguration(environment: OwnProcess.environment)?.arguments(for: endpoint)
        return wanted.map { $0 + ["--endpoint", endpoint.description, "--file", file] }
    }

    /// Starts a bridge, and again when it has ended; returns when these arguments hold no more.
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

    /// How the bridge has ended; `nil` when it is to end.
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

    /// The bridge, and the descriptor with which its standard input ends.
    ///
    /// In a group of its own: an interrupt at the terminal is for the broker, which ends the bridge.
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

    /// The program beside our own, else where a shell looks.
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
