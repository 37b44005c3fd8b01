import ArgumentParser
import BusProtocol
import ProgressBus

/// The bus that a command looks at: one of this machine, or with `--on` one of another.
struct ViewedBusOptions: ParsableArguments {
    @OptionGroup private var here: EndpointOptions

    @Option(
        name: .customLong("on"),
        help: ArgumentHelp(
            "Look at the bus of another machine, through ssh: [user@]host[:port].",
            discussion: "For another directory than the user's there: ssh://host/directory.",
            valueName: "host"
        )
    )
    private var machine: String?

    func validate() throws {
        guard let machine else { return }
        if here.endpoint != nil { throw ValidationError("use either --on or --endpoint") }
        do {
            _ = try Self.remote(machine)
        } catch {
            throw ValidationError(error.sentence)
        }
    }

    /// The endpoint for a follower; `nil` leaves it to the environment.
    var endpoint: String? {
        machine.flatMap { try? Self.remote($0).description } ?? here.endpoint
    }

    private static func remote(_ text: String) throws(EndpointError) -> RemoteBus {
        RemoteBus.isNamed(by: text) ? try RemoteBus(parsing: text) : try RemoteBus(machine: text)
    }

    /// A follower of the bus for a command.
    func follower(for command: String) -> BusFollower {
        BusFollower(BusConfiguration(endpoint: endpoint, program: "progressbus \(command)"))
    }

    /// Returns the bus that the options name.
    ///
    /// - Throws: exit code 64 if what was given names none.
    func resolve() throws(CommandFailure) -> ViewedBus {
        do {
            return try ViewedBus.resolve(
                explicit: endpoint,
                environment: OwnProcess.environment
            ).bus
        } catch {
            throw CommandFailure(.usage, error.sentence)
        }
    }

    /// As `EndpointOptions.ensureBroker` for a bus of this machine; no broker starts on another.
    func ensureBroker() async throws(CommandFailure) {
        if case .endpoint = try resolve() { try await here.ensureBroker() }
    }

    /// As `EndpointOptions.ensureBrokerIfAnyWas` for a bus of this machine.
    @discardableResult
    func ensureBrokerIfAnyWas() async throws(CommandFailure) -> Bool {
        guard case .endpoint = try resolve() else { return false }
        return try await here.ensureBrokerIfAnyWas()
    }

    /// As `EndpointOptions.keepBroker` for a bus of this machine.
    func keepBroker() async {
        if case .endpoint? = try? resolve() { await here.keepBroker() }
    }
}
