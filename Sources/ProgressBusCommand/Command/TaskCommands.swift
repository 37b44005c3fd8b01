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
            there is --yes. \(TaskCommandArguments.codes)
            """
    )

    @OptionGroup var arguments: TaskCommandArguments

    func run() async throws {
        try await TaskCommandRun(.cancel, arguments).run()
    }
}

/// `progressbus pause`: asks whoever works on a task to hold.
struct PauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Asks all processes that work on a task, or below it, to stand still.",
        discussion: TaskCommandArguments.codes
    )

    @OptionGroup var arguments: TaskCommandArguments

    func run() async throws {
        try await TaskCommandRun(.pause, arguments).run()
    }
}

/// `progressbus resume`: asks whoever holds to go on.
struct ResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Asks all processes that work on a task, or below it, to go on.",
        discussion: TaskCommandArguments.codes
    )

    @OptionGroup var arguments: TaskCommandArguments

    func run() async throws {
        try await TaskCommandRun(.resume, arguments).run()
    }
}

/// `progressbus dismiss`: takes a task that has ended off everybody's board.
struct DismissCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dismiss",
        abstract: "Takes a job that has failed or was lost off the board, for everybody.",
        discussion: TaskCommandArguments.codes
    )

    @OptionGroup var arguments: TaskCommandArguments

    func run() async throws {
        try await TaskCommandRun(.dismiss, arguments).run()
    }
}
