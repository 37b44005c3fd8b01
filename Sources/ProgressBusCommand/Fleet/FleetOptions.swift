import ArgumentParser
import BusProtocol
import Essentials

/// The fleet that a broker joins, as options of `progressbus broker`.
struct FleetOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Join a fleet through these servers of NATS: nats://HOST:PORT or tls://HOST:PORT, with "
                + "commas between them.",
            valueName: "servers"
        )
    )
    var join: String?

    @Option(help: "A file of NATS credentials; --join needs it to reach other machines.")
    var credentials: String?

    @Option(help: "A file of certificates for --join to trust instead of the system's.")
    var trusted: String?

    @Option(
        parsing: .unconditional,
        help: "How many servers of a NATS cluster keep a copy of what the fleet says."
    )
    var replicas: Int?

    func validate() throws {
        guard join == nil, credentials != nil || trusted != nil || replicas != nil else { return }
        throw ValidationError(
            "--credentials, --trusted and --replicas are for a fleet: write --join SERVERS"
        )
    }

    /// The arguments of the bridge; `nil` without `--join`.
    func arguments(bus: String?) -> [String]? {
        guard let join else { return nil }
        let values = [
            ("join", join), ("bus", bus), ("credentials", credentials.map(Self.absolute)),
            ("trusted", trusted.map(Self.absolute)), ("replicas", replicas.map(String.init)),
        ]
        return values.flatMap { name, value in value.map { ["--\(name)", $0] } ?? [] }
    }

    /// A broker in the background leaves the directory in which it was started.
    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }
}
