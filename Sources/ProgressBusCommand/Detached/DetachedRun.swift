import ArgumentParser
import BusProtocol
import DashboardCore
import ProgressBus
import TaskTree
import ZeroMQ

/// The options that the commands about detached tasks share.
struct DetachedOptions: ParsableArguments {
    @OptionGroup var bus: EndpointOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How many seconds to wait for the broker's answer.",
            discussion: "If not given, 1; for `begin`, 5; for a bus on another machine, 10.",
            valueName: "seconds"
        )
    )
    var timeout: Double?

    @Flag(help: "Fail if the bus cannot be reached, instead of printing a warning.")
    var strict = false

    func validate() throws { try PatienceArguments.check(timeout) }
}

/// Sends one request about a detached task, starts a broker if none runs, and awaits the answer.
struct DetachedRun {
    /// The exit codes, for the help.
    static let codes = """
        A script does not fail because its progress cannot be shown. If no broker answers and none \
        can be started, the command prints a warning on standard error and its exit code is 0. \
        `begin` then prints `none`; the other commands accept `none` and do nothing. `end` leaves \
        the ending in the spool, where a broker of the next hour reads it. With --strict the exit \
        code is 69 or 75 instead.

        Exit codes: 0 done, or a warning was printed; 65 refused: there is no such task, it has \
        ended (to end it the same way again is no error) or was cancelled, is another member's, or a \
        limit is reached; 74 the id cannot be printed. With --strict also 64: PROGRESSBUS_ENDPOINT is no bus; 69: there is no broker and none can be started, its disk is full, or the id is \
        `none`; 75 no answer in time: the request may still take effect.
        """

    private let options: DetachedOptions
    private let patience: Double

    /// - Parameters:
    ///   - options: The options of the command.
    ///   - patience: Seconds to wait for a broker on this machine unless `--timeout` is given. A
    ///     working broker answers within milliseconds. A stuck one must not slow down a script that
    ///     calls the command for every file.
    init(_ options: DetachedOptions, patience: Double = 1) {
        self.options = options
        self.patience = patience
    }

    private var bus: EndpointOptions { options.bus }

    private var timeout: Double {
        if let given = options.timeout { return given }
        let isNear = (try? bus.resolve().endpoint.isLoopback) ?? true
        return isNear ? patience : max(patience, PatienceArguments.forOtherMachines)
    }

    /// Sends a request about the task of that id, key or slot; does nothing for the word `none`.
    ///
    /// With `--strict`, the word `none` is an error.
    func ask(
        _ task: String,
        _ operation: (WireTaskRef) -> WireDetachedRequest.OneOf_Operation
    ) throws {
        guard task != TaskID.noTask else { return try refuseNoTask() }
        try unlessUnreachable {
            let id = task.hasPrefix("id:") ? String(task.dropFirst(3)) : task
            let reference =
                if let known = TaskID(id) { WireTaskRef(known) } else { try find(task) }
            return try exchange(operation(reference))
        }
    }

    /// Sends a request and returns its task; warns and returns `nil` if the bus cannot be reached.
    ///
    /// With `--strict`, an unreachable bus is an error.
    @discardableResult
    func ask(_ operation: WireDetachedRequest.OneOf_Operation) throws -> TaskID? {
        try unlessUnreachable { try exchange(operation) }
    }

    /// Throws with `--strict`, because the word `none` stands for a task on no bus; else returns.
    func refuseNoTask() throws(CommandFailure) {
        guard options.strict else { return }
        throw CommandFailure(
            .unavailable,
            "\"\(TaskID.noTask)\" is no task: `progressbus begin` printed it because it could not "
                + "reach the bus, and said why on standard error"
        )
    }

    @discardableResult
    private func unlessUnreachable(_ body: () throws -> TaskID) throws -> TaskID? {
        do {
            return try body()
        } catch let failure as CommandFailure where isUnreachable(failure) && !options.strict {
            StandardStreams.complain("warning: not shown on the bus: \(failure.sentence)")
            return nil
        }
    }

    /// Whether the bus, or the variable that names it, is at fault and not the request.
    private func isUnreachable(_ failure: CommandFailure) -> Bool {
        switch failure.code {
        case .unavailable, .temporaryFailure, .cannotCreate: true
        case .usage: bus.endpoint == nil
        default: false
        }
    }

