import ArgumentParser
import ProgressBus

/// `progressbus cancel`: asks the processes that work on a task to stop it.
struct CancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Asks the processes that work on a task to stop it.",
        discussion: """
            The request goes to every process that works on the task or on a task below it. \
            If the task states what would be lost, the command asks you to confirm; only y or yes \
            confirms. Without a terminal it then sends nothing, unless you give --yes.

            \(TaskCommandOptions.codes)
            """
    )

    @Flag(help: "Send the request without asking me to confirm.")
    var yes = false

    @OptionGroup var arguments: TaskCommandArguments

    func run() async throws {
        try await TaskRequestSender(.cancel, arguments.options, asks: !yes).run(arguments.tasks)
    }
}

/// `progressbus pause`: asks the processes that work on a task to pause.
struct PauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Asks the processes that work on a task, or below it, to pause.",
        discussion: TaskCommandOptions.codes
    )

    @OptionGroup var arguments: TaskCommandArguments

    func run() async throws {
        try await TaskRequestSender(.pause, arguments.options).run(arguments.tasks)
    }
}

/// `progressbus resume`: asks the paused processes of a task to go on.
struct ResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Asks the paused processes of a task, or below it, to continue.",
        discussion: TaskCommandOptions.codes
    )

    @OptionGroup var arguments: TaskCommandArguments

    func run() async throws {
        try await TaskRequestSender(.resume, arguments.options).run(arguments.tasks)
    }
}

/// `progressbus dismiss`: removes jobs that have ended from every board.
struct DismissCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dismiss",
        abstract: "Removes jobs that have ended from every board.",
        discussion: TaskCommandOptions.codes
    )

    @Argument(
        help: ArgumentHelp(
            "The job: its slot number, key:NAME, id:ID, the beginning of its id, or its key.",
            valueName: "task"
        ),
        completion: .jobs
    )
    var tasks: [String] = []

    @Flag(help: "Dismiss all jobs that have ended.")
    var all = false

    @Flag(help: "Dismiss all jobs that have failed or were lost.")
    var failed = false

    @OptionGroup var options: TaskCommandOptions

    func validate() throws {
        guard [!tasks.isEmpty, all, failed].count(where: { $0 }) == 1 else {
            throw ValidationError("give one of these: tasks, --all, or --failed")
        }
    }

    func run() async throws {
        let run = TaskRequestSender(.dismiss, options)
        if tasks.isEmpty {
            try await run.dismissEnded(failed: failed)
        } else {
            try await run.run(tasks)
        }
    }
}
