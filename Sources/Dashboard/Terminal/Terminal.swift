import CLibrary
import CProcessControl
import CellScreen
import DashboardCore
import ProgressBus
import TaskTree

/// The terminal as a full screen: shows grids, gives keys, and is put back on every way out.
///
/// Owned by one thread. While it is on the screen, `terminal_guard_restore` can put it back from
/// anywhere at any time; that is the one way back for a normal end, a suspension and a crash.
struct Terminal: ~Copyable {
    private var device: TerminalDevice
    private var curses: Curses
    private let type: String
    private let options: DashboardOptions
    private var decoder = InputDecoder()
    private(set) var columns: Int
    private(set) var rows: Int
    /// What the terminal shows; `nil` if that is not known.
    private var shown: CellGrid?
    private var isOnScreen = false
    /// Bytes of the last frame that the terminal has not taken yet.
    private var pending: [UInt8] = []
    private var sent = 0
    private var isSynchronized = false
    private var awaitsAnswer = false
    private var title = ""
    private var taskbar = DashboardModel.Taskbar.none
    /// Whether the terminal is no longer there.
    private(set) var hasGone = false
    /// Whether more was typed than was read in one go.
    private(set) var hasUnread = false

    /// Opens the terminal that standard output is; shows nothing yet.
    init(_ options: DashboardOptions) throws(DashboardError) {
        let type = getenv("TERM").map { String(cString: $0) } ?? ""
        guard !type.isEmpty, type != "dumb" else {
            let name = type.isEmpty ? "TERM is not set" : "TERM is \"dumb\""
            throw .unusable("\(name), so there is no screen to draw on; use --plain")
        }
        let device = try TerminalDevice()
        let size = device.size
        let curses = try Curses(
            type: type,
            descriptor: device.descriptor,
            columns: size.columns,
            rows: size.rows
        )
        self.device = device
        self.curses = curses
        (columns, rows) = size
        self.type = type
        self.options = options
    }

    deinit {
        terminal_guard_restore()
    }

    var descriptor: Int32 { device.descriptor }

    /// How many colours it has; 0 for none.
    var colors: Int { curses.colors }

    /// Whether no shell has put the process into the background.
    var isForeground: Bool { device.isForeground }

    /// Whether part of the last frame is still to be sent; until then none is drawn.
    var hasPending: Bool { sent < pending.count }

    /// When a begun sequence or paste ends unless more of it comes; `nil` if none has begun.
    var inputDue: Moment? { decoder.due }
}

// MARK: - The ways in and out

extension Terminal {
    /// Takes the terminal over.
    mutating func enter() {
        guard !isOnScreen else { return }
        isOnScreen = true
        prepareFarewell()
        device.arm()
        device.makeRaw()
        shown = nil
        dropPending()
        title = ""
        taskbar = .none
        if options.showsTitle { pending += TerminalSequences.savesTitle }
        curses.frame(CellGrid(columns: columns, rows: rows), over: nil, into: &pending)
        pending += TerminalSequences.beginsBracketedPaste
        if !isSynchronized, TerminalSequences.takesQuestions(type) {
            pending += TerminalSequences.question(forMode: TerminalSequences.synchronizedOutput)
            awaitsAnswer = true
        }
        flush()
    }

    /// Puts the terminal back; `enter` takes it again.
    mutating func leave() {
        guard isOnScreen else { return }
        isOnScreen = false
        awaitAnswer()
        terminal_guard_restore()
        // The rest of a begun sequence goes to another program.
        decoder = InputDecoder()
        curses.suspend()
        dropPending()
        shown = nil
    }

    /// Draws everything again, whatever the terminal shows.
    mutating func forgetScreen() {
        shown = nil
        curses.forgetScreen()
    }

    /// Asks the terminal for its size, and returns whether the size has changed.
    mutating func updateSize() -> Bool {
        let size = device.size
        guard size != (columns, rows) else { return false }
        (columns, rows) = size
        Curses.resize(columns: columns, rows: rows)
        prepareFarewell()
        forgetScreen()
        return true
    }

    /// Prints lines where the shell goes on, once the terminal is put back.
    func print(_ lines: [String]) {
        guard !hasGone else { return }
        var rest = Array(lines.map { $0 + "\n" }.joined().utf8)[...]
        var patience = 50
        while !rest.isEmpty, patience > 0 {
            guard let count = device.send(rest) else { return }
            rest = rest.dropFirst(count)
            guard count == 0 else { continue }
            patience -= 1
            var item = pollfd(fd: device.descriptor, events: Int16(POLLOUT), revents: 0)
            _ = poll(&item, 1, 20)
        }
    }

