import CTerminalGuard
import DashboardCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Stopping, going on, other sizes, and the signals that end the dashboard.
extension DashboardLoop {
    mutating func takeSignals() {
        let arrived = TerminalSignals.take()
        takeEnd(arrived)
        guard end == nil else { return }
        if arrived.contains(.suspend) {
            suspend()
        } else if arrived.contains(.resume) {
            // Stopped without a word to us; the shell has had the terminal meanwhile.
            terminal.leave()
            comeForward()
        }
        if arrived.contains(.resize) { takeSize() }
    }

    private mutating func takeEnd(_ arrived: TerminalSignals.Arrived) {
        if arrived.contains(.hangUp) { end = end ?? .signal(SIGHUP) }
        if arrived.contains(.terminate) { end = end ?? .signal(SIGTERM) }
        if arrived.contains(.interrupt) { end = end ?? .signal(SIGINT) }
    }

    /// Gives the terminal back and stops, until somebody lets us go on.
    mutating func suspend() {
        guard terminal_guard_may_suspend() else { return }
        terminal.leave()
        terminal_guard_suspend(SIGTSTP)
        comeForward()
    }

    /// Takes the terminal, once it is ours to take.
    mutating func comeForward() {
        takeEnd(TerminalSignals.take().subtracting(.resume))
        // A shell stops what draws from the background.
        while end == nil, !terminal.isForeground {
            terminal_guard_suspend(SIGTTOU)
            takeEnd(TerminalSignals.take())
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
