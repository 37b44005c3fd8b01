import ArgumentParser
import BusProtocol

/// `progressbus update`: says how far a detached task is, in absolute numbers.
struct UpdateCommand: AsyncParsableCommand {
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

    func run() async throws {
        var update = WireDetachedUpdate()
        if let completed { update.completed = completed }
        if let total { update.total = total.number }
        if let detail { update.detail = detail }
        if let title { update.title = title }
        try await DetachedRun(options).ask(task) {
            update.task = $0
            return .update(update)
        }
    }
}

/// `progressbus advance`: says that more is done, exactly once for each call.
struct AdvanceCommand: AsyncParsableCommand {
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

    func run() async throws {
        var advance = WireDetachedAdvance()
        advance.by = by
        try await DetachedRun(options).ask(task) {
            advance.task = $0
            return .advance(advance)
        }
    }
}

/// `progressbus end`: says how a detached task has ended.
struct EndCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end",
        abstract: "Ends a task of `progressbus begin`: succeeded, unless something else is said.",
        discussion: DetachedRun.codes
    )

    @Argument(
        help: ArgumentHelp(
            "What `progressbus begin` printed, or as for `progressbus cancel`.",
            valueName: "task"
        ),
        completion: .detachedTasks
    )
    var task: String

    @Option(help: ArgumentHelp("It has failed, and why.", valueName: "reason"))
    var failed: String?

    @Option(
        defaultAsFlag: "",
        // The next word at once, or none: not one behind other options.
        parsing: .next,
        help: ArgumentHelp("It was cancelled, and why.", valueName: "reason")
    )
    var cancelled: String?

    @OptionGroup var options: DetachedOptions

    func validate() throws {
        guard failed == nil || cancelled == nil else {
            throw ValidationError("a task ends once: give --failed or --cancelled, not both")
        }
    }

    func run() async throws {
        var end = WireDetachedEnd()
        end.state = failed != nil ? .failed : cancelled != nil ? .cancelled : .succeeded
        end.reason = failed ?? cancelled ?? ""
        try await DetachedRun(options).ask(task) {
            end.task = $0
            return .end(end)
        }
    }
}
