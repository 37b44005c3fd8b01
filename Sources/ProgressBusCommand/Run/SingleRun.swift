import ArgumentParser
import ChildProcesses
import OutputReading
import ProgressBus
import ZeroMQ

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Runs one command as a task.
struct SingleRun: Sendable {
    var words: [SystemString]
    var title: String?
    var key: String?
    var share: Int?
    var grace: Double
    /// Whether anybody reads what it prints.
    var isRead: Bool
    var need: TerminalRequirement
    /// Whether a failure tells the last lines of what it prints.
    var keepsTail: Bool
    var endpoint: EndpointOptions

    /// How long the end waits for the broker to have the ending; one that is away gets it later.
    private static let patience = Duration.seconds(1)

    /// Returns the exit status.
    func run(reader: OutputReader) async throws -> Int32 {
        InheritedContext.fillStandardDescriptors()
        let further = InheritedContext.furtherDescriptors
        let (mailbox, intake) = try RunBus.watch(RunBus.signals)
        let bus = RunBus(endpoint: endpoint)
        let task = bus.beginTask(
            title: title,
            command: CommandTitle.of(words.map(\.text)),
            key: key,
            share: share
        )
        // Before it runs: who sees it on the bus may ask at once. Letters wait until it does.
        Self.passOnRequests(of: task, to: mailbox)
        let started: StartedCommand
        do {
            started = try start(as: task, keeping: further)
        } catch {
            task.fail(error.sentence)
            StandardStreams.complain(error.sentence)
            bus.join()
            await bus.leave(within: Self.patience)
            return error.status
        }
        // The broker comes beside the command, never before it.
        bus.join()
        let machine = ChildSupervisor(grace: grace, sharesTerminal: started.place == .ourGroup)
        let client = bus.client
        let watchReports = bus.reportWatch(below: task, in: mailbox)
        let (end, hasLostOutput) = await onOwnThread("progressbus-run") {
            var loop = ChildLoop(
                started,
                machine: machine,
                task: ChildTask(task),
                reader: reader,
                keepsTail: keepsTail,
                intake: intake,
                mailbox: mailbox,
                flush: {
                    Task {
                        _ = await client.sync(timeout: .milliseconds(200))
                        mailbox.put(.flushed)
                    }
                },
                watchReports: watchReports
            )
            return loop.run()
        }
        await bus.leave(within: Self.patience)
        // It cannot know; whoever started us must not take its output for complete.
        let status = end.shellStatus
        return status == 0 && hasLostOutput ? ExitCode.outputLost.rawValue : status
    }

    private func start(
        as task: ProgressTask,
        keeping further: [Int32]
    ) throws(CommandStartError) -> StartedCommand {
        var environment = InheritedContext.environment
        CommandEnvironment.change(&environment, parent: task.id, endpoint: endpoint.endpoint)
        let name = words[0]
        do {
            var request = SpawnRequest(
                path: try ProgramSearch.find(name, in: environment.searchPath),
                arguments: words,
                environment: environment,
                streams: [nil, nil, nil]
            )
            request.kept = further
            request.habits = StandardStreams.startingHabits
            var facts = StandardStreamsPlan.Facts.present(isRead: isRead)
            facts.need = need
            let plan = StandardStreamsPlan(facts)
            do {
                return try StartedCommand.start(request, plan: plan)
            } catch  where plan.output == .terminal || plan.error == .terminal {
                // No pseudoterminals here: better unread than not at all.
                return try StartedCommand.start(
                    request,
                    plan: StandardStreamsPlan(.present(isRead: false))
                )
            }
        } catch {
            throw CommandStartError(name: name.text, error: error)
        }
    }

    private static func passOnRequests(of task: ProgressTask, to mailbox: RunMailbox) {
        task.onCancel { mailbox.put(.request(.cancel, of: 0)) }
        task.onPause { mailbox.put(.request(.pause, of: 0)) }
        task.onResume { mailbox.put(.request(.resume, of: 0)) }
    }
}

/// A command that could not be started, and what a shell's status is for that.
struct CommandStartError: Error {
    var name: String
    var error: StartError

    var status: Int32 { error.code == ENOENT || error.code == ENOTDIR ? 127 : 126 }

    var sentence: String {
        switch error.code {
        case ENOENT, ENOTDIR: "\(name): no such command; check its name and PATH"
        case EACCES: "\(name): cannot be executed; it is a directory or not marked as executable"
        default: "\(name): cannot be started: \(error)"
        }
    }
}

extension StandardStreamsPlan.Facts {
    /// How it is now.
    static func present(isRead: Bool) -> StandardStreamsPlan.Facts {
        var output = stat()
        var error = stat()
        let isKnown = fstat(STDOUT_FILENO, &output) == 0 && fstat(STDERR_FILENO, &error) == 0
        let kind = output.st_mode & S_IFMT
        return StandardStreamsPlan.Facts(
            inputIsTerminal: isatty(STDIN_FILENO) == 1,
            outputIsTerminal: isatty(STDOUT_FILENO) == 1,
            errorIsTerminal: isatty(STDERR_FILENO) == 1,
            outputIsFile: isKnown && (kind == S_IFREG || kind == S_IFCHR),
            outputsAreOne: isKnown && output.st_dev == error.st_dev
                && output.st_ino == error.st_ino,
            hasTerminal: InheritedContext.hasTerminal,
            isRead: isRead
        )
    }
}
