import ProcessControl
import TaskTree

/// What happens to a running command, and what is to be done about it.
///
/// A value without processes and clocks; whoever owns it carries out what it says.
struct ChildSupervisor: Sendable {
    /// What somebody who looks at the bus asks for.
    enum Request: Sendable {
        case cancel, pause, resume
    }

    enum Action: Equatable, Sendable {
        /// To the command and all that it has started.
        case send(Int32)
        /// What the task says of itself.
        case showPaused(Bool)
        /// The person has stopped the command: stop, as it would have stopped without us.
        case stopOurselves
    }

    /// How the task ends.
    enum Ending: Equatable, Sendable {
        case succeeded
        case failed(String)
        /// Why, if it was not by a request.
        case cancelled(String)

        var isCancelled: Bool {
            if case .cancelled = self { true } else { false }
        }
    }

    private let grace: Double
    /// Whether the terminal sends its signals to the command by itself, as it does to us.
    private let sharesTerminal: Bool
    private var isCancelled = false
    private var isStopped = false
    /// The person has pressed Ctrl-Z, and the command has not stopped yet.
    private var isStopTyped = false
    /// When the person has pressed Ctrl-C or Ctrl-\, or somebody has sent what they send.
    private var interrupted: Moment?
    private var killTime: Moment?
    /// When a command that may end by itself is asked to.
    private var askTime: Moment?

    /// - Parameters:
    ///   - grace: Seconds between asking the command to end and ending it.
    ///   - sharesTerminal: Whether the command is in our process group.
    init(grace: Double, sharesTerminal: Bool) {
        self.grace = grace
        self.sharesTerminal = sharesTerminal
    }

    /// When `passed` is to be called.
    var deadline: Moment? { askTime ?? killTime }

    /// Somebody asks for something; a request to cancel leaves the command so many seconds of patience
    /// to end by itself, before it is asked.
    mutating func asked(_ request: Request, at now: Moment, patience: Double = 0) -> [Action] {
        switch request {
        case .cancel:
            // Asked once more it gets no more time.
            guard !isCancelled else { return [] }
            isCancelled = true
            askTime = now.advanced(bySeconds: patience)
            return passed(now)
        case .pause:
            // A command that has ignored a Ctrl-Z stops because of this pause.
            isStopTyped = false
            return [.send(SIGSTOP), .showPaused(true)]
        case .resume:
            return [.send(SIGCONT), .showPaused(false)]
        }
    }

    /// A signal has come to us.
    mutating func received(_ signal: Int32, byTerminal: Bool, at now: Moment) -> [Action] {
        if byTerminal, signal == SIGTSTP { isStopTyped = true }
        if signal == SIGINT || signal == SIGQUIT { interrupted = now }
        let actions: [Action] = byTerminal && sharesTerminal ? [] : [.send(signal)]
        // What is stopped would never hear it, and nobody is left to let it go on: as shells do.
        return signal == SIGHUP ? actions + [.send(SIGCONT)] : actions
    }

    /// What makes a terminal interrupt its programs was typed into the command's own.
    mutating func typedInterrupt(at now: Moment) { interrupted = now }

    /// What makes a terminal stop its programs was typed into the command's own.
    mutating func typedStop() { isStopTyped = true }

    /// The command, not any other process, has stopped.
    mutating func stopped(by signal: Int32) -> [Action] {
        isStopped = true
        // SIGSTOP is a pause, ours or somebody's, unless it is how a program stops that has put its
        // terminal in order first; the others are the terminal's.
        let isByTerminal = isStopTyped || [SIGTSTP, SIGTTIN, SIGTTOU].contains(signal)
        isStopTyped = false
        return isByTerminal ? [.showPaused(true), .stopOurselves] : [.showPaused(true)]
    }

    mutating func continued() -> [Action] {
        defer { isStopped = false }
        return isStopped ? [.showPaused(false)] : []
    }

    mutating func passed(_ now: Moment) -> [Action] {
        if let askTime, now >= askTime {
            self.askTime = nil
            killTime = askTime.advanced(bySeconds: grace)
            // What is stopped cannot hear it.
            return [.send(SIGTERM), .send(SIGCONT)]
        }
        guard let killTime, now >= killTime else { return [] }
        self.killTime = nil
        return [.send(SIGKILL)]
    }

    func ending(_ end: ProcessEnd, at now: Moment) -> Ending {
        if isCancelled { return .cancelled("") }
        if end == .exited(0) { return .succeeded }
        // Many end in a way of their own when they are interrupted; to others it is a key like any.
        if let interrupted,
            [.signalled(SIGINT), .signalled(SIGQUIT)].contains(end)
                || now.seconds(since: interrupted) < Self.interruptionTime
        {
            return .cancelled(Self.interruptedWords)
        }
        return .failed(end.sentence)
    }

    static let interruptedWords = "interrupted"
    /// A command that ends within so many seconds of an interruption ends because of it.
    private static let interruptionTime = 10.0
}

extension ProcessEnd {
    /// "exit status 3", "killed by signal 9 (SIGKILL)".
    var sentence: String {
        switch self {
        case .exited(let status): "exit status \(status)"
        case .signalled(let number):
            "killed by signal \(number)" + (SignalName.of(number).map { " (\($0))" } ?? "")
        }
    }
}

/// The names of signals; sigabbrev_np(3) is too new.
enum SignalName {
    static func of(_ number: Int32) -> String? { names[number] }

    private static let names: [Int32: String] = [
        SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL",
        SIGTRAP: "SIGTRAP", SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE",
        SIGKILL: "SIGKILL", SIGUSR1: "SIGUSR1", SIGSEGV: "SIGSEGV", SIGUSR2: "SIGUSR2",
        SIGPIPE: "SIGPIPE", SIGALRM: "SIGALRM", SIGTERM: "SIGTERM", SIGXCPU: "SIGXCPU",
        SIGXFSZ: "SIGXFSZ", SIGSYS: "SIGSYS",
    ]
}
