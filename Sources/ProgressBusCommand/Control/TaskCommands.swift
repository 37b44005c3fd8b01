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

    @OptionGroup var arguments: TaskCommandArguments

    func run() async throws {
        try await TaskCommandRun(.cancel, arguments.options).run(arguments.task)
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
        try await TaskCommandRun(.pause, arguments.options).run(arguments.task)
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
        try await TaskCommandRun(.resume, arguments.options).run(arguments.task)
    }
}

/// `progressbus dismiss`: takes what has ended off everybody's board.
struct DismissCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dismiss",
        abstract: "Takes a job that has failed or was lost off the board, for everybody.",
        discussion: TaskCommandOptions.codes
    )

    @Argument(help: "As for `progressbus cancel`.", completion: .jobs)
    var task: String?

    @Flag(help: "All jobs that have ended, and not one.")
    var all = false

    @Flag(help: "All jobs that have failed or were lost, and not one.")
    var failed = false

    @OptionGroup var options: TaskCommandOptions

    func validate() throws {
        guard [task != nil, all, failed].count(where: { $0 }) == 1 else {
            throw ValidationError("give one of these: a task, --all, or --failed")
        }
    }

    func run() async throws {
        let run = TaskCommandRun(.dismiss, options)
        if let task { try await run.run(task) } else { try await run.dismissEnded(failed: failed) }
    }
}
