import CLibrary
import CNcurses
import DashboardCore

/// With `Curses+Drawing` the only place that calls ncurses: terminal descriptions, what changed
/// on the screen, keys.
///
/// ncurses writes to a file in memory, so that a frame leaves in one write and no write of ncurses
/// can hold up the loop. `TerminalDevice` handles the settings of the terminal. A process can have
/// one of these at a time, used by the thread that owns the terminal.
struct Curses: ~Copyable {
    /// How long ncurses waits for the rest of a key's sequence, in milliseconds.
    private static let escapeDelay: Int32 = 25

    private let screen: OpaquePointer
    /// The whole screen.
    let window: UnsafeMutablePointer<WINDOW>
    /// The pad that keys are read through, as reading through a window would draw the window.
    let keyboard: UnsafeMutablePointer<WINDOW>
    private let output: UnsafeMutablePointer<FILE>
    private let input: UnsafeMutablePointer<FILE>
    /// The colours the terminal has; 0 for none.
    let colors: Int
    /// Whether the terminal prints only the text of a link, not its control sequence.
    let takesLinks: Bool
    /// The cells of the row that is painted, kept for its memory.
    var row: [cchar_t] = []

    /// Prepares a screen for a terminal of this type, as in `TERM`, whose keys are read from the
    /// descriptor; its bytes come with the first frame.
    ///
    /// - Throws: Where the type is unknown or can do too little, or there is no room.
    init(type: String, descriptor: Int32, columns: Int, rows: Int) throws(DashboardError) {
        // Sets what a character is, for ncurses too; numbers and dates stay as they are.
        setlocale(LC_CTYPE, "")
        let copy = dup(descriptor)
        guard copy >= 0, let input = fdopen(copy, "r") else {
            if copy >= 0 { close(copy) }
            throw .unusable("there is no descriptor left for the keys; use --plain")
        }
        guard let output = curses_scratch_file() else {
            fclose(input)
            throw .unusable("there is no room for a screen in memory; use --plain")
        }
        curses_ignore_environment()
        guard let screen = newterm(type, output, input), let window = curses_standard_window(),
            let keyboard = newpad(1, 1)
        else {
            fclose(input)
            fclose(output)
            throw .unusable(
                "the terminal's type \"\(type)\" is not known here; set TERM to one that is, "
                    + "such as xterm-256color, or use --plain"
            )
        }
        guard curses_position(0, 0) != nil else {
            delwin(keyboard)
            delscreen(screen)
            fclose(input)
            fclose(output)
            throw .unusable("a terminal of type \"\(type)\" cannot move its cursor; use --plain")
        }
        self.screen = screen
        self.window = window
        self.keyboard = keyboard
        self.output = output
        self.input = input
        takesLinks = TerminalSequences.takesQuestions(type)
        // Leaves the screen and begins it again, for two reasons. ncurses first sets the scrolling
        // region by the size in the terminal description. And until it has left the screen once, it
        // writes each move of the cursor by itself: eighty system calls for a frame of fifty rows.
        // This comes before the colours, after which ncurses would reset the palette.
        endwin()
        Self.dropOutput(of: output)
        Self.resize(columns: columns, rows: rows)
        doupdate()
        let hasColors = has_colors() && start_color() == OK
        colors = hasColors ? Int(curses_colors()) : 0
        if hasColors { assume_default_colors(-1, -1) }
        setUp()
    }

    deinit {
        delwin(keyboard)
        delscreen(screen)
        fclose(input)
        fclose(output)
    }

    private func setUp() {
        noecho()
        nonl()
        // Otherwise ncurses would leave a frame unfinished when a key waits on the descriptor.
        typeahead(-1)
        set_escdelay(Self.escapeDelay)
        keypad(keyboard, true)
        nodelay(keyboard, true)
        leaveok(window, true)
        curs_set(0)
        // A press counts at once; to tell clicks from presses would mean to wait.
        mouseinterval(0)
        let buttons = curses_left_button() | curses_wheel_up() | curses_wheel_down()
        _ = mousemask(buttons, nil)
    }

    /// Takes another size; the next frame is drawn as a whole.
    static func resize(columns: Int, rows: Int) {
        resize_term(Int32(clamping: max(rows, 1)), Int32(clamping: max(columns, 1)))
    }

