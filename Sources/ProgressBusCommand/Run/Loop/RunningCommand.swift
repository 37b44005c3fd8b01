import ProcessControl
import OutputReading
import ProgressBus
import TaskTree

/// A command while it runs: its process, its task, and what it prints.
///
/// Belongs to one thread.
final class RunningCommand {
    let started: StartedCommand
    /// Which of a batch it is; `nil` for one that runs alone.
    let place: Batch.Place?
    var machine: ChildSupervisor
    var task: ChildTask
    var reader: OutputReader?
    /// The last lines that it prints, for the reason of a failure; nil where they are private.
    var lastLines: LastLines?
    var streams: [CommandStream]
    private(set) var end: ProcessEnd?
    /// It is not known yet whether its end is because of a cancel.
    var awaitsHearing = false

    init(
        _ started: StartedCommand,
        as task: ProgressTask,
        of place: Batch.Place?,
        rules: RunRules,
        reader: OutputReader?,
        streams: [CommandStream]
    ) {
        self.started = started
        self.place = place
        self.task = ChildTask(task)
        self.reader = reader
        self.streams = streams
        machine = ChildSupervisor(
            // ssh has SIGTERM blocked, see `CommandStarter`, and needs no grace.
            grace: rules.isElsewhere ? 0 : rules.grace,
            sharesTerminal: started.place == .ourGroup,
            patience: rules.patience,
            hasOwnTerminal: started.place == .session
        )
        lastLines = rules.keepsTail ? LastLines() : nil
    }

    deinit {
        for index in streams.indices { streams[index].close() }
        if let terminal = started.terminal { close(terminal.descriptor) }
        if let reports = started.reports { close(reports) }
    }

    // MARK: - Its process

    /// The command was asked to end and has, but not all of its group yet, which has the grace too.
    var isClearing: Bool {
        end != nil && machine.deadline != nil && started.leadsGroup
            && ProcessTree.isAlive(group: started.pid)
    }

    /// It has ended, and all it has left was read.
    var isRead: Bool { end != nil && !streams.contains(where: \.isOpen) }

    /// It has ended, which we may not have been told yet.
    var hasEnded: Bool { end != nil || ProcessTree.hasEnded(started.pid) }

    /// To the command and all that it has started.
    func send(_ signal: Int32) {
        if end == nil {
            ProcessTree.send(signal, to: started.pid, leadsGroup: started.leadsGroup)
        } else if signal == SIGKILL, started.leadsGroup, ProcessTree.isAlive(group: started.pid) {
            // What is left of its group; the number is taken as long as it is.
            kill(-started.pid, SIGKILL)
        }
    }

    /// To the command and nothing it has started: most programs end by such signals.
    func sendAlone(_ signal: Int32) {
        if end == nil { kill(started.pid, signal) }
    }

    /// What has become of it since the last look.
    func takeChanges() -> [ProcessChange] {
        var changes: [ProcessChange] = []
        while end == nil, let change = nextChange() {
            changes.append(change)
            guard case .ended(let how) = change else { continue }
            end = how
            for index in streams.indices { streams[index].finishReading() }
            // The leader of its session has reported this end and now ends by itself.
            if let leader = started.leader { ProcessEnd.wait(for: leader) }
        }
        return changes
    }

    private func nextChange() -> ProcessChange? {
        var status: Int32 = 0
        guard let reports = started.reports else {
            let flags = WNOHANG | WUNTRACED | WCONTINUED
            return waitpid(started.pid, &status, flags) > 0
                ? ProcessChange(waitStatus: status) : nil
        }
        let size = MemoryLayout<Int32>.size
        let count = withUnsafeMutableBytes(of: &status) { readDescriptor(reports, into: $0) }
        if count == size { return ProcessChange(waitStatus: status) }
        if count < 0, errno == EAGAIN || errno == EINTR { return nil }
        // The leader of its session was killed; the terminal goes with it.
        return .ended(.signalled(SIGKILL))
    }

    /// Gives its terminal the size of ours.
    func resize() {
        guard let own = started.terminal, end == nil else { return }
        own.takeSize(of: started.streams.first { $0.isTerminal }?.target ?? STDOUT_FILENO)
        // In a session the terminal tells the command by itself.
        if !started.place.isSession { send(SIGWINCH) }
    }

    // MARK: - What it prints

    /// Reads a stream, passes it on, and looks at what is worth it; returns whether there was any.
    func read(_ index: Int, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
        guard let bytes = streams[index].read(into: buffer) else { return false }
        lastLines?.take(bytes)
        let count = streams[index].sampler.take(bytes)
        if count > 0 {
            let some = UnsafeRawBufferPointer(rebasing: bytes[..<count])
            reader?.take(some, from: streams[index].name)
        }
        return true
    }

    /// Says what was found out since the last tick.
    func tell(at now: Moment) {
        for index in streams.indices { streams[index].pace.tick() }
        readTails()
        task.say(reader?.tick(at: Double(now.nanoseconds) / 1e9) ?? [])
    }

    /// Looks at the last of what it has printed.
    func finishReading() {
        readTails()
        task.say(reader?.finish() ?? [])
    }

    private func readTails() {
        for index in streams.indices {
            let tail = streams[index].sampler.tick()
            if tail.isEmpty { continue }
            tail.withUnsafeBytes { reader?.take($0, from: streams[index].name) }
        }
    }
}
