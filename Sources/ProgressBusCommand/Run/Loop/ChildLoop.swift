import ProcessControl
import OutputReading
import ProgressBus
import TaskTree

/// Serves one or many commands until their end: their output, what is typed, signals and requests.
///
/// One thread, one poll(2); nothing in here waits for anything else.
struct ChildLoop {
    static let tick = 0.05
    /// While a command prints nothing and its reader waits for time to pass.
    static let slowTick = 0.5
    /// How often it looks whether this process is in the foreground of the terminal again.
    static let foregroundInterval = 0.25
    /// How often it looks whether all processes of a cancelled command have ended.
    static let clearingInterval = 0.1
    /// The events of poll(2) for a descriptor that nobody reads any more.
    static let gone = Int16(POLLERR | POLLHUP | POLLNVAL)

    let bus: RunBus
    let rules: RunRules
    var running: [RunningCommand] = []
    /// The mergers by our standard descriptor to which they write.
    var mergers: [Int32: OutputMerger] = [:]
    /// The arguments that the command is run for; nil where it runs once.
    var batch: Batch?
    /// While a command has a terminal of its own.
    var keyboard: Keyboard?
    /// Whether Ctrl-C was typed at the command's own terminal, which our own group does not see.
    var isInterruptTyped = false
    /// How the last command has ended.
    var lastEnd: ProcessEnd?
    var nextTick: Moment?
    var nextLook: Moment?
    var isSuspending = false
    /// Whether this process is to stop without its group, because a process sent the SIGTSTP.
    var stopsAlone = false
    var isWatchingReports = false
    /// Whether all commands have ended and a signal says not to wait for the rest of their output.
    var isLeaving = false
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 262_144, alignment: 16)

    init(_ bus: RunBus, rules: RunRules, batch: Batch? = nil) {
        self.bus = bus
        self.rules = rules
        self.batch = batch
    }

    /// Why output could not be passed on, for instance to a full disk.
    var failure: String? {
        [STDOUT_FILENO, STDERR_FILENO].lazy.compactMap { mergers[$0]?.sink.failure }.first
    }

    /// Returns when all commands have ended and all their output is passed on.
    mutating func run() {
        keyboard?.takeIfForeground()
        defer {
            keyboard?.close()
            buffer.deallocate()
        }
        while true {
            collect()
            startMore()
            if isOver { break }
            step()
        }
        let failure = failure
        batch?.finish(failure: failure)
    }

    private var isOver: Bool {
        running.isEmpty && batch?.isOver != false
            && !mergers.values.contains(where: \.wantsToWrite)
    }

    private mutating func step() {
        var items = [
            pollfd(fd: bus.intake.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: bus.mailbox.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: batch?.wantedInput ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        let mergers = Array(mergers.values)
        let firstMerger = items.count
        items += mergers.map(item)
        let firstCommand = items.count
        for command in running {
            let reports = command.end == nil ? command.started.reports : nil
            items.append(pollfd(fd: reports ?? -1, events: Int16(POLLIN), revents: 0))
            items += command.streams.map(\.pollItem)
        }
        let firstKey = items.count
        let isTyping = running.contains { $0.end == nil }
        if isTyping, let keyboard { items += keyboard.pollItems }
        if poll(&items, nfds_t(items.count), timeout()) >= 0 {
            // The mergers first: they may then have room for what is read below.
            for (merger, item) in zip(mergers, items[firstMerger...]) where item.revents != 0 {
                pass(merger, item.revents)
            }
            var place = firstCommand
            for command in running {
                if items[place].revents != 0 { takeChanges(of: command) }
                for index in command.streams.indices {
                    read(index, of: command, isReady: items[place + 1 + index].revents != 0)
                }
                place += 1 + command.streams.count
            }
            if items[2].revents != 0 { batch?.source.read() }
            if items[0].revents != 0 { takeSignals() }
            if items[1].revents != 0 { takeEvents() }
            if firstKey < items.count {
                type(reading: items[firstKey].revents, writing: items[firstKey + 1].revents)
            }
        }
        passTime()
    }

    private func item(of merger: OutputMerger) -> pollfd {
        pollfd(
            fd: merger.isOpen ? merger.sink.descriptor : -1,
            events: merger.wantsToWrite ? Int16(POLLOUT) : 0,
            revents: 0
        )
    }

    private mutating func pass(_ merger: OutputMerger, _ events: Int16) {
        if events & Self.gone != 0 { merger.close() }
        merger.write()
        if !merger.isOpen { closeUnread() }
    }

    /// Closes streams whose reader has gone: a command gets SIGPIPE or EIO at its next write.
    mutating func closeUnread() {
        for command in running {
            for index in command.streams.indices where !command.streams[index].merger.isOpen {
                if command.streams[index].isTerminal { command.started.terminal?.hangUp() }
                command.streams[index].close()
            }
        }
        // The exit status is that of a command ended by SIGPIPE, unless the output is lost.
        let signal: Int32? = failure == nil ? SIGPIPE : nil
        batch?.stop(by: signal)
    }

    private mutating func read(_ index: Int, of command: RunningCommand, isReady: Bool) {
        // After the command's end the rest of its output is there, whatever poll(2) says.
        guard isReady || command.end != nil, command.read(index, into: buffer) else { return }
        wantTick()
        if !command.streams[index].merger.isOpen { closeUnread() }
    }

    private mutating func type(reading: Int16, writing: Int16) {
        let typed = keyboard?.pass(reading: reading, writing: writing, through: buffer) ?? []
        isInterruptTyped = isInterruptTyped || typed.contains(SIGINT)
        for command in running {
            for signal in typed {
                if signal == SIGTSTP {
                    command.machine.typedStop()
                } else {
                    command.machine.typedInterrupt(at: .present)
                }
            }
        }
    }
}
