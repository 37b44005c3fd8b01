import ArgumentParser
import BusProtocol
import DashboardCore
import Foundation
import ProgressBus
import TaskTree
import ZeroMQ

/// What the commands to detached tasks have in common.
struct DetachedOptions: ParsableArguments {
    /// The longest time that may be given, in seconds.
    private static let longestTimeout = 600.0

    @OptionGroup var bus: EndpointOptions

    @Option(help: ArgumentHelp("How long to wait for the answer.", valueName: "seconds"))
    var timeout = 5.0

    @Flag(help: "Fail where the bus cannot be reached, instead of warning and going on.")
    var strict = false

    func validate() throws {
        guard timeout > 0, timeout <= Self.longestTimeout else {
            throw ValidationError("--timeout is more than 0 and at most 600 seconds")
        }
    }
}

/// One request about a detached task: starts a broker where none runs, asks until it is answered.
struct DetachedRun {
    /// The exit codes, for the help.
    static let codes = """
        A script must not fail because its progress cannot be shown: where there is no broker and \
        none can be started, or it does not answer, a warning on standard error says so, and the \
        exit code is 0. `begin` prints `none` then, which the other commands take and do nothing \
        with. --strict makes 69 and 75 of that.

        Exit codes: 0 done, or a warning; 65 refused: there is no such task, it has ended or was \
        cancelled, or something is beyond a limit; 74 the id cannot be printed. With --strict also 69: there is no broker and \
        none can be started, or its disk takes nothing; 75 no answer in time: the request may \
        still take effect.
        """

    /// How soon a broker that died meanwhile is missed.
    private static let brokerIsMissedAfter = Duration.milliseconds(100)

    private let bus: EndpointOptions
    private let timeout: Double
    private let isStrict: Bool

    init(_ options: DetachedOptions) {
        bus = options.bus
        timeout = options.timeout
        isStrict = options.strict
    }

    /// Asks something of the task that `begin` printed; nothing if it is on no bus.
    func ask(
        _ task: String,
        _ operation: (WireTaskRef) -> WireDetachedRequest.OneOf_Operation
    ) async throws {
        guard task != TaskID.noTask else { return }
        try await ask(operation(try DetachedTaskArgument.reference(task)))
    }

    /// Returns the task when what is asked of it is done; `nil` with a warning if the bus cannot be
    /// reached.
    @discardableResult
    func ask(_ operation: WireDetachedRequest.OneOf_Operation) async throws -> TaskID? {
        do {
            return try await exchange(operation)
        } catch let failure as CommandFailure where failure.isUnreachable && !isStrict {
            StandardStreams.complain("warning: not shown on the bus: \(failure.sentence)")
            return nil
        }
    }

    private func exchange(
        _ operation: WireDetachedRequest.OneOf_Operation
    ) async throws -> TaskID {
        let endpoint = try bus.resolve().endpoint
        // A busy machine may start a broker slowly; whoever asks has said how long that may take.
        try await bus.ensureBroker(within: max(Autostart.patience, .seconds(timeout)))
        // Where one may be started there was one just now; if it has died since, another follows.
        guard !bus.noAutostart || isWorthTrying(endpoint) else { throw Self.noBroker(endpoint) }
        do {
            try endpoint.checkDirectory()
        } catch {
            throw CommandFailure(.usage, String(describing: error))
        }
        // A broker that dies meanwhile is followed by another, which has the task from the journal.
        async let _ = bus.keepBroker(every: Self.brokerIsMissedAfter)
        let result = await onOwnThread("detached") { [timeout] in
            DetachedExchange.ask(operation, at: endpoint, within: timeout)
        }
        switch result {
        case .done(let task, let warning):
            if let warning { try warn(warning) }
            return task
        case .refused(let sentence):
            throw CommandFailure(.dataError, PlainText.clean(sentence))
        case .failed(let sentence):
            throw CommandFailure(.unavailable, PlainText.clean(sentence))
        case .unanswered(let wasSent): throw noAnswer(of: endpoint, wasSent: wasSent)
        }
    }

    private func warn(_ sentence: String) throws(CommandFailure) {
        let sentence = PlainText.clean(sentence)
        guard !isStrict else { throw CommandFailure(.unavailable, sentence) }
        StandardStreams.complain("warning: " + sentence)
    }

    private func noAnswer(of endpoint: BusEndpoint, wasSent: Bool) -> CommandFailure {
        let sentence = "no answer from \(endpoint) within \(timeout.formatted()) s; "
        if wasSent {
            return CommandFailure(
                .temporaryFailure,
                sentence + "the request may take effect yet, and would count again if you repeat "
                    + "it: look at `progressbus status` first"
            )
        }
        guard case .ipc = endpoint.kind, isWorthTrying(endpoint) else {
            return Self.noBroker(endpoint)
        }
        return CommandFailure(
            .temporaryFailure,
            sentence + "nothing has changed, so try again; `progressbus doctor` says what is wrong"
        )
    }

    /// Whether somebody listens, as far as that can be asked.
    private func isWorthTrying(_ endpoint: BusEndpoint) -> Bool {
        guard case .ipc(let directory) = endpoint.kind,
            case .nothing = ipcListenerState(path: directory + "/control")
        else { return true }
        return false
    }

    private static func noBroker(_ endpoint: BusEndpoint) -> CommandFailure {
        CommandFailure(
            .unavailable,
            "no broker listens on \(endpoint); start one with `progressbus broker`"
        )
    }
}

/// The task that a command is about.
struct DetachedTaskArgument {
    /// Reads an id as `begin` printed it.
    ///
    /// - Throws: exit code 65 if it is none.
    static func reference(_ text: String) throws(CommandFailure) -> WireTaskRef {
        let id = text.hasPrefix("id:") ? String(text.dropFirst(3)) : text
        guard let task = TaskID(id) else {
            throw CommandFailure(
                .dataError,
                "there is no task \"\(PlainText.clean(text))\", as that is no id; give what "
                    + "`progressbus begin` has printed"
            )
        }
        return WireTaskRef(task)
    }
}

extension CommandFailure {
    /// Whether the bus is at fault, and not what was asked.
    fileprivate var isUnreachable: Bool {
        code == .unavailable || code == .temporaryFailure || code == .cannotCreate
    }
}
