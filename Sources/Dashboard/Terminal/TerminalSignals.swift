import CTerminalGuard

/// The signals that concern a terminal, as long as this exists.
final class TerminalSignals {
    /// What has arrived.
    struct Arrived: OptionSet {
        let rawValue: UInt32

        static let interrupt = Arrived(rawValue: UInt32(TERMINAL_GUARD_INTERRUPT))
        static let terminate = Arrived(rawValue: UInt32(TERMINAL_GUARD_TERMINATE))
        static let hangUp = Arrived(rawValue: UInt32(TERMINAL_GUARD_HANG_UP))
        static let suspend = Arrived(rawValue: UInt32(TERMINAL_GUARD_SUSPEND))
        static let resume = Arrived(rawValue: UInt32(TERMINAL_GUARD_CONTINUE))
        static let resize = Arrived(rawValue: UInt32(TERMINAL_GUARD_RESIZE))
    }

    /// Readable when something has arrived.
    let descriptor: Int32

    /// Begins to handle them, before ncurses could.
    init() throws(DashboardError) {
        terminal_guard_use_spare_stack()
        descriptor = terminal_guard_watch()
        guard descriptor >= 0 else {
            throw .noRoom("there is no room for another pipe; close some programs")
        }
    }

    deinit {
        terminal_guard_stop_watching()
    }

    static func take() -> Arrived {
        Arrived(rawValue: terminal_guard_take_signals())
    }
}
