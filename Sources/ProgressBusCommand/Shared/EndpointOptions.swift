import ArgumentParser
import BusProtocol
import ProgressBusBroker

/// Which bus a command talks to, and whether it may start a broker there.
struct EndpointOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The address of the bus: ipc:///directory or tcp://host:port.",
            discussion: "If not given, PROGRESSBUS_ENDPOINT, or else /tmp/progressbus-UID.",
            valueName: "endpoint"
        )
    )
    var endpoint: String?

    @Flag(name: .customLong("no-autostart"), help: "Do not start a broker if none runs.")
    var noAutostart = false

    /// The endpoint, and in words where it comes from.
    ///
    /// - Throws: exit code 64 if what was given is not an endpoint.
    func resolve() throws(CommandFailure) -> (endpoint: BusEndpoint, origin: String) {
        try Self.resolve(endpoint)
    }

    /// Like the instance method, for commands that have the option but never start a broker.
    static func resolve(
        _ text: String?
    ) throws(CommandFailure) -> (endpoint: BusEndpoint, origin: String) {
        do {
            return try BusEndpoint.resolve(
                explicit: text,
                environment: OwnProcess.environment
            )
        } catch {
            throw CommandFailure(.usage, String(describing: error))
        }
    }

    /// Returns when a broker listens on the endpoint, after starting one if none does.
    ///
    /// Does nothing for a tcp endpoint or with `--no-autostart`: the connection then waits for a
    /// broker that somebody else starts.
    ///
    /// - Throws: exit code 69 or 73 if there is none and none can be started.
    func ensureBroker() async throws(CommandFailure) {
        var autostart = try autostart()
        try await autostart?.ensureBroker()
    }

    /// Like ``ensureBroker()``, for commands whose work goes on without a broker.
    func ensureBrokerOrComplain() async {
        do {
            try await ensureBroker()
        } catch {
            StandardStreams.complain("\(error); going on without one until there is")
        }
    }

    /// Returns a starter that waits `patience` for a broker to listen; `nil` with `--no-autostart`.
    func autostart(
        within patience: Duration = Autostart.patience
    ) throws(CommandFailure) -> Autostart? {
        noAutostart ? nil : Autostart(endpoint: try resolve().endpoint, patience: patience)
    }

    /// Like ``ensureBroker()``, but only if an earlier broker has left a journal.
    ///
    /// A command that looks at the bus then also sees what the earlier broker knew, such as the
    /// failures of the night.
    ///
    /// - Returns: Whether there was a journal.
    @discardableResult
    func ensureBrokerIfAnyWas() async throws(CommandFailure) -> Bool {
        let environment = OwnProcess.environment
        guard JournalLocation(of: try resolve().endpoint, environment: environment).hasJournal
        else {
            return false
        }
        try await ensureBroker()
        return true
    }

    /// Starts a broker again whenever none listens; runs until the task is cancelled.
    ///
    /// If no broker can be started, tries again a second later.
    func keepBroker() async {
        guard var autostart = try? autostart() else { return }
        while !Task.isCancelled {
            try? await autostart.ensureBroker()
            try? await Task.sleep(for: .seconds(1))
        }
    }
}
