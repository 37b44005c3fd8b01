import CProcessControl
import ProcessControl
import ProgressBus
import ZeroMQ

/// The bus as `run` uses it: never in the way of the command.
final class RunBus {
    /// What a command is told that we are told, and what we need to know ourselves.
    private static let signals: SignalSet = [
        SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT, SIGWINCH, SIGCHLD,
    ]

    let client: BusClient
    private let endpoint: EndpointOptions
    private var configuration: BusConfiguration
    private let mailbox: RunMailbox
    private let intake: SignalPipe
    private let environment = OwnProcess.environment
    private var starting: Task<Void, Never>?
    private var keeping: Task<Void, Never>?

    /// From now on signals are there for a loop; the bus is not used yet.
    init(endpoint: EndpointOptions) throws(CommandFailure) {
        self.endpoint = endpoint
        // First, as SIGQUIT is a crash to it and something to pass on to us.
        terminal_guard_watch_crashes()
        do {
            mailbox = try RunMailbox()
            intake = try SignalPipe(Self.signals)
        } catch {
            throw CommandFailure(.unavailable, "cannot watch for signals: \(error)")
        }
        configuration = BusConfiguration(
            endpoint: endpoint.endpoint,
            program: "progressbus run",
            // Given, so that nobody changes the one that the command gets.
            environment: environment
        )
        configuration.warnsOfMistakes = false
        client = BusClient(configuration)
    }

    /// The task for a command: what our own ticket or parent says, else a job.
    func beginTask(
        title: String?,
        command words: [SystemString],
        key: String?,
        share: Int?,
        isPausable: Bool = true,
        host: String = ""
    ) -> ProgressTask {
        let command = CommandTitle.of(words.map(\.text))
        let options = TaskOptions(isCancellable: true, isPausable: isPausable, host: host)
        // The issuer of a ticket has given it a title.
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

    /// What a loop needs that minds the commands of a task.
    func services(of task: ProgressTask) -> RunServices {
        let ticket = environment["PROGRESSBUS_TICKET"].flatMap { ProgressTicket($0)?.task }
        let watch = ReportWatch(
            configuration: configuration,
            own: task.id,
            ticket: ticket,
            mailbox: mailbox
        )
        let (client, mailbox) = (client, mailbox)
        return RunServices(
            intake: intake,
            mailbox: mailbox,
            flush: {
                Task {
                    _ = await client.sync(timeout: .milliseconds(200))
                    mailbox.put(.flushed)
                }
            },
            watchReports: { watch.start() },
            findReporters: { watch.look(below: $0) }
        )
    }

    /// Waits until a broker has all endings: one that is just starting too, for it was started for
    /// this; where there is none, for nothing.
    func leave(within patience: Duration) async {
        await starting?.value
        keeping?.cancel()
        await client.close(timeout: patience)
    }
}
