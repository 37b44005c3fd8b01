import ArgumentParser
import BusProtocol

/// How long a command waits for a broker that says nothing.
struct PatienceArguments: ParsableArguments {
    private static let longest = 600.0

    @Option(
        help: ArgumentHelp(
            "How many seconds to wait for a broker that sends nothing.",
            discussion:
                "If not given, 1, and 10 for one on another machine. While the broker sends, the command waits for all of it.",
            valueName: "seconds"
        )
    )
    var timeout: Double?

    /// How long it is for this bus.
    func duration(for bus: ViewedBus) -> Duration {
        .seconds(timeout ?? (bus.isOnThisMachine ? 1 : Self.forOtherMachines))
    }

    /// Seconds: a handshake with keys takes some ten ways, and what is lost of it is sent again after
    /// a second or more.
    static let forOtherMachines = 10.0

    var isGiven: Bool { timeout != nil }

    func validate() throws {
        guard let timeout else { return }
        guard timeout > 0, timeout <= Self.longest else {
            throw ValidationError("--timeout is more than 0 and at most 600 seconds")
        }
    }
}