    /// The bytes that leave the full screen, whatever it shows.
    func farewell(rows: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for name in ["sgr0", "op", "cnorm", "rmkx"] { bytes += Self.bytes(curses_string(name)) }
        // Ends the mouse modes that ncurses has begun.
        if has_mouse() { bytes += Array("\u{1B}[?1000l\u{1B}[?1006l".utf8) }
        // The scrolling region belongs to the terminal, not to the full screen.
        bytes += Self.bytes(curses_scrolling(0, Int32(clamping: rows - 1)))
        if curses_string("rmcup") != nil {
            bytes += Self.bytes(curses_string("rmcup"))
        } else {
            // No second screen: the picture stays, and what follows stands below it.
            bytes += Self.bytes(curses_position(Int32(clamping: rows - 1), 0))
            bytes += Self.bytes(curses_string("el")) + [13, 10]
        }
        return bytes
    }

    /// A string of a terminal description without its delays, which only printers needed.
    static func bytes(_ text: UnsafePointer<CChar>?) -> [UInt8] {
        guard let text else { return [] }
        var rest = Array(String(cString: text).utf8)[...]
        var result: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "$"), rest.first == UInt8(ascii: "<"),
                let end = rest.firstIndex(of: UInt8(ascii: ">"))
            {
                rest = rest[(end + 1)...]
            } else {
                result.append(byte)
            }
        }
        return result
    }

    /// Forgets what the terminal shows; the next frame is drawn as a whole.
    func forgetScreen() {
        clearok(window, true)
    }

    /// Tells ncurses that the full screen was left; the next frame enters it again.
    func suspend() {
        endwin()
        // The terminal has already got the bytes that leave the screen.
        Self.dropOutput(of: output)
    }

    private static func dropOutput(of output: UnsafeMutablePointer<FILE>) {
        fflush(output)
        lseek(fileno(output), 0, SEEK_SET)
    }

    /// Appends what ncurses has written since the last call.
    func takeOutput(_ bytes: inout [UInt8]) {
        fflush(output)
        let descriptor = fileno(output)
        let count = Int(lseek(descriptor, 0, SEEK_CUR))
        guard count > 0 else { return }
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: count))
        let got = bytes.withUnsafeMutableBytes { buffer in
            pread(descriptor, buffer.baseAddress.map { $0 + start }, count, 0)
        }
        bytes.removeLast(count - max(got, 0))
        // The next frame overwrites this one in the file. If it is shorter, the rest of this one
        // stays there, and no read reaches it.
        lseek(descriptor, 0, SEEK_SET)
    }
}

/// From bytes to keys.
extension Curses {
    /// What was typed next; `nil` if nothing waits.
    func nextToken() -> InputToken? {
        var value: wint_t = 0
        let code = wget_wch(keyboard, &value)
        if code == ERR { return nil }
        guard code == curses_key_code() else { return .scalar(UInt32(value)) }
        switch Int32(clamping: value) {
        case KEY_UP: return .key(.up)
        case KEY_DOWN: return .key(.down)
        case KEY_LEFT: return .key(.left)
        case KEY_RIGHT: return .key(.right)
        case KEY_PPAGE: return .key(.pageUp)
        case KEY_NPAGE: return .key(.pageDown)
        case KEY_HOME: return .key(.home)
        case KEY_END: return .key(.end)
        case KEY_ENTER: return .key(.enter)
        case KEY_BACKSPACE: return .key(.backspace)
        // Ctrl-Z, where the description calls it a key, as that of the console of Linux does.
        case KEY_SUSPEND: return .scalar(26)
        case KEY_MOUSE: return nextMouseEvent()
        default: return .unknownKey
        }
    }

    private func nextMouseEvent() -> InputToken {
        var event = MEVENT()
        guard getmouse(&event) == OK else { return .unknownKey }
        let kind: MouseEvent.Kind
        if event.bstate & curses_wheel_up() != 0 {
            kind = .wheelUp
        } else if event.bstate & curses_wheel_down() != 0 {
            kind = .wheelDown
        } else if event.bstate & curses_left_button() != 0 {
            kind = .click
        } else {
            return .unknownKey
        }
        return .mouse(MouseEvent(kind, column: Int(event.x), row: Int(event.y)))
    }
}
