import ArgumentParser
import BusProtocol

/// `progressbus update`: says how far a detached task is, in absolute numbers.
struct UpdateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Says how far a task of `progressbus begin` is, or that it is still alive.",
        discussion: """
            What is not given stays as it was; with nothing given it is a sign of life for \
            --expect-every.

            \(DetachedRun.codes)
            """
    )

    @Argument(
        help: ArgumentHelp(
            "What `progressbus begin` printed, or as for `progressbus cancel`.",
            valueName: "task"
        ),
        completion: .detachedTasks
    )
    var task: String

    @Option(help: ArgumentHelp("How many units are done.", valueName: "number"))
    var completed: Int64?

    @Option(help: ArgumentHelp("How many there are, or none.", valueName: "number"))
    var total: Total?

    @Option(help: ArgumentHelp("What it is doing right now.", valueName: "text"))
    var detail: String?

    @Option(help: ArgumentHelp("What people read.", valueName: "text"))
    var title: String?

    @OptionGroup var options: DetachedOptions

    /// A number of units, or the word that there is none.
    struct Total: ExpressibleByArgument {
        /// -1 for none, as on the wire.
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
        abstract: "Says that one more unit of a task of `progressbus begin` is done.",
        discussion: """
            Any number of scripts may do so at a time: each call that succeeds counts once, \
            whatever happens to the broker.

            \(DetachedRun.codes)
            """
    )

    @Argument(
        help: ArgumentHelp(
            "What `progressbus begin` printed, or as for `progressbus cancel`.",
            valueName: "task"
        ),
        completion: .detachedTasks
    )
    var task: String

    @Option(help: ArgumentHelp("How many more.", valueName: "number"))
    var by: Int64 = 1

    @OptionGroup var options: DetachedOptions

    func validate() throws {
        guard by >= 1 else {
            throw ValidationError("--by is 1 or more; `progressbus update` says absolute numbers")
        }
    }

    func run() throws {
        try Self.advance(task, by: by, DetachedRun(options))
    }

    static func advance(_ task: String, by step: Int64, _ run: DetachedRun) throws {
        var advance = WireDetachedAdvance()
        advance.by = step
        try run.ask(task) {
            advance.task = $0
            return .advance(advance)
        }
    }
}

/// `progressbus end`: says how a detached task has ended.
struct EndCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end",
        abstract: "Ends a task of `progressbus begin`: succeeded, unless something else is said.",
        discussion: """
              progressbus end "$id"
              progressbus end "$id" --failed
              progressbus end "$id" --failed="the disk is full"

            \(DetachedRun.codes)
            """
    )

    @Argument(
        help: ArgumentHelp(
            "What `progressbus begin` printed, or as for `progressbus cancel`.",
            valueName: "task"
        ),
        completion: .detachedTasks
    )
    var task: String?

    @Option(
        defaultAsFlag: "",
        // The next word at once, or none: not one behind other options.
        parsing: .next,
        help: ArgumentHelp("It has failed; the reason may be left out.", valueName: "reason")
    )
    var failed: String?

    @Option(
        defaultAsFlag: "",
        parsing: .next,
        help: ArgumentHelp("It was cancelled; the reason may be left out.", valueName: "reason")
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
        // The one word of `end --failed "$id"` is the task.
        end.reason = task == nil ? "" : reason
        try DetachedRun(options).ask(task ?? reason) {
            end.task = $0
            return .end(end)
        }
    }
}
