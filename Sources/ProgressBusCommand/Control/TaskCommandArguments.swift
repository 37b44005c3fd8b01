import ArgumentParser

/// The tasks that a command is about.
struct TaskCommandArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The task: its slot number, key:NAME, id:ID, the beginning of its id, or its key.",
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
        Prints one line for each process that answered. With several tasks, a task that cannot be \
        asked does not keep the others from being asked. If no broker runs but an earlier one left \
        its journal, a broker is started in the background and reads it.

        Exit codes, the worst first: 77 a process refused or cannot do it, 75 a process did not \
        answer in time, 69 no process works on the task any more or there is no broker, 65 the \
        name fits no task or several, 0 all accepted.
        """

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How many seconds to wait for answers.", valueName: "seconds")
    )
    var timeout = 10.0

    @OptionGroup var bus: ViewedBusOptions

    func validate() throws { try PatienceArguments.check(timeout) }
}
