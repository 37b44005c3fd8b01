import CTerminalGuard
import ChildProcesses
import Foundation
import ProgressBus
import ZeroMQ

/// The bus as `run` uses it: never in the way of the command.
final class RunBus {
    /// What a command is told that we are told, and what we need to know ourselves.
    static let signals: SignalSet = [
        SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT, SIGWINCH, SIGCHLD,
    ]

    let client: BusClient
    private let endpoint: EndpointOptions
    private let environment = ProcessInfo.processInfo.environment
    private var starting: Task<Void, Never>?
    private var keeping: Task<Void, Never>?

    /// Opens and starts nothing yet.
    init(endpoint: EndpointOptions) {
        self.endpoint = endpoint
        var configuration = BusConfiguration(
            endpoint: endpoint.endpoint,
            program: "progressbus run",
            // Given, so that nobody changes the one that the command gets.
            environment: environment
        )
        configuration.warnsOfMistakes = false
        client = BusClient(configuration)
    }

    /// From now on these signals and the letters of other threads are there for a loop.
    static func watch(
        _ signals: SignalSet
    ) throws(CommandFailure) -> (mailbox: RunMailbox, intake: SignalPipe) {
        // First, as SIGQUIT is a crash to it and something to pass on to us.
        terminal_guard_watch_crashes()
        do {
            return (try RunMailbox(), try SignalPipe(signals))
        } catch {
            throw CommandFailure(.unavailable, "cannot watch for signals: \(error)")
        }
    }

    /// The task for a command: what our own ticket or parent says, else a job.
    func beginTask(title: String?, command: String, key: String?, share: Int?) -> ProgressTask {
        let options = TaskOptions(isCancellable: true, isPausable: true)
        // Who has made a ticket has named its work.
        let hasTicket = environment["PROGRESSBUS_TICKET"]?.isEmpty == false
        let name = title ?? (hasTicket ? nil : command)
        if let task = client.redeemInherited(name, options: options) {
            share.map { task.setShare($0) }
            if key != nil {
                StandardStreams.complain(
                    "--key has no effect here, as only a job has a key and this is a part of one; "
                        + "unset PROGRESSBUS_TICKET and PROGRESSBUS_PARENT to run a job"
                )
            }
            return task
        }
        return client.beginJob(title ?? command, key: key, options: options)
    }

    /// Starts a broker where none listens, and again if it goes away; returns at once.
    func join() {
        let endpoint = endpoint
        let starting = Task { _ = try? await endpoint.ensureBroker() }
        self.starting = starting
        keeping = Task {
            await starting.value
            await endpoint.keepBroker()
        }
    }

    /// Looks, once it is called, for others that report below a task of ours.
    func reportWatch(below task: ProgressTask, in mailbox: RunMailbox) -> @Sendable () -> Void {
        let configuration = BusConfiguration(
            endpoint: endpoint.endpoint,
            program: "progressbus run",
            environment: environment
        )
        let ticket = environment["PROGRESSBUS_TICKET"].flatMap { ProgressTicket($0)?.task }
        let watch = ReportWatch(
            configuration: configuration,
            own: task.id,
            ticket: ticket,
            mailbox: mailbox
        )
        return { watch.start() }
    }

    /// Waits until a broker has all endings: one that is just starting too, for it was started for
    /// this; where there is none, for nothing.
    func leave(within patience: Duration) async {
        await starting?.value
        keeping?.cancel()
        await client.close(timeout: patience)
    }
}
