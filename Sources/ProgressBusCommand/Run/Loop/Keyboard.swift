import CProcessControl
import ProcessControl

/// Our own terminal while a command has one of its own: everything typed goes to the command.
///
/// Put back on every way out, a crash included. Belongs to one thread, in which SIGTTOU is blocked.
struct Keyboard {
    private let command: PseudoTerminal
    private let typed: OutputMerger
    /// What is typed; does not block where the system can open the terminal once more.
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

    /// For poll(2): what is typed, and the room for it.
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

    /// Whether the terminal listens to us and not to another job of the shell.
    ///
    /// Where our terminal is gone, the command's goes too.
    private func isForeground() -> Bool {
        let group = tcgetpgrp(STDIN_FILENO)
        if group < 0, errno == EIO {
            typed.close()
            command.hangUp()
        }
        return group == getpgrp()
    }

    /// Takes the terminal if it is ours to take: keys come as they are typed, and signals from it no
    /// more.
    mutating func takeIfForeground() {
        guard !isTaken, isForeground() else { return }
        var cooked = termios()
        guard tcgetattr(STDIN_FILENO, &cooked) == 0 else { return }
        terminal_guard_arm(STDIN_FILENO, &cooked)
        var raw = cooked
        cfmakeraw(&raw)
        isTaken = tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0
    }

    /// Takes it again where a shell has put it back while this process was stopped.
    mutating func takeAgain() {
        var present = termios()
        guard isTaken, tcgetattr(STDIN_FILENO, &present) == 0,
            present.c_lflag & tcflag_t(ICANON) != 0
        else { return }
        isTaken = false
        takeIfForeground()
    }

    /// Puts it back as it was.
    mutating func giveBack() {
        guard isTaken else { return }
        isTaken = false
        terminal_guard_restore()
    }

    /// Puts it back for good.
    mutating func close() {
        giveBack()
        if isOurs { closeDescriptor(own) }
    }

    /// Passes on what was typed; returns the signals that the command's terminal makes of it.
    ///
    /// `reading` and `writing` are what poll(2) says of the terminal and of the room.
    mutating func pass(
        reading: Int16,
        writing: Int16,
        through buffer: UnsafeMutableRawBufferPointer
    ) -> [Int32] {
        if writing & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { typed.close() }
        typed.write()
        guard reading != 0, typed.accepts(0) else { return [] }
        guard isForeground() else {
            // Another job of the shell has it now, and what is typed is for that.
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
