import ChildProcesses
import OutputReading
import ProgressBus

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// One of many commands, while it runs.
///
/// Belongs to one thread.
final class RunningCommand {
    /// One stream of its output.
    struct Stream {
        /// Its name for the merger.
        let number: Int
        let source: Int32
        let merger: LineMerger
        let name: OutputStream
        var sampler = OutputSampler()
        var isOpen = true
        /// Once the command has ended: how much it has left.
        var allowance: Int?
    }

    let number: Int
    let argument: SystemString
    let pid: pid_t
    var machine: ChildSupervisor
    var task: ChildTask
    var reader: OutputReader?
    var lastLines: LastLines?
    var streams: [Stream]
    var end: ProcessEnd?

    init(
        number: Int,
        argument: SystemString,
        pid: pid_t,
        machine: ChildSupervisor,
        task: ChildTask,
        reader: OutputReader?,
        lastLines: LastLines?,
        streams: [Stream]
    ) {
        self.number = number
        self.argument = argument
        self.pid = pid
        self.machine = machine
        self.task = task
        self.reader = reader
        self.lastLines = lastLines
        self.streams = streams
    }

    deinit {
        for stream in streams where stream.isOpen { closeDescriptor(stream.source) }
    }

    /// It has ended, all it has printed is on its way, and all that a cancel was for has ended or
    /// has no more time to.
    var isDone: Bool {
        guard end != nil, !streams.contains(where: \.isOpen) else { return false }
        return machine.deadline == nil || !ProcessTree.isAlive(group: pid)
    }

    func send(_ signal: Int32) {
        if end == nil {
            ProcessTree.send(signal, to: pid, leadsGroup: true)
        } else if signal == SIGKILL, ProcessTree.isAlive(group: pid) {
            // What is left of its group; the number is taken as long as it is.
            kill(-pid, SIGKILL)
        }
    }

    /// To the command and nothing it has started, as `ChildLoop` does.
    func sendAlone(_ signal: Int32) {
        if end == nil { kill(pid, signal) }
    }

    /// What has become of it since the last look.
    func takeChanges() -> [ProcessChange] {
        var changes: [ProcessChange] = []
        var status: Int32 = 0
        while end == nil, waitpid(pid, &status, WNOHANG | WUNTRACED | WCONTINUED) > 0 {
            let change = ProcessChange(waitStatus: status)
            changes.append(change)
            guard case .ended(let how) = change else { continue }
            end = how
            for index in streams.indices where streams[index].isOpen {
                var count: Int32 = 0
                _ = ioctl(streams[index].source, UInt(FIONREAD), &count)
                streams[index].allowance = Int(count)
            }
        }
        return changes
    }

    /// Reads a stream into its merger, and looks at what is worth it.
    func read(_ index: Int, into buffer: UnsafeMutableRawBufferPointer) {
        let stream = streams[index]
        guard stream.isOpen, stream.merger.accepts(stream.number) else { return }
        var count = 0
        if stream.allowance != 0 {
            let room = buffer.prefix(stream.allowance ?? .max)
            count = readDescriptor(
                stream.source,
                into: UnsafeMutableRawBufferPointer(rebasing: room)
            )
            if count < 0, errno == EINTR || (errno == EAGAIN && stream.allowance == nil) { return }
        }
        guard count > 0, stream.merger.isOpen else {
            close(index)
            return
        }
        if let rest = stream.allowance { streams[index].allowance = rest - count }
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        stream.merger.take(bytes, from: stream.number)
        lastLines?.take(bytes)
        let looked = streams[index].sampler.take(bytes)
        guard looked > 0 else { return }
        let part = UnsafeRawBufferPointer(rebasing: bytes[..<looked])
        if let samples = reader?.read(part, from: stream.name) { task.take(samples) }
    }

    /// Says what was found out since the last tick.
    func tell() {
        for index in streams.indices {
            let tail = streams[index].sampler.tick()
            guard !tail.isEmpty else { continue }
            let name = streams[index].name
            let samples = tail.withUnsafeBytes { reader?.read($0, from: name) }
            if let samples { task.take(samples) }
        }
        if let samples = reader?.tick(at: .present) { task.take(samples) }
        task.tell()
    }

    private func close(_ index: Int) {
        closeDescriptor(streams[index].source)
        streams[index].isOpen = false
        streams[index].merger.finish(streams[index].number)
    }
}
