import CLibrary
import DashboardCore
import ProcessControl
import ProgressBus
import TaskTree

/// The one loop: keys, signals, the bus and the clock go into the model, frames come out of it.
///
/// Everything here happens on one thread, which alone touches the terminal.
struct DashboardLoop: ~Copyable {
    var terminal: Terminal
    var model: DashboardModel
    let inbox: DashboardInbox
    let bridge: DashboardBridge
    let signals: SignalPipe
    var pace = FramePace()
    var closing = ClosingTime()
    var end: DashboardLeaving?
    #if DEBUG
    private var crash = CrashForTest()
    #endif

    init(
        terminal: consuming Terminal,
        options: DashboardOptions,
        inbox: DashboardInbox,
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
        self.inbox = inbox
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
            pollfd(fd: inbox.descriptor, events: Int16(POLLIN), revents: 0),
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
        let now = Moment.present
        var times = [pace.pictureDue, closing.due, terminal.inputDue]
        // Nothing can be drawn before the terminal has taken the last frame.
        if !terminal.hasPending { times.append(pace.due) }
        guard let first = times.compactMap({ $0 }).min() else { return -1 }
        guard first > now else { return 0 }
        // A day is long enough, and a timeout that is rounded down would be waited for in turns.
        return Int32((min(first.seconds(since: now), 86_400) * 1_000).rounded(.up))
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
        let contents = inbox.take()
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
            inbox.awaitPicture()
        }
        if let due = closing.due, due <= now { end = end ?? .closed }
    }

    // MARK: What is done

    mutating func handle(_ event: DashboardEvent) {
        perform(model.handle(event, at: .present))
    }

    private mutating func perform(_ actions: [DashboardAction]) {
        for action in actions {
            switch action {
            case .follow(let parts): bridge.follow(parts)
            case .refresh: bridge.refresh()
            case .perform(let number, let request, let task):
                bridge.perform(request, on: task, number: number)
            case .find(let number, let task): bridge.find(task, number: number)
            case .search(let number, let search): bridge.search(search, number: number)
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
        let grid = model.draw(at: now)
        terminal.show(grid, saying: { model.title(at: now) }, taskbar: { model.taskbar(at: now) })
        pace.drew(at: now, next: model.nextFrame(after: now))
    }
}
