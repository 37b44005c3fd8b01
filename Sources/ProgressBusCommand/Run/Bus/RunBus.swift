import CProcessControl
import ProcessControl
import ProgressBus
import Synchronization
import TaskTree
import ZeroMQ

/// The bus as `run` uses it, and what a loop that minds commands is told: never in their way.
///
/// What it is asked returns at once, and the answer comes into the mailbox.
final class RunBus: Sendable {
    /// What a command is told that we are told, and what we need to know ourselves.
    private static let signals: SignalSet = [
        SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT, SIGWINCH, SIGCHLD,
    ]

    let intake: SignalPipe
    let mailbox: RunMailbox
    /// What our own ticket or parent says, else a job.
    let task: ProgressTask
    private let client: BusClient
    private let endpoint: EndpointOptions
    private let configuration: BusConfiguration
    /// Whose task ours is, if it was given to us.
    private let ticket: TaskID?
    /// What starts a broker, and what starts others after it.
    private let starts = Mutex<(first: Task<Void, Never>, others: Task<Void, Never>)?>(nil)

    /// From now on signals are there for a loop, and the task has begun.
    init(
        _ run: RunOptions,
        command words: [SystemString],
        as options: TaskOptions
    ) throws(CommandFailure) {
        endpoint = run.endpoint
        // First, as SIGQUIT is a crash to it and something to pass on to us.
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
            // Given, so that nobody changes the one that the command gets.
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

    /// Waits until a broker has all endings: one that is just starting too, for it was started for
    /// this; where there is none, for nothing.
    func leave(within patience: Duration) async {
        let starts = starts.withLock { $0 }
        await starts?.first.value
        starts?.others.cancel()
        await client.close(timeout: patience)
    }

    /// Puts what is asked of a command's task into the mailbox, under its number.
    func passOnRequests(of task: ProgressTask, number: Int, isPausable: Bool) {
        let mailbox = mailbox
        task.onCancel { mailbox.put(.request(.cancel, of: number)) }
        guard isPausable else { return }
        task.onPause { mailbox.put(.request(.pause, of: number)) }
        task.onResume { mailbox.put(.request(.resume, of: number)) }
    }

    /// Tells the bus what was said so far.
    func flush() {
        Task {
            _ = await client.sync(timeout: .milliseconds(200))
            mailbox.put(.flushed)
        }
    }

    // MARK: - What others report

    /// Tells from now on below which tasks, ours and its children, others report.
    ///
    /// Nobody tells a parent of children that other sessions begin, so they are looked for as by any
    /// viewer: only where a command's output was understood.
    func watchReports() {
        Task {
            let follower = BusFollower(configuration)
            defer { follower.close() }
            var names = names(of: task.id)
            while let name = names.first {
                do {
                    return try await watch(follower.updates(of: .id(name), depth: 2))
                } catch {
                    // Not known yet, or not any more, as with another broker.
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

    /// Tells once whether others report right below a task of ours.
    ///
    /// Without an answer they may: what was asked to stop is not shown as a success.
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

    /// A ticket's task has the ticket's name, unless somebody else holds it.
    private func names(of task: TaskID) -> [TaskID] {
        [task] + (task == self.task.id ? ticket.map { [$0] } ?? [] : [])
    }
}
