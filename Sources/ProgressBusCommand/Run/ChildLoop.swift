import ChildProcesses
import OutputReading
import ProgressBus
import TaskTree

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Minds one command: passes on what it prints, what is typed and what it is told, until its end.
///
/// One thread, one poll(2); nothing in here waits for anything else.
struct ChildLoop {
    static let tick = 0.05
    /// While the command prints nothing and the reader waits for time to pass.
    static let slowTick = 0.5
    /// How often it is looked whether the terminal has come back to us.
    static let foregroundInterval = 0.25
    /// How often it is looked whether all that a cancel was for has ended.
    static let clearingInterval = 0.1

    /// One stream of the command's output.
    struct Output {
        let relay: Relay
        let stream: OutputStream
        var sampler = OutputSampler()
        var pace: ReadCoalescer
        var restsUntil: Moment?
    }

    let command: StartedCommand
    let intake: SignalPipe
    let mailbox: RunMailbox
    /// Asks the bus to know what was said so far, and then puts `.flushed` into the mailbox.
    let flush: @Sendable () -> Void
    /// Has it told from now on if something below the task reports itself.
    let watchReports: @Sendable () -> Void
    var machine: ChildSupervisor
    var task: ChildTask
    var reader: OutputReader
    /// The last lines that it prints, for the reason of a failure; nil where they are private.
    var lastLines: LastLines?
    var outputs: [Output] = []
    var input: Relay?
    var terminal: OwnTerminal?
    var nextTick: Moment?
    var nextLook: Moment?
    var isSuspending = false
    var isWatchingReports = false
    /// The command has ended, and who started us does not want to wait for more.
    var isLeaving = false
    var end: ProcessEnd?

    init(
        _ command: StartedCommand,
        machine: ChildSupervisor,
        task: ChildTask,
        reader: OutputReader,
        keepsTail: Bool,
        intake: SignalPipe,
        mailbox: RunMailbox,
        flush: @escaping @Sendable () -> Void,
        watchReports: @escaping @Sendable () -> Void
    ) {
        self.command = command
        self.machine = machine
        self.task = task
        self.reader = reader
        lastLines = keepsTail ? LastLines() : nil
        self.intake = intake
        self.mailbox = mailbox
        self.flush = flush
        self.watchReports = watchReports
        for stream in command.streams {
            let relay = Relay(
                from: stream.source,
                to: OutputSink(stream.target),
                capacity: stream.isTerminal ? 65_536 : 262_144,
                // The terminal is ours for as long as the command is.
                ownsSource: !stream.isTerminal
            )
            let name: OutputStream = stream.target == STDERR_FILENO ? .error : .output
            let pace = ReadCoalescer(room: Descriptor.room(of: stream.source))
            outputs.append(Output(relay: relay, stream: name, pace: pace))
        }
        if command.place == .session, let own = command.terminal {
            let terminal = OwnTerminal()
            let sink = OutputSink(own.descriptor, isOwn: true)
            input = Relay(
                from: terminal.descriptor,
                to: sink,
                capacity: 4_096,
                ownsSource: false
            )
            self.terminal = terminal
        }
    }

    /// Returns when the command has ended and all it has printed is passed on.
    mutating func run() -> (end: ProcessEnd, hasLostOutput: Bool) {
        terminal?.takeIfForeground()
        defer {
            terminal?.giveBack()
            terminal?.closeOwn()
            if let own = command.terminal { close(own.descriptor) }
            if let reports = command.reports { close(reports) }
        }
        while true {
            if let end, outputs.allSatisfy(\.relay.isDone), !isClearing {
                tellAll()
                var ending = machine.ending(end, at: .present)
                let failure = outputs.lazy.compactMap(\.relay.failure).first
                // To the command it looks as if nobody read any more.
                let knowsBetter = end == .exited(status: 0) || end == .signalled(SIGPIPE)
                if !ending.isCancelled, knowsBetter, let failure {
                    ending = .failed(failure)
                    lastLines = nil
                }
                task.end(ending, lastLines: lastLines?.lines() ?? [])
                return (end, failure != nil)
            }
            step()
        }
    }

    mutating func step() {
        var items = [
            pollfd(fd: intake.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: end == nil ? command.reports ?? -1 : -1, events: Int16(POLLIN), revents: 0),
        ]
        let first = items.count
        for output in outputs {
            items += output.relay.pollItems
            if output.restsUntil != nil, end == nil { items[items.count - 2].fd = -1 }
        }
        let inputPlace = items.count
        if let input, isListening { items += input.pollItems }
        let count = poll(&items, nfds_t(items.count), timeout())
        if count > 0 || isCollecting {
            if items[0].revents != 0 { takeSignals() }
            if items[1].revents != 0 { takeLetters() }
            if items[2].revents != 0 { takeReports() }
            for index in outputs.indices {
                let place = first + 2 * index
                pass(index, reading: items[place].revents, writing: items[place + 1].revents)
            }
            if inputPlace < items.count {
                passInput(items[inputPlace].revents, writing: items[inputPlace + 1].revents)
            }
        }
        let now = Moment.present
        carryOut(machine.passed(now))
        if let nextTick, now >= nextTick { tellTick() }
        for index in outputs.indices {
            if let until = outputs[index].restsUntil, now >= until {
                outputs[index].restsUntil = nil
            }
        }
        if let nextLook, now >= nextLook { look(now) }
    }

    /// Whether the command has ended and what it has left is still being read.
    var isCollecting: Bool { end != nil && outputs.contains { $0.relay.wantsToRead } }

    /// Whether something that was to end with the command does not, and still has time to.
    var isClearing: Bool {
        machine.deadline != nil && command.leadsGroup && !isLeaving
            && ProcessTree.isAlive(group: command.pid)
    }

    /// Whether what is typed is for the command.
    var isListening: Bool { end == nil && terminal?.isTaken == true }

    mutating func timeout() -> Int32 {
        if isCollecting { return 0 }
        let now = Moment.present
        if end != nil, machine.deadline != nil, nextLook == nil {
            nextLook = now.advanced(bySeconds: Self.clearingInterval)
        }
        if terminal != nil, !isListening, end == nil, nextLook == nil {
            nextLook = now.advanced(bySeconds: Self.foregroundInterval)
        }
        let times = [machine.deadline, nextTick, nextLook] + outputs.map(\.restsUntil)
        guard let earliest = times.compactMap({ $0 }).min() else { return -1 }
        return Int32(max(0, min(earliest.seconds(since: now) * 1_000 + 1, 60_000)))
    }

    mutating func look(_ now: Moment) {
        nextLook = nil
        guard !isSuspending, end == nil, let terminal, terminal.isForeground else { return }
        // In the background it had settings that a shell's prompt needs.
        if !terminal.wasTaken { command.terminal?.takeSettings(of: STDIN_FILENO) }
        self.terminal?.takeIfForeground()
    }
}
