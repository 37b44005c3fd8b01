import OutputReading
import ProcessControl
import ProgressBus
import TaskTree

/// One stream of a command's output on its way to ours.
struct CommandStream {
    /// The stream's number in the merger.
    let number: Int
    /// The descriptor that is read; it does not block.
    let source: Int32
    /// Whether the source is the command's terminal, which `RunningCommand` closes.
    let isTerminal: Bool
    let merger: OutputMerger
    let name: OutputStream
    var sampler = OutputSampler()
    var pace: ReadCoalescer
    var restsUntil: Moment?
    private(set) var isOpen = true
    /// The number of bytes still to be read, once the command has ended.
    private var allowance: Int?

    init(_ stream: StartedCommand.Stream, number: Int, merger: OutputMerger) {
        self.number = number
        self.merger = merger
        source = stream.source
        isTerminal = stream.isTerminal
        name = stream.target == STDERR_FILENO ? .error : .output
        pace = ReadCoalescer(room: Self.room(of: stream.source))
    }

    /// The bytes that fit in a pipe before its writer must wait; fewer fit in a terminal.
    private static func room(of descriptor: Int32) -> Int {
        #if os(Linux)
        // F_GETPIPE_SZ, which Swift does not import.
        let size = fcntl(descriptor, 1_032)
        if size > 0 { return Int(size) }
        #endif
        return 16_384
    }

    /// Whether the stream can be read now; otherwise the command must wait, as it would without us.
    var isWanted: Bool { isOpen && merger.accepts(number) }

    /// For poll(2).
    var pollItem: pollfd {
        pollfd(
            fd: isWanted && restsUntil == nil ? source : -1,
            events: Int16(POLLIN),
            revents: 0
        )
    }

    /// Reads what is there and passes it on.
    ///
    /// - Returns: The bytes, which are valid until the buffer is used again; nil for none.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard isWanted else { return nil }
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(allowance ?? .max))
        var count = 0
        if !room.isEmpty {
            repeat {
                count = readDescriptor(source, into: room)
            } while count < 0 && errno == EINTR
            // All that the command has left was there before its end.
            if count < 0, errno == EAGAIN, allowance == nil { return nil }
        }
        guard count > 0 else {
            // The end of the stream; a terminal reports it as an error.
            close()
            return nil
        }
        if let allowance { self.allowance = allowance - count }
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        // The person sees the bytes before they are examined.
        merger.take(bytes, from: number)
        if pace.rests(after: count) {
            restsUntil = Moment.present.advanced(bySeconds: ReadCoalescer.rest)
        }
        return bytes
    }

    /// Limits reading to what the ended command has left, whoever else still writes to the pipe.
    mutating func finishReading() {
        restsUntil = nil
        guard isOpen else { return }
        var count: Int32 = 0
        _ = ioctl(source, UInt(FIONREAD), &count)
        // A terminal gives what it holds in pieces, and holds no more than this.
        allowance = isTerminal ? 1 << 20 : Int(count)
    }

    /// Closes the stream; a process that still writes to the pipe gets SIGPIPE.
    mutating func close() {
        guard isOpen else { return }
        isOpen = false
        if !isTerminal { closeDescriptor(source) }
        if merger.isOpen { merger.finish(number) }
    }
}
