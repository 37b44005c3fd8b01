import ArgumentParser

/// The tasks that a command is about.
struct TaskCommandArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "A slot in digits, key:NAME, id:ID, the beginning of an id, or a key.",
            valueName: "task"
        ),
        completion: .jobs
    )
    var tasks: [String]

    @OptionGroup var options: TaskCommandOptions
}

/// What the commands to tasks have in common.
struct TaskCommandOptions: ParsableArguments {
    /// The exit codes, for the help.
    static let codes = """
        Prints a line for each session that answered. Exit codes, the worst first: 77 somebody \
        refused or cannot do that, 75 somebody did not answer in time, 69 nobody works on it any \
        more or there is no broker, 65 no such task or several, 0 all accepted. Of several tasks \
        each is asked, whatever became of those before. Where no broker \
        runs but one has, one is started in the background, and knows what that one has left.
        """

    /// The longest time that the protocol lets a command wait, in seconds.
    private static let longestTimeout = 600.0

    @Option(help: ArgumentHelp("How long to wait for answers.", valueName: "seconds"))
    var timeout = 10.0

    @OptionGroup var bus: EndpointOptions

    func validate() throws {
        guard timeout > 0, timeout <= Self.longestTimeout else {
            throw ValidationError("--timeout is more than 0 and at most 600 seconds")
        }
    }
}
