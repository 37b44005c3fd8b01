import CLibrary
import DashboardCore
import ProcessControl

/// Stopping, going on, other sizes, and the signals that end the dashboard.
extension DashboardLoop {
    /// What concerns a terminal, and those of it that end us.
    static let notedSignals: SignalSet = [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH]
    static let endingSignals: SignalSet = [SIGINT, SIGTERM, SIGHUP]

    mutating func takeSignals() {
        let arrived = arrivedSignals()
        guard end == nil else { return }
        if arrived.contains(SIGTSTP) {
            suspend()
        } else if arrived.contains(SIGCONT) {
            // Stopped without a word to us; the shell has had the terminal meanwhile.
            terminal.leave()
            comeForward()
        }
        if arrived.contains(SIGWINCH) { takeSize() }
    }

    /// Takes note of an end among them.
    private mutating func arrivedSignals() -> SignalSet {
        let (byProcess, byTerminal) = signals.take()
        let arrived = SignalSet(bits: byProcess.bits | byTerminal.bits)
        for ending in [SIGHUP, SIGTERM, SIGINT] where arrived.contains(ending) {
            end = end ?? .signal(ending)
        }
        return arrived
    }

    /// Gives the terminal back and stops, until somebody lets us go on.
    mutating func suspend() {
        // Whoever started us may have no job control.
        guard signals.signals.contains(SIGTSTP) else { return }
        terminal.leave()
        signals.suspendGroup()
        comeForward()
    }

    /// Takes the terminal, once it is ours to take.
    mutating func comeForward() {
        _ = arrivedSignals()
        // A shell stops what draws from the background.
        while end == nil, !terminal.isForeground {
            signals.suspendGroup(by: SIGTTOU)
            _ = arrivedSignals()
        }
        guard end == nil else { return }
        terminal.enter()
        takeSize()
        pace.hurry()
    }

    private mutating func takeSize() {
        guard terminal.updateSize() else { return }
        handle(.resize(columns: terminal.columns, rows: terminal.rows))
        pace.hurry()
    }
}
