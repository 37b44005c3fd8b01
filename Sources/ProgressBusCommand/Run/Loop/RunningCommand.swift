import ProcessControl
import OutputReading
import ProgressBus
import TaskTree

/// A command while it runs: its process, its task, and what it prints.
///
/// Belongs to one thread.
final class RunningCommand {
    let started: StartedCommand
    /// The command's place in a batch; `nil` for one that runs alone.
    let place: Batch.Place?
    var machine: ChildSupervisor
    var task: ChildTask
    var reader: OutputReader?
    /// The last lines that it prints, for the reason of a failure; nil where they are private.
    var lastLines: LastLines?
    var streams: [CommandStream]
    private(set) var end: ProcessEnd?
    /// Whether it is not known yet if a cancel has caused the command's end.
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

    /// Whether the command has ended as asked, but its group has not, and still has its grace.
    var isClearing: Bool {
        end != nil && machine.deadline != nil && started.leadsGroup
            && ProcessTree.isAlive(group: started.pid)
    }

    /// Whether the command has ended and all its output was read.
    var isRead: Bool { end != nil && !streams.contains(where: \.isOpen) }

    /// Whether the command has ended, also if that was not reported to us yet.
    var hasEnded: Bool { end != nil || ProcessTree.hasEnded(started.pid) }

    /// Sends a signal to the command and all that it has started.
    func send(_ signal: Int32) {
        if end == nil {
            ProcessTree.send(signal, to: started.pid, leadsGroup: started.leadsGroup)
        } else if signal == SIGKILL, started.leadsGroup, ProcessTree.isAlive(group: started.pid) {
            // The rest of the group; its number is not used again while a process is in it.
            kill(-started.pid, SIGKILL)
        }
    }

    /// Sends SIGUSR1 or SIGUSR2 to the command alone, because most programs end by them.
    func sendAlone(_ signal: Int32) {
        if end == nil { kill(started.pid, signal) }
    }

    /// Takes the changes of the command's state since the last call.
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

    /// Gives the command's terminal the size of ours.
    func resize() {
        guard let own = started.terminal, end == nil else { return }
        own.takeSize(of: started.streams.first { $0.isTerminal }?.target ?? STDOUT_FILENO)
        // In a session the terminal tells the command by itself.
        if !started.place.isSession { send(SIGWINCH) }
    }

    // MARK: - What it prints

    /// Reads a stream, passes the bytes on and samples them; returns whether there were any.
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

    /// Reports what was found in the output since the last tick.
    func tell(at now: Moment) {
        for index in streams.indices { streams[index].pace.tick() }
        readTails()
        task.say(reader?.tick(at: Double(now.nanoseconds) / 1e9) ?? [])
    }

    /// Examines the last of the output.
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
