import CProcessControl
import ProcessControl
import ProgressBus
import Synchronization
import TaskTree
import ZeroMQ

/// The bus as `run` uses it, with the signals and the mailbox of the loop that serves commands.
///
/// The loop's calls return at once, and the answers come into the mailbox.
final class RunBus: Sendable {
    /// The signals that are passed on to a command, and those that this process itself needs.
    private static let signals: SignalSet = [
        SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT, SIGWINCH, SIGCHLD,
    ]

    let intake: SignalPipe
    let mailbox: RunMailbox
    /// The task of the ticket or parent in the environment, else a job.
    let task: ProgressTask
    private let client: BusClient
    private let endpoint: EndpointOptions
    private let configuration: BusConfiguration
    /// The task of our own ticket, if we have one.
    private let ticket: TaskID?
    /// The Swift task that starts a broker, and the one that starts others after it.
    private let starts = Mutex<(first: Task<Void, Never>, others: Task<Void, Never>)?>(nil)

    /// Begins to collect signals for the loop, and begins the task.
    init(
        _ run: RunOptions,
        command words: [SystemString],
        as options: TaskOptions
    ) throws(CommandFailure) {
        endpoint = run.endpoint
        // First: this takes SIGQUIT for a crash, until `SignalPipe` takes it over to pass it on.
        terminal_guard_watch_crashes()
        do {
            mailbox = try RunMailbox()
            intake = try SignalPipe(Self.signals)
        } catch {
            throw CommandFailure(.unavailable, "cannot watch for signals: \(error)")
        }
        let environment = OwnProcess.environment
        var configuration = BusConfiguration(
            endpoint: endpoint.endpoint,
            program: "progressbus run",
            // Given, so that redeeming a ticket does not change the environment that the command
            // gets.
            environment: environment
        )
        configuration.warnsOfMistakes = false
        self.configuration = configuration
        client = BusClient(configuration)
        let command = CommandTitle.of(words.map(\.text))
        let text = environment["PROGRESSBUS_TICKET"] ?? ""
        ticket = ProgressTicket(text)?.task
        // The issuer of a ticket has given it a title.
        let name = run.title ?? (text.isEmpty ? command : nil)
        guard let task = client.redeemInherited(name, options: options) else {
            self.task = client.beginJob(run.title ?? command, key: run.key, options: options)
            return
        }
        self.task = task
        run.share.map { task.setShare($0) }
        if run.key != nil {
            StandardStreams.complain(
                "--key has no effect here, as only a job has a key and this is a part of one; "
                    + "unset PROGRESSBUS_TICKET and PROGRESSBUS_PARENT to run a job"
            )
        }
    }

    /// Starts a broker where none listens, and again if it goes away; returns at once.
    func join() {
        let endpoint = endpoint
        let first = Task { _ = try? await endpoint.ensureBroker() }
        let others = Task {
            await first.value
            await endpoint.keepBroker()
        }
        starts.withLock { $0 = (first, others) }
    }

    /// Waits until a broker has all endings, or `patience` is over.
    ///
    /// First it waits for a broker that is just starting, which was started for this. If then none
    /// listens and none has ever answered, it does not wait; for a tcp endpoint it waits 1 s at
    /// most.
    func leave(within patience: Duration) async {
        let starts = starts.withLock { $0 }
        await starts?.first.value
        starts?.others.cancel()
        await client.close(timeout: patience)
    }

    /// Puts the requests about a command's task into the mailbox, with the command's number.
    func passOnRequests(of task: ProgressTask, number: Int, isPausable: Bool) {
        let mailbox = mailbox
        task.onCancel { mailbox.put(.request(.cancel, of: number)) }
        guard isPausable else { return }
        task.onPause { mailbox.put(.request(.pause, of: number)) }
        task.onResume { mailbox.put(.request(.resume, of: number)) }
    }

    /// Sends what was reported so far, then puts `flushed` into the mailbox.
    func flush() {
        Task {
            _ = await client.sync(timeout: .milliseconds(200))
            mailbox.put(.flushed)
        }
    }

    // MARK: - What others report

    /// Puts `reported` into the mailbox for each task of ours below which another session reports.
    ///
    /// A session is not told of children that other sessions begin, so a follower looks for them.
    /// That is worth its cost only if a command's output was understood.
    func watchReports() {
        Task {
            let follower = BusFollower(configuration)
            defer { follower.close() }
            var names = names(of: task.id)
            while let name = names.first {
                do {
                    return try await watch(follower.updates(of: .id(name), depth: 2))
                } catch {
                    // The task is not known yet, or not any more, for instance to a new broker.
                    try await Task.sleep(for: .milliseconds(200))
                    names = names.dropFirst() + [name]
                }
            }
        }
    }

    private func watch(_ updates: FollowSequence<TaskUpdate>) async throws {
        var told: Set<TaskID> = []
        for try await update in updates {
            for parent in [update.task] + update.task.children
            where parent.children.contains(where: { $0.id.session != task.id.session }) {
                if told.insert(parent.id).inserted { mailbox.put(.reported(below: parent.id)) }
            }
        }
    }

    /// Puts `heard` into the mailbox: whether a session right below `other` may have got a cancel.
    ///
    /// Without an answer it may have, so that a cancelled task is not shown as a success.
    func findReporters(below other: TaskID) {
        Task {
            let follower = BusFollower(configuration)
            defer { follower.close() }
            var isHeard = true
            for name in names(of: other) {
                guard let known = try? await follower.status(of: .id(name), depth: 1) else {
                    continue
                }
                isHeard =
                    known.childrenLeftOut > 0
                    || known.children.contains {
                        $0.id.session != task.id.session && $0.state != .succeeded
                    }
                break
            }
            mailbox.put(.heard(isHeard, of: other))
        }
    }

    /// The ids of a task: a ticket's task has the ticket's id, unless another process holds that.
    private func names(of task: TaskID) -> [TaskID] {
        [task] + (task == self.task.id ? ticket.map { [$0] } ?? [] : [])
    }
}
