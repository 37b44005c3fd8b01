import ArgumentParser
import ProgressBus

/// `progressbus cancel`: asks whoever works on a task to stop.
struct CancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Asks all processes that work on a task, or below it, to stop for good.",
        discussion: """
            Where the task has said what is lost when it is cancelled, you are asked first; the \
            answer is no unless it is y or yes. Without a terminal nothing is sent then, unless \
            there is --yes. \(TaskCommandOptions.codes)
            """
    )

    @Flag(help: "Do not ask, whatever is lost.")
    var yes = false

    @OptionGroup var arguments: TaskCommandArguments

    func run() async throws {
        try await TaskCommandRun(.cancel, arguments.options, asks: !yes).run(arguments.tasks)
    }
}

/// `progressbus pause`: asks whoever works on a task to hold.
struct PauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Asks all processes that work on a task, or below it, to stand still.",
        discussion: TaskCommandOptions.codes
    )

    @OptionGroup var arguments: TaskCommandArguments

    func run() async throws {
        try await TaskCommandRun(.pause, arguments.options).run(arguments.tasks)
    }
}

/// `progressbus resume`: asks whoever holds to go on.
struct ResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Asks all processes that work on a task, or below it, to go on.",
        discussion: TaskCommandOptions.codes
    )

    @OptionGroup var arguments: TaskCommandArguments

    func run() async throws {
        try await TaskCommandRun(.resume, arguments.options).run(arguments.tasks)
    }
}

/// `progressbus dismiss`: takes what has ended off everybody's board.
struct DismissCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dismiss",
        abstract: "Takes jobs that have ended off the board, for everybody.",
        discussion: TaskCommandOptions.codes
    )

    @Argument(
        help: ArgumentHelp("As for `progressbus cancel`.", valueName: "task"),
        completion: .jobs
    )
    var tasks: [String] = []

    @Flag(help: "All jobs that have ended.")
    var all = false

    @Flag(help: "All jobs that have failed or were lost.")
    var failed = false

    @OptionGroup var options: TaskCommandOptions

    func validate() throws {
        guard [!tasks.isEmpty, all, failed].count(where: { $0 }) == 1 else {
            throw ValidationError("give one of these: tasks, --all, or --failed")
        }
    }

    func run() async throws {
        let run = TaskCommandRun(.dismiss, options)
        if tasks.isEmpty {
            try await run.dismissEnded(failed: failed)
        } else {
            try await run.run(tasks)
        }
    }
}
