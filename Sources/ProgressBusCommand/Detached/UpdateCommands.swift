import ArgumentParser
import BusProtocol

/// `progressbus update`: says how far a detached task is, in absolute numbers.
struct UpdateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Sets how far a task of `progressbus begin` is.",
        discussion: """
            What you do not give stays as it was. An update without options says that the task is \
            alive, which counts for --expect-every.

            \(DetachedRun.codes)
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The task: what `progressbus begin` printed, its key, or its slot number.",
            valueName: "task"
        ),
        completion: .detachedTasks
    )
    var task: String

    // Unconditional, as for all numbers: a negative number gets its own error and is no option.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How many units are done by now.", valueName: "number")
    )
    var completed: Int64?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How many units there are; the word none if unknown.",
            valueName: "number"
        )
    )
    var total: Total?

    @Option(help: ArgumentHelp("What the task is doing right now.", valueName: "text"))
    var detail: String?

    @Option(help: ArgumentHelp("A new title.", valueName: "text"))
    var title: String?

    @OptionGroup var options: DetachedOptions

    /// A number of units, or the word `none`.
    struct Total: ExpressibleByArgument {
        /// The number; -1 for `none`, as on the wire.
        let number: Int64

        init?(argument: String) {
            if argument == "none" {
                number = -1
            } else if let value = Int64(argument), value >= 0 {
                number = value
            } else {
                return nil
            }
        }
    }

    func validate() throws {
        if let completed, completed < 0 { throw ValidationError("--completed is 0 or more") }
    }

    func run() throws {
        var update = WireDetachedUpdate()
        if let completed { update.completed = completed }
        if let total { update.total = total.number }
        if let detail { update.detail = detail }
        if let title { update.title = title }
        try DetachedRun(options).ask(task) {
            update.task = $0
            return .update(update)
        }
    }
}

/// `progressbus advance`: says that more is done, exactly once for each call.
struct AdvanceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "advance",
        abstract: "Counts one more unit of a task of `progressbus begin` as done.",
        discussion: """
            Any number of scripts may advance one task at the same time. Each call that succeeds \
            counts exactly once, also if the broker is killed meanwhile.

            \(DetachedRun.codes)
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The task: what `progressbus begin` printed, its key, or its slot number.",
            valueName: "task"
        ),
        completion: .detachedTasks
    )
    var task: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How many more units are done.", valueName: "number")
    )
    var by: Int64 = 1

    @OptionGroup var options: DetachedOptions

    func validate() throws {
        guard by >= 1 else {
            throw ValidationError("--by is 1 or more; `progressbus update` says absolute numbers")
        }
    }

    func run() throws {
        var advance = WireDetachedAdvance()
        advance.by = by
        try DetachedRun(options).ask(task) {
            advance.task = $0
            return .advance(advance)
        }
    }
}

/// `progressbus end`: says how a detached task has ended.
struct EndCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end",
        abstract: "Ends a task of `progressbus begin` as succeeded, failed or cancelled.",
        discussion: """
            Without an option the task has succeeded:

              progressbus end "$id"
              progressbus end "$id" --failed
              progressbus end "$id" --failed="the disk is full"

            \(DetachedRun.codes)
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The task: what `progressbus begin` printed, its key, or its slot number.",
            valueName: "task"
        ),
        completion: .detachedTasks
    )
    var task: String?

    @Option(
        defaultAsFlag: "",
        // Takes the word directly behind the option, if there is one, and none behind other
        // options.
        parsing: .next,
        help: ArgumentHelp(
            "The task has failed, for this reason if you give one.",
            valueName: "reason"
        )
    )
    var failed: String?

    @Option(
        defaultAsFlag: "",
        parsing: .next,
        help: ArgumentHelp(
            "The task was cancelled, for this reason if you give one.",
            valueName: "reason"
        )
    )
    var cancelled: String?

    @OptionGroup var options: DetachedOptions

    func validate() throws {
        guard failed == nil || cancelled == nil else {
            throw ValidationError("a task ends once: give --failed or --cancelled, not both")
        }
        guard !(task ?? reason).isEmpty else {
            throw ValidationError("say which task: progressbus end TASK")
        }
    }

    private var reason: String { failed ?? cancelled ?? "" }

    func run() throws {
        var end = WireDetachedEnd()
        end.state = failed != nil ? .failed : cancelled != nil ? .cancelled : .succeeded
        // In `end --failed "$id"` the option takes the only word, which is the task.
        end.reason = task == nil ? "" : reason
        try DetachedRun(options).ask(task ?? reason) {
            end.task = $0
            return .end(end)
        }
    }
}