    private func prepareFarewell() {
        // Ends a control sequence that a frame may have begun.
        var bytes: [UInt8] = Array("\u{1B}\\".utf8)
        if isSynchronized { bytes += TerminalSequences.endsSynchronized }
        bytes += TerminalSequences.endsBracketedPaste
        if options.showsTaskbar { bytes += TerminalSequences.clearsTaskbar }
        bytes += curses.farewell(rows: rows)
        if options.showsTitle { bytes += TerminalSequences.restoresTitle }
        _ = terminal_guard_prepare(bytes, bytes.count)
    }

    /// Waits for the terminal's answer, which would otherwise be typed into the shell.
    private mutating func awaitAnswer() {
        guard awaitsAnswer, !hasGone else { return }
        var item = pollfd(fd: device.descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&item, 1, 100) > 0 { _ = read(isReadable: true, at: .present) }
        awaitsAnswer = false
    }
}

// MARK: - Drawing

extension Terminal {
    /// Draws what has changed of screen, title and taskbar, in one write if the terminal takes it.
    mutating func show(_ model: DashboardModel, at now: Moment) {
        guard isOnScreen, !hasPending else { return }
        let grid = model.draw(at: now)
        dropPending()
        if isSynchronized { pending += TerminalSequences.beginsSynchronized }
        let empty = pending.count
        curses.frame(grid, over: shown, into: &pending)
        if pending.count == empty {
            pending.removeAll(keepingCapacity: true)
        } else if isSynchronized {
            pending += TerminalSequences.endsSynchronized
        }
        shown = grid
        if options.showsTitle { say(title: model.title(at: now)) }
        if options.showsTaskbar { say(taskbar: model.taskbar(at: now)) }
        flush()
    }

    private mutating func say(title: String) {
        guard title != self.title else { return }
        self.title = title
        pending += TerminalSequences.title(title)
    }

    private mutating func say(taskbar: DashboardModel.Taskbar) {
        guard taskbar != self.taskbar else { return }
        self.taskbar = taskbar
        pending += TerminalSequences.taskbar(taskbar)
    }

    /// Hands a text to the clipboard of the terminal, which may be on another machine.
    mutating func copy(_ text: String) {
        if TerminalSequences.takesQuestions(type) { add(TerminalSequences.clipboard(text)) }
    }

    /// Rings the bell for a person who looks elsewhere, and sends a notification if the terminal's
    /// type takes one.
    mutating func tell(_ text: String) {
        add(TerminalSequences.bell)
        if TerminalSequences.takesQuestions(type) {
            add(TerminalSequences.notification(text, for: type))
        }
    }

    /// Sends bytes after those that are still to be sent.
    private mutating func add(_ bytes: [UInt8]) {
        guard isOnScreen else { return }
        if !hasPending { dropPending() }
        pending += bytes
        flush()
    }

    private mutating func dropPending() {
        pending.removeAll(keepingCapacity: true)
        sent = 0
    }

    /// Sends on what the terminal has not taken yet.
    mutating func flush() {
        guard hasPending else { return }
        let count = device.send(pending[sent...])
        sent += count ?? 0
        hasGone = hasGone || count == nil
    }
}

// MARK: - Keys

extension Terminal {
    /// The most that is read in one go; what somebody pastes may be long.
    private static let mostTokens = 1_024

    /// Reads what was typed; call it when there is something to read, here or in ncurses.
    mutating func read(isReadable: Bool, at now: Moment) -> [TerminalInput] {
        var result: [TerminalInput] = []
        // Readable without a byte to read: the other end is closed.
        if isReadable, device.waiting == 0 { hasGone = true }
        hasUnread = true
        for _ in 0..<Self.mostTokens {
            guard let token = curses.nextToken() else {
                hasUnread = false
                break
            }
            if let input = decoder.take(token, at: now) { result.append(input) }
        }
        note(&result)
        return result
    }

    /// Ends a begun sequence or paste whose rest has not come in time.
    mutating func pauseInput(at now: Moment) -> [TerminalInput] {
        decoder.pause(at: now).map { [$0] } ?? []
    }

    /// Notes the terminal's answers about its modes, which are no keys.
    private mutating func note(_ inputs: inout [TerminalInput]) {
        for case .mode(TerminalSequences.synchronizedOutput, let isKnown) in inputs {
            awaitsAnswer = false
            guard isKnown, !isSynchronized else { continue }
            isSynchronized = true
            if isOnScreen { prepareFarewell() }
        }
    }
}
