import ArgumentParser
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

/// Runs many commands, so many at a time: one thread and one poll(2) for all of them.
struct ManyLoop {
    /// What was asked of all of them.
    struct Asked {
        /// That no more are begun.
        var isStopping = false
        var isPaused = false
        var isCancelled = false
        /// By the person, at the terminal.
        var isInterrupted = false
    }

    static let tick = 0.05
    static let bufferSize = 65_536

    let starter: ManyStarter
    let jobs: Int
    let grace: Double
    let choice: AdapterChoice
    let keepsTail: Bool
    let parent: ProgressTask
    let intake: SignalPipe
    let mailbox: RunMailbox
    let flush: @Sendable () -> Void
    let watchReports: @Sendable () -> Void
    let source: ArgumentSource

    var running: [RunningCommand] = []
    var output: LineMerger
    var error: LineMerger
    var lastNumber = 0
    var lastStream = 0
    /// What the bus was told of the total.
    var counted = -1
    var nextTick: Moment?
    var asked = Asked()
    var isSuspending = false
    var isWatchingReports = false
    var failures = Failures()
    let buffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: Self.bufferSize,
        alignment: 16
    )

    init(
        starter: ManyStarter,
        jobs: Int,
        grace: Double,
        choice: AdapterChoice,
        keepsTail: Bool,
        parent: ProgressTask,
        source: ArgumentSource,
        intake: SignalPipe,
        mailbox: RunMailbox,
        flush: @escaping @Sendable () -> Void,
        watchReports: @escaping @Sendable () -> Void
    ) {
        self.starter = starter
        self.jobs = jobs
        self.grace = grace
        self.choice = choice
        self.keepsTail = keepsTail
        self.parent = parent
        self.source = source
        self.intake = intake
        self.mailbox = mailbox
        self.flush = flush
        self.watchReports = watchReports
        output = LineMerger(to: OutputSink(STDOUT_FILENO))
        error = starter.outputsAreOne ? output : LineMerger(to: OutputSink(STDERR_FILENO))
    }

    /// Returns when all have ended and the parent with them.
    mutating func run() -> Failures {
        defer { buffer.deallocate() }
        while true {
            startMore()
            tellTotal()
            let isOver = running.isEmpty && (asked.isStopping || source.isEmpty)
            if isOver, !output.wantsToWrite, !error.wantsToWrite { break }
            step()
        }
        let failure = output.sink.failure ?? error.sink.failure
        if failure != nil { failures.raise(to: ExitCode.outputLost.rawValue) }
        if asked.isCancelled {
            parent.endCancelled()
        } else if asked.isInterrupted, failures.status != 0 {
            parent.endCancelled(ChildSupervisor.interruptedWords)
        } else if failures.count > 0 {
            parent.fail("\(failures.count) of \(lastNumber) failed")
        } else if let failure {
            parent.fail(failure)
        } else if asked.isStopping {
            parent.fail("stopped after \(lastNumber) of \(source.count)")
        } else {
            // Its children have counted until now.
            parent.complete(begun)
            parent.succeed()
        }
        return failures
    }

    /// Whether nothing may begin now.
    var isHeld: Bool { asked.isPaused || isSuspending }

    /// How many commands were begun.
    var begun: Int { lastNumber }

    mutating func step() {
        var items = [
            pollfd(fd: intake.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(
                fd: asked.isStopping ? -1 : source.wanted ?? -1,
                events: Int16(POLLIN),
                revents: 0
            ),
            item(of: output),
            item(of: error),
        ]
        let first = items.count
        for command in running {
            for stream in command.streams {
                let isWanted = stream.isOpen && stream.merger.accepts(stream.number)
                items.append(
                    pollfd(fd: isWanted ? stream.source : -1, events: Int16(POLLIN), revents: 0)
                )
            }
        }
        guard poll(&items, nfds_t(items.count), timeout()) >= 0 else { return }
        // The mergers first: what was taken from a stream was taken as it was asked for.
        for (merger, item) in zip([output, error], items[3...4]) where item.revents != 0 {
            if item.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { merger.close() }
            merger.write()
        }
        var place = first
        for command in running {
            for index in command.streams.indices {
                let isReady = items[place].revents != 0 || command.end != nil
                place += 1
                if isReady { command.read(index, into: buffer) }
            }
        }
        if items[2].revents != 0 { source.read() }
        if items[0].revents != 0 { takeSignals() }
        if items[1].revents != 0 { takeLetters() }
        // What a shell says of a command that nobody reads.
        if !output.isOpen || !error.isOpen { stop(by: SIGPIPE) }
        tellIfTime()
        collect()
    }

    func item(of merger: LineMerger) -> pollfd {
        pollfd(
            fd: merger.isOpen ? merger.sink.descriptor : -1,
            events: merger.wantsToWrite ? Int16(POLLOUT) : 0,
            revents: 0
        )
    }

    mutating func timeout() -> Int32 {
        let isCollecting = running.contains { command in
            command.end != nil
                && command.streams.contains { $0.isOpen && $0.merger.accepts($0.number) }
        }
        if isCollecting { return 0 }
        let now = Moment.present
        if nextTick == nil, !running.isEmpty { nextTick = now.advanced(bySeconds: Self.tick) }
        let times = running.compactMap(\.machine.deadline) + [nextTick].compactMap { $0 }
        guard let earliest = times.min() else { return -1 }
        return Int32(max(0, min(earliest.seconds(since: now) * 1_000 + 1, 60_000)))
    }

    mutating func tellIfTime() {
        let now = Moment.present
        if let nextTick, now >= nextTick {
            self.nextTick = nil
            if !isSuspending { for command in running { command.tell() } }
            if !isWatchingReports, running.contains(where: \.task.hasRead) {
                isWatchingReports = true
                watchReports()
            }
        }
        for command in running { carryOut(command.machine.passed(now), on: command) }
    }
}
