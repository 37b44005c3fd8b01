import CLibrary
import DashboardCore
import ProcessControl
import ProgressBus
import TaskTree

/// The one loop: keys, signals, the bus and the clock go into the model, frames come out of it.
///
/// Everything here happens on one thread, which alone touches the terminal.
struct DashboardLoop: ~Copyable {
    private var terminal: Terminal
    private var model: DashboardModel
    private let bridge: DashboardBridge
    private let signals: SignalPipe
    private var pace = FramePace()
    private var closing = ClosingTime()
    private var end: DashboardLeaving?
    #if DEBUG
    private var crash = CrashForTest()
    #endif

    init(
        terminal: consuming Terminal,
        options: DashboardOptions,
        bridge: DashboardBridge,
        signals: SignalPipe
    ) {
        model = DashboardModel(
            options: options,
            columns: terminal.columns,
            rows: terminal.rows,
            at: .present
        )
        self.terminal = terminal
        self.bridge = bridge
        self.signals = signals
    }

    /// Runs until somebody ends it; the terminal is put back when it returns or throws.
    mutating func run() throws(DashboardError) -> DashboardLeaving {
        comeForward()
        perform(model.begin(at: .present))
        do throws(DashboardError) {
            while end == nil {
                drawIfDue()
                try wait()
            }
        } catch {
            terminal.leave()
            throw error
        }
        terminal.leave()
        let leaving = end ?? .closed
        if leaving != .terminalGone { terminal.print(model.receipt(at: .present)) }
        return leaving
    }

    /// Waits for whatever comes first, and takes it.
    private mutating func wait() throws(DashboardError) {
        let wanted = POLLIN | (terminal.hasPending ? POLLOUT : 0)
        var items = [
            pollfd(fd: terminal.descriptor, events: Int16(wanted), revents: 0),
            pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: bridge.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        let count = poll(&items, nfds_t(items.count), timeout)
        if count < 0, errno != EINTR {
            throw .unusable("the terminal cannot be waited for; use --plain")
        }
        if items[1].revents != 0 { takeSignals() }
        takeTerminal(Int32(items[0].revents))
        if items[2].revents != 0 { try takeInbox() }
        takeTime()
    }

    /// In milliseconds; -1 for no limit.
    private var timeout: Int32 {
        if terminal.hasUnread { return 0 }
        var times = [closing.due, terminal.inputDue]
        // Nothing can be drawn before the terminal has taken the last frame.
        if !terminal.hasPending { times += [pace.pictureDue, pace.due] }
        guard let first = times.compactMap({ $0 }).min() else { return -1 }
        return Int32(first.milliseconds(since: .present))
    }

    // MARK: What came

    private mutating func takeTerminal(_ events: Int32) {
        if events & POLLOUT != 0 { terminal.flush() }
        let isReadable = events & POLLIN != 0
        if isReadable || terminal.hasUnread {
            take(terminal.read(isReadable: isReadable, at: .present))
        } else if events & (POLLHUP | POLLERR | POLLNVAL) != 0 {
            end = end ?? .terminalGone
        } else {
            take(terminal.pauseInput(at: .present))
        }
        if terminal.hasGone { end = end ?? .terminalGone }
    }

    private mutating func take(_ inputs: [TerminalInput]) {
        for input in inputs where end == nil {
            switch input {
            case .key(let key): personActed(.key(key))
            case .mouse(let event): personActed(.mouse(event))
            case .paste(let text): personActed(.paste(text))
            case .suspend: suspend()
            case .redraw: terminal.forgetScreen()
            case .mode: continue
            }
            pace.hurry()
        }
    }

    private mutating func personActed(_ event: DashboardEvent) {
        closing.personActed(at: .present)
        handle(event)
    }

    private mutating func takeInbox() throws(DashboardError) {
        let contents = bridge.take()
        for answer in contents.answers {
            handle(answer)
            // The person waits for it.
            pace.hurry()
        }
        if let update = contents.update {
            handle(.update(update))
            pace.tookPicture()
        }
        if let closing = contents.closing {
            if closing == .now {
                end = end ?? .closed
            } else {
                self.closing.begin(at: .present)
            }
        }
        switch contents.end {
        case nil: break
        case .some(.none): end = end ?? .closed
        case .some(.some(let error)): throw .following(error)
        }
    }

    private mutating func takeTime() {
        let now = Moment.present
        if let due = pace.pictureDue, due <= now, !terminal.hasPending {
            pace.askedForPicture()
            bridge.awaitPicture()
        }
        if let due = closing.due, due <= now { end = end ?? .closed }
    }

    // MARK: What is done

    private mutating func handle(_ event: DashboardEvent) {
        perform(model.handle(event, at: .present))
    }

    private mutating func perform(_ actions: [DashboardAction]) {
        for action in actions {
            switch action {
            case .follow, .refresh, .perform, .find, .search: bridge.perform(action)
            case .redraw: terminal.forgetScreen()
            case .copy(let text): terminal.copy(text)
            case .tell(let text): terminal.tell(text)
            case .leave: end = end ?? .asked
            }
        }
    }

    private mutating func drawIfDue() {
        let now = Moment.present
        guard !terminal.hasPending, let due = pace.due, due <= now else { return }
        #if DEBUG
        crash.happenIfWanted(columns: terminal.columns)
        #endif
        terminal.show(model, at: now)
        pace.drew(at: now, next: model.nextFrame(after: now))
    }
}

/// Stopping, going on, other sizes, and the signals that end the dashboard.
extension DashboardLoop {
    /// The signals that concern a terminal; `endingSignals` are those that end the dashboard.
    static let notedSignals: SignalSet = [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH]
    static let endingSignals: SignalSet = [SIGINT, SIGTERM, SIGHUP]

    private mutating func takeSignals() {
        let arrived = arrivedSignals()
        guard end == nil else { return }
        if arrived.contains(SIGTSTP) {
            suspend()
        } else if arrived.contains(SIGCONT) {
            // The process was stopped without notice, and the shell has had the terminal meanwhile.
            terminal.leave()
            comeForward()
        }
        if arrived.contains(SIGWINCH) { takeSize() }
    }

    /// Takes the signals that have arrived, and notes one that ends the dashboard.
    private mutating func arrivedSignals() -> SignalSet {
        let (byProcess, byTerminal) = signals.take()
        let arrived = SignalSet(bits: byProcess.bits | byTerminal.bits)
        for ending in [SIGHUP, SIGTERM, SIGINT] where arrived.contains(ending) {
            end = end ?? .signal(ending)
        }
        return arrived
    }

    /// Gives the terminal back and stops the process group until it is continued.
    private mutating func suspend() {
        // Whoever started us may have no job control.
        guard signals.signals.contains(SIGTSTP) else { return }
        terminal.leave()
        signals.suspendGroup()
        comeForward()
    }

    /// Takes the terminal once the process is in the foreground.
    private mutating func comeForward() {
        _ = arrivedSignals()
        // A shell stops what draws from the background.
        while end == nil, !terminal.isForeground {
            signals.suspendGroup(by: SIGTTOU)
            _ = arrivedSignals()
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
