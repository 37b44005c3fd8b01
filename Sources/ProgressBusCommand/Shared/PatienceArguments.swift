import ArgumentParser
import BusProtocol

/// How long a command waits for a broker that says nothing.
struct PatienceArguments: ParsableArguments {
    /// The longest time that the protocol lets a command wait, in seconds.
    private static let longest = 600.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How many seconds to wait for a broker that sends nothing.",
            discussion:
                "If not given, 1, and 10 for one on another machine. While the broker sends, the command waits for all of it.",
            valueName: "seconds"
        )
    )
    var timeout: Double?

    /// How long to wait for the broker of this bus.
    func duration(for bus: ViewedBus) -> Duration {
        .seconds(timeout ?? (bus.isOnThisMachine ? 1 : Self.forOtherMachines))
    }

    /// Seconds to wait for a broker on another machine.
    ///
    /// A handshake with keys takes about ten trips over the network, and a lost packet is sent
    /// again after a second or more.
    static let forOtherMachines = 10.0

    var isGiven: Bool { timeout != nil }

    func validate() throws { try Self.check(timeout) }

    /// Checks the `--timeout` of any command that waits for a broker.
    static func check(_ timeout: Double?) throws {
        guard let timeout, !(timeout > 0 && timeout <= longest) else { return }
        throw ValidationError("--timeout is more than 0 and at most 600 seconds")
    }
}

/// How long a command about members and keys waits for the broker.
struct AnswerPatience: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How many seconds to wait for the broker's answer.",
            valueName: "seconds"
        )
    )
    var timeout = 10.0

    func validate() throws { try PatienceArguments.check(timeout) }
}
