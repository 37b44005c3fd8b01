import CProcessControl
import ProcessControl

/// Our own terminal while a command has one of its own: everything typed goes to the command.
///
/// Put back on every way out, a crash included. Belongs to one thread, in which SIGTTOU is blocked.
struct OwnTerminal {
    /// What is typed; does not block where the system can open the terminal once more.
    let descriptor: Int32
    private let isOurs: Bool
    private(set) var isTaken = false
    /// Whether it ever was.
    private(set) var wasTaken = false

    init() {
        let again = OutputSink.reopened(STDIN_FILENO, flags: O_RDONLY)
        isOurs = again != nil
        descriptor = again ?? STDIN_FILENO
    }

    /// Whether it listens to us and not to another job of the shell.
    var isForeground: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }

    /// Takes it if it is ours to take: keys come as they are typed, and signals from it no more.
    mutating func takeIfForeground() {
        guard !isTaken, isForeground else { return }
        var cooked = termios()
        guard tcgetattr(STDIN_FILENO, &cooked) == 0 else { return }
        terminal_guard_arm(STDIN_FILENO, &cooked)
        var raw = cooked
        cfmakeraw(&raw)
        isTaken = tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0
        wasTaken = wasTaken || isTaken
    }

    /// Somebody else has been given it.
    mutating func lose() {
        isTaken = false
    }

    /// Puts it back as it was.
    mutating func giveBack() {
        guard isTaken else { return }
        isTaken = false
        terminal_guard_restore()
    }

    func closeOwn() {
        if isOurs { close(descriptor) }
    }
}
