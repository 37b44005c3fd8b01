import ArgumentParser
import BusProtocol
import CLibrary
import Essentials
import FleetCore
import Logging

/// The executable `progressbus-fleet`.
@main
struct FleetBridge: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "progressbus-fleet",
        abstract: "Shows one board on many hosts: carries jobs between a broker and NATS.",
        discussion: """
            `progressbus broker --join` starts it beside the broker, and again whenever it ends; by \
            itself it works until a signal ends it. Where the broker or NATS is not there, it waits \
            for it.

            Exit codes: 64 a wrong argument; 73 the file or the bus cannot be used; 77 NATS does not \
            let this host in, or its key cannot be used.
            """
    )

    @Option(help: "The servers: nats://HOST:PORT or tls://HOST:PORT, with commas between them.")
    var join: String

    @Option(help: "What the hosts of the fleet call their bus: \(FleetSubjects.rule).")
    var bus = "fleet"

    @Option(
        help: ArgumentHelp(
            "A file with this host's certificate and key, or with NATS credentials; needed to reach "
                + "other machines."
        )
    )
    var credentials: String?

    @Option(help: "A file of certificates to trust instead of the system's.")
    var trusted: String?

    @Option(help: "How many servers of a cluster keep a copy of what is said.")
    var replicas = 1

    @Option(
        help: ArgumentHelp(
            "The number of the broker in the fleet, in hexadecimal; if not given, its own choice.",
            valueName: "number"
        ),
        transform: Self.number
    )
    var broker: UInt64?

    @Option(help: "What others call this host; if not given, what it calls itself.")
    var host: String?

    @Option(help: "The address of the broker: ipc:///directory.")
    var endpoint: String?

    @Option(help: "The file that remembers which pages of the board this broker has.")
    var file: String

    @Flag(help: ArgumentHelp("End as soon as standard input does.", visibility: .hidden))
    var endWithInput = false

    func validate() throws {
        guard FleetSubjects.isValid(bus: bus) else {
            throw ValidationError("--bus \(bus) is no name of a bus: use \(FleetSubjects.rule)")
        }
        guard (1...5).contains(replicas) else {
            throw ValidationError("--replicas \(replicas): write a number from 1 to 5")
        }
    }

    private static func number(_ text: String) throws -> UInt64 {
        guard let number = UInt64(text, radix: 16), number != 0 else {
            throw ValidationError("write 1 to 16 digits of 0-9a-f")
        }
        return number
    }

    func run() throws {
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        let logger = Logger(label: "progressbus.fleet")
        let (endpoint, _) = try BusEndpoint.resolve(
            explicit: endpoint,
            environment: ProcessInfo.processInfo.environment
        )
        let address: NATSAddress
        do throws(NATSAddress.Wrong) {
            address = try NATSAddress(join, credentials: credentials, trusted: trusted)
        } catch {
            // Without the usage of this program: people have given these options to the broker.
            let words = Array("progressbus-fleet: \(error.sentence)\n".utf8)
            _ = write(STDERR_FILENO, words, words.count)
            throw ExitCode(64)
        }
        let remembered: FleetFile
        do throws(PrivateFile.Failure) {
            remembered = try FleetFile(file, broker: broker)
        } catch {
            logger.error("\(file): \(error)")
            throw ExitCode(73)
        }
        let inbox = try NATSInbox(subjects: FleetSubjects(bus: bus))
        var nats: NATSConnection?
        do throws(NATSError) {
            nats = try NATSConnection(
                to: address,
                bus: bus,
                broker: remembered.broker,
                replicas: replicas,
                inbox: inbox
            )
        } catch {
            // The bridge tells the broker, too.
            inbox.warn("\(error)")
            inbox.close()
        }
        var loop = try BridgeLoop(
            endpoint: endpoint,
            nats: nats,
            inbox: inbox,
            file: remembered,
            host: host,
            logger: logger
        )
        try loop.run(endWith: endWithInput ? STDIN_FILENO : nil)
        guard inbox.isClosed else { return }
        throw ExitCode(77)
    }
}
