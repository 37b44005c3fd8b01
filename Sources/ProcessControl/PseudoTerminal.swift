import CProcessControl

/// A pseudoterminal that this process opens for a program.
package struct PseudoTerminal: Sendable {
    /// Our side; does not block.
    package let descriptor: Int32
    /// The program's side.
    package let path: String

    /// Opens a pseudoterminal with the size and, as a rule, the settings of another terminal.
    ///
    /// If this process is in the background of that terminal, the system's settings stay: those of
    /// the terminal are then the shell's, for its prompt. Later changes of the other terminal's
    /// settings are not followed.
    package init(like model: Int32) throws(StartError) {
        var name = [CChar](repeating: 0, count: 128)
        descriptor = open_pseudoterminal(&name, name.count)
        guard descriptor >= 0 else { throw StartError(code: errno) }
        path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        var settings = termios()
        let foreground = tcgetpgrp(model)
        if foreground < 0 || foreground == getpgrp(), tcgetattr(model, &settings) == 0 {
            tcsetattr(descriptor, TCSANOW, &settings)
        }
        takeSize(of: model)
    }

    /// The keys that send its programs SIGTSTP, SIGINT and SIGQUIT; empty while none does.
    package var signalKeys: [UInt8: Int32] {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0, settings.c_lflag & tcflag_t(ISIG) != 0 else {
            return [:]
        }
        var keys: [UInt8: Int32] = [:]
        withUnsafeBytes(of: settings.c_cc) { characters in
            for (place, signal) in [(VSUSP, SIGTSTP), (VINTR, SIGINT), (VQUIT, SIGQUIT)] {
                keys[characters[Int(place)]] = signal
            }
        }
        // 0 on Linux and 255 elsewhere mean that the signal has no key.
        (keys[0], keys[255]) = (nil, nil)
        return keys
    }

    /// Makes it as large as another terminal; its foreground programs get SIGWINCH.
    package func takeSize(of model: Int32) {
        var size = winsize()
        guard ioctl(model, UInt(TIOCGWINSZ), &size) == 0 else { return }
        _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
    }

    /// Takes it away from its programs, as closing a window does: reads end, and writes fail.
    ///
    /// The descriptor stays open, for `/dev/null`.
    package func hangUp() {
        let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
        guard nothing >= 0 else { return }
        dup2(nothing, descriptor)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        close(nothing)
    }

    /// Passes output on unchanged: the terminal that shows it translates the ends of lines.
    package func leaveOutputAsItIs() {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return }
        settings.c_oflag &= ~tcflag_t(OPOST)
        tcsetattr(descriptor, TCSANOW, &settings)
    }

    /// Opens the program's side, without taking it as our own terminal.
    package func openOtherSide() throws(StartError) -> Int32 {
        let other = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard other >= 0 else { throw StartError(code: errno) }
        return other
    }
}
