import CLibrary
import CProcessControl

/// The terminal as a file: its settings, its size, reading and writing without waiting.
///
/// The terminal is opened anew, so that standard output stays blocking for others who share it.
struct TerminalDevice: ~Copyable {
    let descriptor: Int32
    /// The settings to leave behind.
    private var cooked = termios()

    /// Opens the terminal that standard output is.
    init() throws(DashboardError) {
        guard isatty(STDOUT_FILENO) == 1 else {
            throw .unusable("standard output is not a terminal; use --plain or --json")
        }
        var name = [CChar](repeating: 0, count: 1_024)
        let flags = O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC
        var opened: Int32 = -1
        if ttyname_r(STDOUT_FILENO, &name, name.count) == 0 { opened = open(name, flags) }
        // The name may be one of another container.
        if opened < 0 { opened = open("/dev/tty", flags) }
        guard opened >= 0 else {
            let reason = String(cString: strerror(errno))
            throw .unusable("the terminal cannot be opened (\(reason)); use --plain")
        }
        descriptor = opened
    }

    deinit {
        close(descriptor)
    }

    /// Sets the terminal so that keys come as they are pressed and written bytes arrive unchanged.
    ///
    /// Ctrl-C and Ctrl-Z are keys; Ctrl-\ stays a signal, for the case that the loop hangs.
    func makeRaw() {
        var raw = cooked
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ECHONL | IEXTEN)
        raw.c_lflag |= tcflag_t(ISIG)
        raw.c_iflag &= ~tcflag_t(ICRNL | INLCR | IGNCR | IXON | ISTRIP | BRKINT)
        raw.c_oflag &= ~tcflag_t(OPOST)
        let none = cc_t(truncatingIfNeeded: fpathconf(descriptor, Int32(_PC_VDISABLE)))
        withUnsafeMutableBytes(of: &raw.c_cc) { bytes in
            let characters = bytes.bindMemory(to: cc_t.self)
            for key in [VINTR, VSUSP] { characters[Int(key)] = none }
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
        }
        tcsetattr(descriptor, TCSANOW, &raw)
    }

    /// Makes every end of the process put the terminal back with its present settings.
    ///
    /// A shell may have changed the settings since the beginning.
    mutating func arm() {
        _ = tcgetattr(descriptor, &cooked)
        terminal_guard_arm(descriptor, &cooked)
    }

    /// Columns and rows; 80 and 24 where the terminal does not say.
    var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
        else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Whether we may draw: not while a shell has put us into the background.
    var isForeground: Bool {
        let group = tcgetpgrp(descriptor)
        // This is not the terminal of our session, so that no shell puts us into the background.
        return group < 0 || group == getpgrp()
    }

    /// How many bytes of input wait.
    var waiting: Int {
        var count: Int32 = 0
        return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    /// Writes as much as the terminal takes now, and returns the bytes written; `nil` if it is
    /// gone.
    func send(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard !bytes.isEmpty else { return 0 }
        while true {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 { return count }
            switch errno {
            case EINTR: continue
            case EAGAIN: return 0
            default: return nil
            }
        }
    }
}
