import ArgumentParser
import BusProtocol
import ProcessControl
import ProgressBus

/// The arguments that a command is run for, and how it goes with them.
struct Batch {
    /// Which of the commands one is.
    struct Place: Sendable {
        /// From 1; no command before it has had it.
        let number: Int
        let argument: SystemString
        /// The other machine where it runs, as `hosts` counts them.
        let host: Int?
        /// The name of that; empty where it runs here.
        let hostName: String
        /// What people read of it: the argument, and the other machine where it runs.
        let title: String
    }

    let template: ArgumentTemplate
    /// So many at a time here.
    private let limit: Int
    /// The other machines where they run, if they do not run here.
    var hosts: HostPool?
    let parent: ProgressTask
    let starter: CommandStarter
    let source: ArgumentSource
    let plan: StandardStreamsPlan
    var failures = Failures()
    /// How many commands were begun.
    var begun = 0
    private var lastNumber = 0
    /// What the bus was told of the total.
    private var counted = -1
    /// That no more are begun.
    private var isStopping = false
    private var isPaused = false
    private var isCancelled = false
    /// None of the other machines can be reached.
    private var isCutOff = false
    /// By the person, at the terminal.
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

    /// So many at a time.
    var jobs: Int { hosts?.slots ?? limit }
    /// To stop ssh stops nothing on another machine.
    var isPausable: Bool { hosts == nil }
    /// Whether nothing may begin now.
    var isHeld: Bool { isPaused || isStopping }
    /// Whether nothing will begin any more.
    var isOver: Bool { isStopping || source.isEmpty }
    /// Where more arguments come from, for poll(2).
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

    /// A command on another machine has ended.
    ///
    /// - Parameters:
    ///   - host: Which machine, as `hosts` counts them.
    ///   - argument: What it was run for; where ssh failed, it is run for that elsewhere.
    ///   - isReached: Whether ssh did not fail.
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

    /// Says how many there are once all have been read: before that nobody knows how far they are.
    mutating func tellTotal() {
        guard !isStopping, source.isCounted, source.count != counted else { return }
        counted = source.count
        parent.setTotal(counted)
    }

    /// Begins no more, because of a signal, or for a reason that `finish` is told.
    mutating func stop(by signal: Int32?) {
        if let signal, !isStopping, !source.isEmpty { failures.raise(to: 128 + signal) }
        isStopping = true
        isInterrupted = isInterrupted || signal == SIGINT || signal == SIGQUIT
    }

    /// What is asked of all of them; each that runs is asked itself too.
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

    /// What has become of those that did not succeed, for standard error.
    var lines: [String] { failures.lines(of: begun, left: source.left) }

    /// Ends the parent; all commands have ended.
    ///
    /// - Parameter failure: Why what they have printed is lost.
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
            // Its children have counted until now.
            parent.complete(begun)
            parent.succeed()
        }
    }
}
