import ArgumentParser

/// How long a command waits for a broker that says nothing.
struct PatienceArguments: ParsableArguments {
    private static let longest = 600.0

    @Option(
        help: ArgumentHelp(
            "How long the broker may say nothing.",
            discussion: "As long as it answers, all of it is waited for.",
            valueName: "seconds"
        )
    )
    var timeout = 1.0

    var duration: Duration { .seconds(timeout) }

    func validate() throws {
        guard timeout > 0, timeout <= Self.longest else {
            throw ValidationError("--timeout is more than 0 and at most 600 seconds")
        }
    }
}
