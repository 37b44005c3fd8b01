import ChildProcesses

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// One worker process and the two pipes to it; belongs to the thread of its pool.
struct WorkerConnection {
    private(set) var outcome = WorkerPool.Outcome()
    private var process: ChildProcess?
    private var input: Int32?
    private var output: Int32?
    private var list: ArraySlice<UInt8>
    private var splitter = LineSplitter(limit: 4096)
    private var isFinished = false

    init(_ assignment: WorkerPool.Assignment) {
        list = WorkList.encode(assignment.files)[...]
        guard let (childInput, ownInput) = Self.makePipe() else {
            outcome.trouble = "no pipe: \(SystemError.text(errno))"
            return
        }
        defer { close(childInput) }
        guard let (ownOutput, childOutput) = Self.makePipe() else {
            outcome.trouble = "no pipe: \(SystemError.text(errno))"
            close(ownInput)
            return
        }
        defer { close(childOutput) }
        do {
            process = try ChildProcess.start(
                assignment.arguments,
                environment: assignment.environment,
                streams: .init(input: childInput, output: childOutput, error: STDERR_FILENO)
            )
            input = ownInput
            output = ownOutput
            for descriptor in [ownInput, ownOutput] {
                _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
            }
        } catch {
            outcome.trouble = "could not be started: \(error)"
            close(ownInput)
            close(ownOutput)
        }
    }

    /// Whether the process has ended and everything it said has been read.
    var isOver: Bool { process == nil }

    var pollItems: [pollfd] {
        var items: [pollfd] = []
        if let input { items.append(pollfd(fd: input, events: Int16(POLLOUT), revents: 0)) }
        if let output { items.append(pollfd(fd: output, events: Int16(POLLIN), revents: 0)) }
        return items
    }

    func signal(_ signal: Int32) {
        process?.send(signal: signal)
    }

    /// Writes as much of the list as the pipe takes.
    mutating func send() {
        guard let input else { return }
        while !list.isEmpty {
            let count = list.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
            if count > 0 {
                list = list.dropFirst(count)
            } else if errno == EAGAIN {
                return
            } else if errno != EINTR {
                // The worker is gone; the end of its output says the rest.
                break
            }
        }
        close(input)
        self.input = nil
    }

    /// Reads what is there; at the end also collects the process.
    mutating func receive() {
        guard let output else { return }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = buffer.withUnsafeMutableBytes { read(output, $0.baseAddress, $0.count) }
            if count > 0 {
                take(splitter.feed(buffer[..<count]))
            } else if count < 0, errno == EAGAIN {
                return
            } else if count == 0 || errno != EINTR {
                break
            }
        }
        close(output)
        self.output = nil
        input.map { _ = close($0) }
        input = nil
        collect()
    }

    private mutating func take(_ lines: [LineSplitter.Line]) {
        for case .line(let line) in lines {
            guard let message = WorkerMessage(parsing: line) else { continue }
            if case .finished = message { isFinished = true }
            outcome.messages.append(message)
        }
    }

    private mutating func collect() {
        guard let process else { return }
        // Its output is closed only by its end.
        let end = process.waitForEnd()
        self.process = nil
        switch end {
        case .exited(status: 0) where isFinished: break
        case .exited(let status): outcome.trouble = "exited with status \(status)"
        case .signalled(let signal): outcome.trouble = "was killed by signal \(signal)"
        }
    }

    private static func makePipe() -> (reading: Int32, writing: Int32)? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}
