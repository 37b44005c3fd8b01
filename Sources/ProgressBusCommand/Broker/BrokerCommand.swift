import ArgumentParser
import BusProtocol
import CListenerGuard
import Logging
import ProcessControl
import ProgressBusBroker
import ServiceLifecycle
import UnixSignals

/// `progressbus broker`: keeps the tree that processes report to and viewers look at.
struct BrokerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "broker",
        abstract: "Runs the broker until SIGTERM or SIGINT.",
        discussion: """
            Most commands start a broker in the background if none runs, so you rarely need this \
            command.

            At a tcp address the bus has keys: you are its admin, and let others in with \
            `progressbus invite`. PROGRESSBUS_ENDPOINT=NAME is then the bus, for you and for them.

            With --join the broker is one of a fleet: every joined broker shows the jobs of all hosts, \
            each in the same place. It starts progressbus-fleet, which speaks with NATS. Without \
            --join it does as the file ~/.config/progressbus/fleet says, which `progressbus bus add` \
            writes. A broker that has joined stays, with --idle-exit too.

            Exit codes: 0; 69 progressbus-fleet is missing for --join; 73 another broker holds the endpoint, or the endpoint cannot be used.
            """
    )

    @Option(help: "The address of the bus: ipc:///directory or tcp://host:port.")
    var endpoint: String?

    @Option(
        parsing: .unconditional,
        help: "How many seconds succeeded and cancelled jobs stay on the board."
    )
    var linger = 10.0

    @Option(
        help: "The directory of the journals; if not given, the user's state directory.",
        completion: .directory
    )
    var state: String?

    @Option(
        parsing: .unconditional,
        help: "End after so many seconds without sessions and viewers."
    )
    var idleExit: Double?

    @Option(
        name: .customLong("limit"),
        help: ArgumentHelp(
            "A limit, such as sessions=100; may be given several times. There are "
                + BrokerLimits.allNames.joined(separator: ", ") + ".",
            valueName: "name=number"
        ),
        completion: .list(BrokerLimits.allNames.map { $0 + "=" })
    )
    var limitTexts: [String] = []

    @Flag(
        name: .customLong("allow-local-tcp"),
        help: "No keys at a tcp address on loopback: every user of this machine can connect to it."
    )
    var allowLocalTCP = false

    @Option(
        help: ArgumentHelp(
            "What you call the bus, if it has keys; if not given, the name of this machine. With "
                + "--join, what all hosts call their fleet; if not given, fleet.",
            valueName: "name"
        )
    )
    var bus: String?

    @OptionGroup var fleet: FleetOptions

    @Option(
        help: "The lowest level to log: trace, debug, info, notice, warning, error, critical.",
        completion: .list(Logger.Level.allCases.map(\.rawValue)),
        transform: Self.level
    )
    var logLevel = Logger.Level.notice

    @Flag(help: ArgumentHelp("Leave the terminal and the directory.", visibility: .hidden))
    var background = false

    func run() async throws {
        let (address, _) = try EndpointOptions.resolve(endpoint)
        let limits = try limits()
        if background { Self.leaveTerminal() }
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        var logger = Logger(label: "progressbus.broker")
        logger.logLevel = logLevel
        // Only in a program of our own: the guard's accept4(2) replaces that of the whole process.
        if !listener_guard_prepare() {
            logger.warning("no descriptor is left to turn connections away with: raise ulimit -n")
        }
        let broker = BusBroker(
            configuration: BrokerConfiguration(
                endpoint: endpoint,
                linger: linger,
                stateDirectory: state,
                idleExit: idleExit,
                allowsLocalTCP: allowLocalTCP,
                bus: bus,
                limits: limits
            ),
            logger: logger
        )
        let keeper = JournalLocation(
            of: address,
            explicit: state,
            environment: OwnProcess.environment
        )
        let bridge = FleetBridgeService(
            endpoint: address,
            file: keeper.directory + "/fleet",
            joining: fleet.arguments(bus: bus),
            logger: logger
        )
        // The service group's own messages below warning interest nobody.
        var quiet = Logger(label: "progressbus.lifecycle")
        quiet.logLevel = max(logLevel, .warning)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [
                    // An idle broker ends by itself.
                    .init(service: broker, successTerminationBehavior: .gracefullyShutdownGroup),
                    .init(service: bridge),
                ],
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: quiet
            )
        )
        do {
            try await group.run()
        } catch let error as BrokerError {
            throw CommandFailure(Self.exitCode(of: error), error.sentence)
        }
    }

    private func limits() throws -> BrokerLimits {
        var limits = BrokerLimits()
        for text in limitTexts {
            let words = text.split(separator: "=", maxSplits: 1)
            guard words.count == 2, let number = Int(words[1]),
                limits.set(String(words[0]), to: number)
            else {
                throw ValidationError(
                    "--limit \(text) is no limit: write one of "
                        + BrokerLimits.allNames.joined(separator: ", ") + " and =NUMBER"
                )
            }
        }
        return limits
    }

    private static func level(_ name: String) throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: name) else {
            throw ValidationError("there is no such level")
        }
        return level
    }

    /// Detaches the broker from the terminal and from the directory where it was started.
    ///
    /// A hang-up or interrupt at the terminal does not reach the broker, and the directory can be
    /// removed.
    private static func leaveTerminal() {
        setsid()
        _ = chdir("/")
        umask(0o077)
    }

    private static func exitCode(of error: BrokerError) -> ExitCode {
        switch error.code {
        case .configurationInvalid: .usage
        case .systemLimit: .temporaryFailure
        default: .cannotCreate
        }
    }
}
