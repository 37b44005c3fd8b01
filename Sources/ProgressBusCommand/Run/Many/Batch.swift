import ArgumentParser
import BusProtocol
import ProcessControl
import ProgressBus

/// The run of one command for many arguments, and how far it has come.
struct Batch {
    /// One command of the batch.
    struct Place: Sendable {
        /// Counted from 1; no two commands have the same number.
        let number: Int
        let argument: SystemString
        /// The index in `hosts` of the other machine where the command runs, if it does not run
        /// here.
        let host: Int?
        /// The name of that machine; empty if the command runs here.
        let hostName: String
        /// The title of its task: the argument, and the other machine where the command runs.
        let title: String
    }

    let template: ArgumentTemplate
    /// The most commands at a time on this machine.
    private let limit: Int
    /// The other machines where the commands run; nil if they run here.
    var hosts: HostPool?
    let parent: ProgressTask
    let starter: CommandStarter
    let source: ArgumentSource
    let plan: StandardStreamsPlan
    var failures = Failures()
    /// How many commands were begun.
    var begun = 0
    private var lastNumber = 0
    /// The total that the bus was told last.
    private var counted = -1
    /// Whether no more commands are begun.
    private var isStopping = false
    private var isPaused = false
    private var isCancelled = false
    /// Whether none of the other machines can be reached.
    private var isCutOff = false
    /// Whether the person has interrupted the batch at the terminal.
    private(set) var isInterrupted = false

    init(
        _ template: ArgumentTemplate,
        source: ArgumentSource,
        jobs: Int,
        hosts: HostPool?,
        parent: ProgressTask,
        starter: CommandStarter
    ) {
        self.template = template
        self.source = source
        limit = jobs
        self.hosts = hosts
        self.parent = parent
        self.starter = starter
        let facts = StandardStreamsPlan.Facts.present(isRead: true)
        plan = .oneOfMany(outputsAreOne: facts.outputsAreOne)
    }

    /// The most commands at a time.
    var jobs: Int { hosts?.slots ?? limit }
    /// Whether commands can be paused: stopping ssh stops nothing on another machine.
    var isPausable: Bool { hosts == nil }
    /// Whether nothing may begin now.
    var isHeld: Bool { isPaused || isStopping }
    /// Whether nothing will begin any more.
    var isOver: Bool { isStopping || source.isEmpty }
    /// The descriptor from which more arguments come, for poll(2).
    var wantedInput: Int32? { isStopping ? nil : source.wanted }

    mutating func place(
        for argument: SystemString,
        on host: (host: Int, shell: RemoteShell)?
    ) -> Place {
        lastNumber += 1
        var title = argument.bytes.isEmpty ? "(empty)" : argument.text
        if let host { title += " on \(host.shell.machine.machine)" }
        return Place(
            number: lastNumber,
            argument: argument,
            host: host?.host,
            hostName: host?.shell.host ?? "",
            title: title
        )
    }

    /// Begins the task of a command.
    func beginTask(at place: Place) -> ProgressTask {
        let options = TaskOptions(
            isCancellable: true,
            isPausable: isPausable,
            host: place.hostName
        )
        return parent.beginChild(place.title, share: 1, options: options)
    }

    func start(
        _ argument: SystemString,
        as task: ProgressTask,
        on shell: RemoteShell?
    ) throws(CommandStartError) -> StartedCommand {
        try starter.start(template.filled(with: argument), as: task.id, plan: plan, on: shell)
    }

    /// Takes back the slot of a command on another machine that has ended.
    ///
    /// - Parameters:
    ///   - host: The index of the machine in `hosts`.
    ///   - argument: The command's argument; if ssh failed, it is run again next.
    ///   - isReached: False if ssh failed.
    mutating func returned(from host: Int, _ argument: SystemString, isReached: Bool) {
        if let shell = hosts?.giveBack(host, isReached: isReached) {
            let (name, port) = (shell.machine.machine, shell.machine.port)
            let option = port.map { "-p \($0) " } ?? ""
            StandardStreams.complain(
                "\(name) is left out: ssh does not reach it; try ssh \(option)\(name)"
            )
        }
        guard !isReached else { return }
        begun -= 1
        source.giveBack(argument)
        if hosts?.slots == 0, !isStopping {
            isStopping = true
            isCutOff = true
            failures.raise(to: RemoteShell.notReached)
        }
    }

    /// Reports the total once all arguments have been read; until then it is unknown.
    mutating func tellTotal() {
        guard !isStopping, source.isCounted, source.count != counted else { return }
        counted = source.count
        parent.setTotal(counted)
    }

    /// Begins no more commands, because of a signal or of the failure that `finish` is given.
    mutating func stop(by signal: Int32?) {
        if let signal, !isStopping, !source.isEmpty { failures.raise(to: 128 + signal) }
        isStopping = true
        isInterrupted = isInterrupted || signal == SIGINT || signal == SIGQUIT
    }

    /// Takes a request to the whole batch; each running command gets the request itself too.
    mutating func ask(_ request: ChildSupervisor.Request) {
        switch request {
        case .cancel:
            isStopping = true
            isCancelled = true
        case .pause:
            isPaused = true
            parent.pause()
        case .resume:
            isPaused = false
            parent.resume()
        }
    }

    func showStopped() {
        parent.pause()
        parent.setDetail(ChildTask.stoppedWords)
    }

    func showContinued() {
        if !isPaused { parent.resume() }
        parent.setDetail("")
    }

    /// The lines for standard error about the commands that did not succeed.
    var lines: [String] { failures.lines(of: begun, left: source.left) }

    /// Ends the parent task; all commands have ended.
    ///
    /// - Parameter failure: Why output was lost, if it was.
    mutating func finish(failure: String?) {
        if failure != nil { failures.raise(to: ExitCode.outputLost.rawValue) }
        if isCancelled {
            parent.endCancelled()
        } else if isInterrupted, failures.status != 0 {
            parent.endCancelled(ChildSupervisor.interruptedWords)
        } else if let failure {
            parent.fail(failure)
        } else if isCutOff {
            parent.fail(
                "no machine of --on can be reached; \(source.count - source.left) of \(source.count) were run"
            )
        } else if failures.count > 0 {
            parent.fail(failures.words(of: begun).joined(separator: ", "))
        } else if isStopping {
            parent.fail("stopped after \(begun) of \(source.count)")
        } else {
            // Until now its children have counted.
            parent.complete(begun)
            parent.succeed()
        }
    }
}
