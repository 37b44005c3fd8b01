import ArgumentParser

/// How long a command waits for a broker that says nothing.
struct PatienceArguments: ParsableArguments {
    private static let longest = 600.0

    @Option(
        help: ArgumentHelp(
            "How many seconds to wait for a broker that sends nothing.",
            discussion: "If not given, 1. While the broker sends, the command waits for all of it.",
            valueName: "seconds"
        )
    )
    var timeout: Double?

    var duration: Duration { .seconds(timeout ?? 1) }
    var isGiven: Bool { timeout != nil }

    func validate() throws {
        guard let timeout else { return }
        guard timeout > 0, timeout <= Self.longest else {
            throw ValidationError("--timeout is more than 0 and at most 600 seconds")
        }
    }
}
