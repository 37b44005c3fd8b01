import ArgumentParser
import BusProtocol
import Foundation
import ProgressBusBroker

/// Which bus a command talks to, and whether it may start a broker there.
struct EndpointOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The bus: ipc:///directory or tcp://host:port.",
            discussion: "Without it PROGRESSBUS_ENDPOINT counts, else the user's own directory.",
            valueName: "endpoint"
        )
    )
    var endpoint: String?

    @Flag(name: .customLong("no-autostart"), help: "Do not start a broker when none runs.")
    var noAutostart = false

    /// The endpoint, and in words where it comes from.
    ///
    /// - Throws: exit code 64 if what was given is not an endpoint.
    func resolve() throws(CommandFailure) -> (endpoint: BusEndpoint, origin: String) {
        try Self.resolve(endpoint)
    }

    /// The same for commands that have the option but never start a broker.
    static func resolve(
        _ text: String?
    ) throws(CommandFailure) -> (endpoint: BusEndpoint, origin: String) {
        do {
            return try BusEndpoint.resolve(
                explicit: text,
                environment: ProcessInfo.processInfo.environment
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
    /// - Parameter patience: how long a broker that was started may take until it listens.
    /// - Throws: exit code 69 or 73 if there is none and none can be started.
    func ensureBroker(
        within patience: Duration = Autostart.patience
    ) async throws(CommandFailure) {
        guard !noAutostart else { return }
        var autostart = Autostart(endpoint: try resolve().endpoint, patience: patience)
        try await autostart.ensureBroker()
    }

    /// The same where an earlier broker has left a journal, for commands that look for what is there.
    ///
    /// What that one knew, such as the failures of the night, is to be there too; where there was
    /// none, there is nothing to look for.
    func ensureBrokerIfAnyWas() async throws(CommandFailure) {
        let environment = ProcessInfo.processInfo.environment
        guard BrokerState(of: try resolve().endpoint, environment: environment).hasJournal else {
            return
        }
        try await ensureBroker()
    }

    /// Starts a broker again whenever none listens; runs until the task is cancelled.
    ///
    /// For commands that run for long, beside their work:
    /// `async let _ = options.keepBroker()`. Nothing is reported when a broker cannot
    /// be started: the connection waits, and the next try is a second later, or as is said.
    func keepBroker(every pause: Duration = .seconds(1)) async {
        guard !noAutostart, let endpoint = try? resolve().endpoint else { return }
        var autostart = Autostart(endpoint: endpoint)
        while !Task.isCancelled {
            try? await autostart.ensureBroker()
            try? await Task.sleep(for: pause)
        }
    }
}
