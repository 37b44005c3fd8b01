import CProcessControl
import ProcessControl

/// Passes on what is typed at our terminal to a command that has a terminal of its own.
///
/// Our terminal's mode is restored on every way out, a crash included. Belongs to one thread, in
/// which SIGTTOU is blocked.
struct Keyboard {
    private let command: PseudoTerminal
    private let typed: OutputMerger
    /// The descriptor of our terminal; it does not block if the system can reopen the terminal.
    private let own: Int32
    private let isOurs: Bool
    private(set) var isTaken = false

    init(for command: PseudoTerminal) {
        self.command = command
        typed = OutputMerger(to: OutputSink(command.descriptor, isOwn: true), keepsLines: false)
        let again = OutputSink.reopened(STDIN_FILENO, flags: O_RDONLY)
        isOurs = again != nil
        own = again ?? STDIN_FILENO
    }

    /// For poll(2): our terminal to read from, and the command's to write to.
    var pollItems: [pollfd] {
        [
            pollfd(
                fd: isTaken && typed.accepts(0) ? own : -1,
                events: Int16(POLLIN),
                revents: 0
            ),
            pollfd(
                fd: isTaken && typed.isOpen ? typed.sink.descriptor : -1,
                events: typed.wantsToWrite ? Int16(POLLOUT) : 0,
                revents: 0
            ),
        ]
    }

    /// Whether our process group is in the foreground of our terminal.
    ///
    /// If our terminal is gone, the command's hangs up too.
    private func isForeground() -> Bool {
        let group = tcgetpgrp(STDIN_FILENO)
        if group < 0, errno == EIO {
            typed.close()
            command.hangUp()
        }
        return group == getpgrp()
    }

    /// Sets our terminal to raw mode if this process is in its foreground.
    ///
    /// Keys then come as they are typed and cause no signals.
    mutating func takeIfForeground() {
        guard !isTaken, isForeground() else { return }
        var cooked = termios()
        guard tcgetattr(STDIN_FILENO, &cooked) == 0 else { return }
        terminal_guard_arm(STDIN_FILENO, &cooked)
        var raw = cooked
        cfmakeraw(&raw)
        isTaken = tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0
    }

    /// Takes the terminal again if a shell has restored its mode while this process was stopped.
    mutating func takeAgain() {
        var present = termios()
        guard isTaken, tcgetattr(STDIN_FILENO, &present) == 0,
            present.c_lflag & tcflag_t(ICANON) != 0
        else { return }
        isTaken = false
        takeIfForeground()
    }

    /// Restores the terminal's mode.
    mutating func giveBack() {
        guard isTaken else { return }
        isTaken = false
        terminal_guard_restore()
    }

    /// Restores the terminal's mode and closes our descriptor of it.
    mutating func close() {
        giveBack()
        if isOurs { closeDescriptor(own) }
    }

    /// Passes on what was typed; returns the signals that the command's terminal makes of it.
    ///
    /// `reading` and `writing` are the events of poll(2) for the two `pollItems`.
    mutating func pass(
        reading: Int16,
        writing: Int16,
        through buffer: UnsafeMutableRawBufferPointer
    ) -> [Int32] {
        if writing & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { typed.close() }
        typed.write()
        guard reading != 0, typed.accepts(0) else { return [] }
        guard isForeground() else {
            // Another job of the shell has the terminal now, and the keys are for that job.
            isTaken = false
            return []
        }
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(4_096))
        let count = readDescriptor(own, into: room)
        if count < 0, errno == EAGAIN || errno == EINTR { return [] }
        guard count > 0 else {
            typed.close()
            return []
        }
        let keys = command.signalKeys
        let signals = buffer[..<count].compactMap { keys[$0] }
        typed.take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), from: 0)
        return signals
    }
}
