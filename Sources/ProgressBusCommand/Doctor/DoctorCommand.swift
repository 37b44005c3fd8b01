import ArgumentParser
import BusProtocol

/// `progressbus doctor`: what works, what does not, and what to do about it.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks whether the bus works, and says what to do if not.",
        discussion:
            "Prints one sentence for each check. Starts no broker. Exit codes: 0 all is well, 69 not."
    )

    @Option(help: "The address of the bus: ipc:///directory or tcp://host:port.")
    var endpoint: String?

    func run() async throws {
        let (endpoint, origin) = try EndpointOptions.resolve(endpoint)
        var isWell = true
        func tell(_ diagnostics: [Diagnostic]) throws {
            for diagnostic in diagnostics {
                try StandardStreams.print(diagnostic.line)
                if case .bad = diagnostic { isWell = false }
            }
        }
        try tell(Examination.environment(endpoint: endpoint, origin: origin))
        try tell(Examination.files(of: endpoint))
        // Without a listener the round trip would wait in vain.
        let isListening = isWell
        // A member of a bus does not keep its journal.
        if endpoint.membership == nil { try tell(Examination.state(of: endpoint)) }
        if isListening { try tell(await Examination.roundTrip(through: endpoint)) }
        if isWell { try tell(await Examination.refusedAttempts(at: endpoint)) }
        try tell(Examination.fleet(of: endpoint))
        guard isWell else { throw ExitCode.unavailable }
    }
}
