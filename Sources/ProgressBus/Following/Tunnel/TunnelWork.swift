import BusProtocol
import CLibrary
import ProcessControl
import ZeroMQ

/// The one or two processes of ssh that a tunnel has; belongs to its thread.
struct TunnelWork: ~Copyable {
    private let arguments: TunnelArguments
    private var master: SSHProcess?
    private var forwarding: SSHProcess?

    init(_ arguments: TunnelArguments) {
        self.arguments = arguments
    }

    /// Starts the ssh that connects; returns its pid.
    mutating func connect(asksPerson: Bool) throws(StartError) -> Int32 {
        // A killed master leaves its socket, which would keep the next ssh from being a master.
        unlink(arguments.masterPath)
        let process = try SSHProcess(arguments.connect(asksPerson: asksPerson))
        let pid = process.pid
        master = consume process
        return pid
    }

    /// Starts the ssh that forwards over the connection of the first.
    mutating func forward(from directory: String) throws(StartError) {
        forwarding = try SSHProcess(arguments.forward(from: directory))
    }

    /// Waits until both have ended; they were told to, or have nothing left to do.
    mutating func end() {
        if let process = master.take() { _ = process.end() }
        if let process = forwarding.take() { _ = process.end() }
    }

    /// The descriptors to wait for; mutating, as Swift cannot yet borrow from a noncopyable
    /// optional.
    mutating func pollItems() -> [PollItem] {
        (master?.pollItems ?? []) + (forwarding?.pollItems ?? [])
    }

    /// Reads the lines of both, and whether one has ended.
    ///
    /// `willEnd` gets the pid of the master before that pid is given back.
    mutating func read(willEnd: (Int32) -> Void) -> [TunnelMachine.Event] {
        var events: [TunnelMachine.Event] = []
        events += (master?.complaints.readLines() ?? []).map { .complaint($0) }
        events += (forwarding?.complaints.readLines() ?? []).map { .complaint($0) }
        events += (master?.output.readLines() ?? []).map { .line($0) }
        _ = forwarding?.output.readLines()
        if master?.output.isAtEnd == true, let process = master.take() {
            willEnd(process.pid)
            _ = process.end()
            events.append(.ended)
        }
        if forwarding?.output.isAtEnd == true, let process = forwarding.take() {
            events.append(.forwarded(isDone: process.end()))
        }
        return events
    }
}

/// A started ssh, whose output and complaints are read as lines; belongs to one thread.
struct SSHProcess: ~Copyable {
    let pid: Int32
    /// Ssh's input, open as long as this process lives: when it closes, the command on the other
    /// machine ends.
    private let input: OwnedDescriptor
    var output: LineStream
    var complaints: LineStream

    /// - Throws: Where there is no ssh, or no room for one more process.
    init(_ arguments: [String]) throws(StartError) {
        let environment = InheritedContext.environment
        let path = try ProgramSearch.find(
            "ssh",
            in: environment.value(of: "PATH") ?? "/usr/bin:/bin"
        )
        let (told, said, complained) = (try Pipe(), try Pipe(), try Pipe())
        let input = OwnedDescriptor(told.writing)
        let output = LineStream(said.reading)
        let complaints = LineStream(complained.reading)
        let standardInput = OwnedDescriptor(told.reading)
        let standardOutput = OwnedDescriptor(said.writing)
        let standardError = OwnedDescriptor(complained.writing)
        let request = SpawnRequest(
            path: path,
            arguments: (["ssh"] + arguments).map { SystemString($0) },
            environment: environment,
            streams: [standardInput.number, standardOutput.number, standardError.number]
        )
        let pid = try request.start()
        self.pid = pid
        self.input = input
        self.output = output
        self.complaints = complaints
    }

    /// The descriptors of the streams that are not at their end: one at its end stays readable for
    /// ever.
    var pollItems: [PollItem] {
        var items: [PollItem] = []
        if !output.isAtEnd { items.append(.descriptor(output.descriptor.number)) }
        if !complaints.isAtEnd { items.append(.descriptor(complaints.descriptor.number)) }
        return items
    }

    /// Waits until ssh has exited, which it does once its output has ended; returns whether it
    /// succeeded.
    consuming func end() -> Bool {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 {
            guard errno == EINTR else { return false }
        }
        return ProcessEnd(waitStatus: status) == .exited(0)
    }
}

/// One end of a pipe, cut into lines.
struct LineStream: ~Copyable {
    /// A line is a sentence of ssh, or a path.
    private static let longestLine = 4_096

    let descriptor: OwnedDescriptor
    private(set) var isAtEnd = false
    private var splitter = LineSplitter(limit: longestLine)

    init(_ descriptor: Int32) {
        self.descriptor = OwnedDescriptor(descriptor)
    }

    /// The lines that one read(2) completes; to be called when there is something to read.
    mutating func readLines() -> [String] {
        var buffer = [UInt8](repeating: 0, count: Self.longestLine)
        let count = read(descriptor.number, &buffer, buffer.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        var lines = splitter.feed(buffer.prefix(max(count, 0)))
        if count <= 0 {
            isAtEnd = true
            if let rest = splitter.finish() { lines.append(rest) }
        }
        return lines.compactMap { line in
            guard case .line(let bytes) = line else { return nil }
            // Another machine's words reach terminals.
            return String(decoding: bytes, as: UTF8.self).oneLine
        }
    }
}
