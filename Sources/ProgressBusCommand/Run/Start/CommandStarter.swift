import BusProtocol
import ProcessControl
import TaskTree

/// Starts commands with the descriptors and the environment of this process, each as a task.
struct CommandStarter: Sendable {
    /// The value of `--endpoint`, if it was given.
    let endpoint: String?
    /// Descriptors beyond the standard ones that commands keep; asked for before we open any.
    private let further = InheritedContext.furtherDescriptors
    private let environment = InheritedContext.environment

    init(endpoint: String?) {
        self.endpoint = endpoint
    }

    /// Starts a command as a task, on the machine of a shell or here.
    func start(
        _ words: [SystemString],
        as task: TaskID,
        plan: StandardStreamsPlan,
        on shell: RemoteShell? = nil
    ) throws(CommandStartError) -> StartedCommand {
        let isTyped = plan.place == .session
        let name = RemoteShell.newName()
        let words =
            shell?.words(for: words, as: task, named: name, hasTerminal: isTyped) ?? words
        var environment = environment
        // The ticket was for `run`; the tasks that the command reports are children of its own
        // task.
        environment.set("PROGRESSBUS_TICKET", to: nil)
        environment.set("PROGRESSBUS_PARENT", to: SystemString(task.description))
        if let endpoint { environment.set("PROGRESSBUS_ENDPOINT", to: SystemString(endpoint)) }
        let searchPath = environment.value(of: "PATH") ?? "/usr/local/bin:/usr/bin:/bin"
        var isFound = false
        do {
            let path = try ProgramSearch.find(words[0], in: searchPath)
            isFound = true
            var request = SpawnRequest(
                path: path,
                arguments: words,
                environment: environment,
                streams: [nil, nil, nil]
            )
            request.kept = further
            request.habits = StandardStreams.startingHabits
            guard let shell else { return try StartedCommand.start(request, plan: plan) }
            // A cancelled `run` around this one sends SIGTERM to ssh too, which would close the
            // connection at once. `ChildSupervisor` decides when the connection is to end.
            request.habits.blocked.insert(SIGTERM)
            let connection = try? ConnectionGuard(
                of: name,
                on: shell.machine.machine,
                beside: request
            )
            var started = try StartedCommand.start(request, plan: plan)
            connection?.guards(ssh: started.pid)
            started.connection = connection
            return started
        } catch {
            throw CommandStartError(name: words[0].text, error: error, isFound: isFound)
        }
    }
}

/// A command that could not be started, with the status that a shell would have for it.
struct CommandStartError: Error {
    var name: String
    var error: StartError
    /// Whether there is a file of that name.
    var isFound = false

    var status: Int32 { error.code == ENOENT || error.code == ENOTDIR ? 127 : 126 }

    /// Whether there may be room for another process later.
    var isForNow: Bool { [EAGAIN, EMFILE, ENFILE, ENOMEM].contains(error.code) }

    var sentence: String {
        switch error.code {
        case ENOENT where isFound:
            "\(name): what its first line names to run it is not there; look whether that line ends "
                + "as lines of Windows do"
        case ENOENT, ENOTDIR: "\(name): no such command; check its name and PATH"
        case EACCES: "\(name): cannot be executed; it is a directory or not marked as executable"
        default: "\(name): cannot be started: \(error)"
        }
    }
}
