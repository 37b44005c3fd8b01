import ProcessControl
import TaskTree

/// The state of a running command, which turns events into actions.
///
/// It uses neither processes nor clocks; its owner carries out the actions.
struct ChildSupervisor: Sendable {
    /// A viewer's request.
    enum Request: Sendable {
        case cancel, pause, resume
    }

    enum Action: Equatable, Sendable {
        /// Send a signal to the command and all that it has started.
        case send(Int32)
        /// Tell the other machine that the command was cancelled.
        case tellOfCancel
        /// Show the task as paused, or not.
        case showPaused(Bool)
        /// Stop this process, because the person has stopped the command.
        case stopOurselves
    }

    /// How the task ends.
    enum Ending: Equatable, Sendable {
        case succeeded
        case failed(String)
        /// Cancelled, with a reason unless it was by a request.
        case cancelled(String)

        var isCancelled: Bool {
            if case .cancelled = self { true } else { false }
        }
    }

    /// Seconds from SIGTERM to SIGKILL.
    private let grace: Double
    /// Whether the terminal sends its signals to the command by itself, as it does to us.
    private let sharesTerminal: Bool
    /// Seconds from a cancel to SIGTERM, for a command on another machine.
    private let patience: Double
    private let hasOwnTerminal: Bool
    private var isCancelled = false
    /// Whether a cancel has come after the command had ended.
    private var isCancelledLate = false
    /// Whether the command was asked to end, or is going to be after `patience`.
    private(set) var isEnding = false
    private var isStopped = false
    /// The person has pressed Ctrl-Z, and the command has not stopped yet.
    private var isStopTyped = false
    /// When the person has pressed Ctrl-C or Ctrl-\, or SIGINT or SIGQUIT has come.
    private var interrupted: Moment?
    private var killTime: Moment?
    /// When the command is asked to end; SIGKILL follows after `grace`.
    private var askTime: Moment?

    init(
        grace: Double,
        sharesTerminal: Bool,
        patience: Double = 0,
        hasOwnTerminal: Bool = false
    ) {
        (self.grace, self.patience) = (grace, patience)
        (self.sharesTerminal, self.hasOwnTerminal) = (sharesTerminal, hasOwnTerminal)
    }

    /// Whether a cancel has come and the command has not had SIGTERM yet, so that only reporters on
    /// the other machine can have received it.
    var isCancelUncertain: Bool { isCancelled && askTime != nil }

    /// Drops the cancel: the command ended by itself before anything told it to.
    mutating func forgetCancel() { isCancelled = false }

    /// When `passed` is to be called.
    var deadline: Moment? { askTime ?? killTime }

    /// A viewer asks to cancel, pause or resume the command, which may have ended by now.
    mutating func asked(
        _ request: Request,
        at now: Moment,
        hasEnded: Bool = false
    ) -> [Action] {
        guard !hasEnded else {
            if request == .cancel { isCancelledLate = true }
            return []
        }
        switch request {
        case .cancel:
            isCancelled = true
            return end(at: now)
        case .pause:
            // A command that has ignored a Ctrl-Z stops because of this pause.
            isStopTyped = false
            return [.send(SIGSTOP), .showPaused(true)]
        case .resume:
            return [.send(SIGCONT), .showPaused(false)]
        }
    }

    /// Asks the command to end after `patience`; a second request gives it no more time.
    private mutating func end(at now: Moment) -> [Action] {
        guard !isEnding else { return [] }
        isEnding = true
        askTime = now.advanced(bySeconds: patience)
        return (patience > 0 ? [.tellOfCancel] : []) + passed(now)
    }

    /// A signal has come to us.
    mutating func received(_ signal: Int32, byTerminal: Bool, at now: Moment) -> [Action] {
        // A cancelled `run` around this one sends SIGTERM to all processes below it. The bus has
        // sent the cancel to reporters on the other machine, so they get their patience too.
        if signal == SIGTERM, patience > 0 { return end(at: now) }
        if byTerminal, signal == SIGTSTP { isStopTyped = true }
        if signal == SIGINT || signal == SIGQUIT { interrupted = now }
        let actions: [Action] = byTerminal && sharesTerminal ? [] : [.send(signal)]
        // A stopped process handles SIGHUP only when it is continued, so shells send SIGCONT too.
        return signal == SIGHUP ? actions + [.send(SIGCONT)] : actions
    }

    /// Ctrl-C or Ctrl-\ was typed for the terminal of the command.
    mutating func typedInterrupt(at now: Moment) { interrupted = now }

    /// Ctrl-Z was typed for the terminal of the command.
    mutating func typedStop() { isStopTyped = true }

    /// The command, not any other process, has stopped.
    mutating func stopped(by signal: Int32) -> [Action] {
        isStopped = true
        // SIGSTOP is a pause, unless Ctrl-Z was typed: a program that handles Ctrl-Z restores its
        // terminal and then sends SIGSTOP to itself. The other signals come from the terminal.
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
            // A stopped process handles SIGTERM only when it is continued.
            return [.send(SIGTERM), .send(SIGCONT)]
        }
        guard let killTime, now >= killTime else { return [] }
        self.killTime = nil
        return [.send(SIGKILL)]
    }

    func ending(_ end: ProcessEnd, at now: Moment) -> Ending {
        if isCancelled { return .cancelled("") }
        if end == .exited(0) { return .succeeded }
        // A `run` around this one had the same cancel a moment earlier, and sent this SIGTERM.
        if isCancelledLate, end == .signalled(SIGTERM) { return .cancelled("") }
        // On another machine, Ctrl-C goes to the terminal there, and the shell's status tells it.
        if patience > 0, hasOwnTerminal, Self.interruptedElsewhere.contains(end) {
            return .cancelled(Self.interruptedWords)
        }
        // Many programs exit with a status of their own on Ctrl-C; others, as editors, go on.
        if let interrupted,
            [.signalled(SIGINT), .signalled(SIGQUIT)].contains(end)
                || now.seconds(since: interrupted) < Self.interruptionTime
        {
            return .cancelled(Self.interruptedWords)
        }
        return .failed(end.sentence)
    }

    static let interruptedWords = "interrupted"
    /// What a shell exits with when a command has ended by Ctrl-C or Ctrl-\.
    private static let interruptedElsewhere: [ProcessEnd] = [SIGINT, SIGQUIT].map {
        .exited(128 + $0)
    }
    /// A command that ends within so many seconds of an interruption ends because of it.
    private static let interruptionTime = 10.0
}

extension ProcessEnd {
    /// "exit status 3", "killed by signal 9 (SIGKILL)".
    var sentence: String {
        switch self {
        case .exited(let status): "exit status \(status)"
        case .signalled(let number):
            "killed by signal \(number)" + (signalNames[number].map { " (\($0))" } ?? "")
        }
    }
}

/// The names of signals; sigabbrev_np(3) is too new.
private let signalNames: [Int32: String] = [
    SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL",
    SIGTRAP: "SIGTRAP", SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE",
    SIGKILL: "SIGKILL", SIGUSR1: "SIGUSR1", SIGSEGV: "SIGSEGV", SIGUSR2: "SIGUSR2",
    SIGPIPE: "SIGPIPE", SIGALRM: "SIGALRM", SIGTERM: "SIGTERM", SIGXCPU: "SIGXCPU",
    SIGXFSZ: "SIGXFSZ", SIGSYS: "SIGSYS",
]
