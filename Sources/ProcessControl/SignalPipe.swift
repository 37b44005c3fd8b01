import CProcessControl

/// A set of signals.
package struct SignalSet: Hashable, Sendable, ExpressibleByArrayLiteral {
    package private(set) var bits: UInt64

    package init(bits: UInt64) {
        self.bits = bits
    }

    package init(arrayLiteral numbers: Int32...) {
        self.init(numbers)
    }

    package init(_ numbers: some Sequence<Int32>) {
        bits = 0
        for number in numbers where (1...64).contains(number) { bits |= 1 << UInt64(number - 1) }
    }

    package func contains(_ number: Int32) -> Bool {
        (1...64).contains(number) && bits & 1 << UInt64(number - 1) != 0
    }

    package mutating func insert(_ number: Int32) {
        bits |= SignalSet([number]).bits
    }

    package func subtracting(_ others: SignalSet) -> SignalSet {
        SignalSet(bits: bits & ~others.bits)
    }

    /// The signals, the smallest first.
    package var numbers: [Int32] { (1...64).filter(contains) }

    var systemSet: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        return set
    }
}

/// The signals that a process ignores and blocks.
///
/// So a program can be started with those that this process was itself started with.
package struct SignalDispositions: Hashable, Sendable {
    package var ignored: SignalSet
    package var blocked: SignalSet

    package init(ignored: SignalSet = [], blocked: SignalSet = []) {
        self.ignored = ignored
        self.blocked = blocked
    }

    /// Those of the calling thread now; to be called before anything changes them.
    package static func present() -> SignalDispositions {
        SignalDispositions(
            ignored: SignalSet(bits: ignored_signals()),
            blocked: SignalSet(bits: blocked_signals())
        )
    }
}

/// Signals that a loop polls for; there is one for the whole process.
package struct SignalPipe: Sendable {
    /// Readable when one has come.
    package let descriptor: Int32
    /// The signals that are reported here; without SIGCHLD if the process ignored it before,
    /// although it is reported too.
    package let signals: SignalSet

    /// From now on these signals are only reported here; those that the process ignores stay
    /// ignored, except SIGCHLD.
    ///
    /// - Parameters:
    ///   - signals: Which; SIGCONT must be among them for `suspendGroup`.
    ///   - ending: Those that end the process when they come twice without a call of `take`.
    /// - Throws: That there is no descriptor left.
    package init(_ signals: SignalSet, ending: SignalSet = []) throws(StartError) {
        let ignored = SignalDispositions.present().ignored
        self.signals = signals.subtracting(ignored)
        descriptor = note_signals(signals.bits, ending.bits)
        guard descriptor >= 0 else { throw StartError(code: errno) }
    }

    /// Restores what was done with these signals before.
    package func stop() {
        stop_noting_signals()
    }

    /// Returns the signals that have come since the last call.
    package func take() -> (byProcess: SignalSet, byTerminal: SignalSet) {
        var byProcess: UInt64 = 0
        var byTerminal: UInt64 = 0
        take_noted_signals(&byProcess, &byTerminal)
        return (SignalSet(bits: byProcess), SignalSet(bits: byTerminal))
    }

    /// Ends this process by SIGINT.
    ///
    /// A shell then also ends the loop or the script around this program; after an exit with status
    /// 130 it would go on.
    ///
    /// - Parameter withGroup: Sends SIGINT to our whole process group, as the terminal would have.
    package static func endByInterrupt(withGroup: Bool) {
        signal(SIGINT, SIG_DFL)
        kill(withGroup ? 0 : getpid(), SIGINT)
        // The signal may reach another thread, a moment later.
        poll(nil, 0, 1_000)
    }

    /// Stops our whole process group as the terminal does; returns when it goes on.
    ///
    /// - Parameters:
    ///   - signal: SIGTSTP as Ctrl-Z, or SIGTTOU as for writing from the background.
    ///   - isAlone: Stops this process and not its group, for a stop that was sent to this process
    ///     alone.
    package func suspendGroup(by signal: Int32 = SIGTSTP, isAlone: Bool = false) {
        suspend_group(signal, isAlone ? 1 : 0)
    }
}
