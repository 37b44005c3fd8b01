import CProcessControl

/// A terminal of ours for a program.
package struct PseudoTerminal: Sendable {
    /// Our side; does not block.
    package let descriptor: Int32
    /// The program's side.
    package let path: String

    /// Opens one with the size of another terminal, and with its settings unless this process is in
    /// its background: a shell has made them for its prompt then, and those of the system stay.
    ///
    /// Nothing changes the settings later but the programs on it.
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

    /// What is typed to send its programs SIGTSTP, SIGINT and SIGQUIT; empty while nothing is.
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
        // 0 on Linux, 255 elsewhere: none.
        (keys[0], keys[255]) = (nil, nil)
        return keys
    }

    /// Makes it as large as another one; whoever is on it is told so.
    package func takeSize(of model: Int32) {
        var size = winsize()
        guard ioctl(model, UInt(TIOCGWINSZ), &size) == 0 else { return }
        _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
    }

    /// Takes it away from its programs, as a window that is closed: they read its end, and what they write
    /// fails.
    ///
    /// The descriptor stays open and has nothing behind it.
    package func hangUp() {
        let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
        guard nothing >= 0 else { return }
        dup2(nothing, descriptor)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        close(nothing)
    }

    /// Leaves it to the terminal behind it to make what a line's end needs there.
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