    /// Finds the task of this slot, key or beginning of an id.
    private func find(_ text: String) throws(CommandFailure) -> WireTaskRef {
        var autostart = try autostart()
        try reach(&autostart)
        let follower = BusFollower(
            BusConfiguration(endpoint: bus.endpoint, program: "progressbus")
        )
        defer { follower.close() }
        let timeout = Duration.seconds(timeout)
        let answer = waitForAnswer { () async -> Result<TaskMatch, FollowError> in
            do throws(FollowError) {
                return .success(try await follower.find(TaskSelector(text), timeout: timeout))
            } catch {
                return .failure(error)
            }
        }
        switch answer {
        case .success(let match): return WireTaskRef(match.task)
        case .failure(let error): throw CommandFailure(error)
        }
    }

    private func exchange(
        _ operation: WireDetachedRequest.OneOf_Operation
    ) throws(CommandFailure) -> TaskID {
        let exchange = DetachedExchange(operation.limited, at: try bus.resolve().endpoint)
        do {
            return try ask(exchange)
        } catch {
            guard isUnreachable(error), exchange.leaveInSpool() else { throw error }
            var said = error.sentence
            if said.hasSuffix(".") { said.removeLast() }
            throw CommandFailure(
                error.code,
                "\(said); the ending waits in the spool, and a broker that runs within the hour takes "
                    + "it from there"
            )
        }
    }

    /// Returns when a broker listens, or throws why a request would be in vain.
    private func reach(_ autostart: inout Autostart?) throws(CommandFailure) {
        let endpoint = try bus.resolve().endpoint
        try autostart?.waitForBroker()
        // With autostart a broker listened just now; if it has died since, `ask` starts another.
        guard !bus.noAutostart || !endpoint.hasNoListener else { throw Self.noBroker(endpoint) }
        do {
            try endpoint.checkDirectory()
        } catch {
            throw CommandFailure(.usage, String(describing: error))
        }
        // A stopped broker does not answer: waiting would only slow down this call and the next.
        if options.timeout == nil, let broker = BrokerProcess(of: endpoint), broker.isStopped {
            throw CommandFailure(
                .temporaryFailure,
                "the broker of \(endpoint), process \(broker.pid), \(broker.stoppedWords)"
            )
        }
    }

    /// Makes a starter of brokers; a longer `--timeout` gives a broker more time on a busy machine.
    private func autostart() throws(CommandFailure) -> Autostart? {
        try bus.autostart(within: max(Autostart.patience, .seconds(timeout)))
    }

    private func ask(_ exchange: DetachedExchange) throws(CommandFailure) -> TaskID {
        let endpoint = try bus.resolve().endpoint
        var autostart = try autostart()
        try reach(&autostart)
        let result = exchange.ask(within: timeout) {
            // If the broker dies meanwhile, this starts another, which knows the task.
            _ = try? autostart?.isReady()
        }
        switch result {
        case .done(let task, let warning):
            if let warning { try warn(warning) }
            return task
        case .refused(let sentence):
            throw CommandFailure(.dataError, PlainText.clean(sentence))
        case .failed(let sentence):
            throw CommandFailure(.unavailable, PlainText.clean(sentence))
        case .unanswered(let wasSent):
            throw noAnswer(of: endpoint, wasSent: wasSent, countsOnce: exchange.isEnding)
        }
    }

    /// The time in words: "1", "2.5".
    private var seconds: String {
        Int(exactly: timeout).map(String.init) ?? String(timeout)
    }

    private func warn(_ sentence: String) throws(CommandFailure) {
        let sentence = PlainText.clean(sentence)
        guard !options.strict else { throw CommandFailure(.unavailable, sentence) }
        StandardStreams.complain("warning: " + sentence)
    }

    private func noAnswer(
        of endpoint: BusEndpoint,
        wasSent: Bool,
        countsOnce: Bool
    ) -> CommandFailure {
        let sentence = "no answer from \(endpoint) within \(seconds) s; "
        let doctor = "`progressbus doctor` says what is wrong"
        if countsOnce { return CommandFailure(.temporaryFailure, sentence + doctor) }
        if wasSent {
            return CommandFailure(
                .temporaryFailure,
                sentence + "the request may take effect yet, and would count again if you repeat "
                    + "it: look at `progressbus status` first"
            )
        }
        guard case .ipc = endpoint.kind, !endpoint.hasNoListener else {
            return Self.noBroker(endpoint)
        }
        return CommandFailure(
            .temporaryFailure,
            sentence + "nothing has changed, so try again; " + doctor
        )
    }

    private static func noBroker(_ endpoint: BusEndpoint) -> CommandFailure {
        let advice =
            endpoint.membership == nil
            ? "start one with `progressbus broker`" : "ask whoever runs it"
        return CommandFailure(.unavailable, "no broker listens on \(endpoint); \(advice)")
    }
}
