import OutputReading
import ProcessControl
import ProgressBus
import TaskTree

/// One stream of a command's output on its way to ours.
struct CommandStream {
    /// Its name for the merger.
    let number: Int
    /// Does not block.
    let source: Int32
    /// A terminal is the command's for as long as that runs.
    let isTerminal: Bool
    let merger: OutputMerger
    let name: OutputStream
    var sampler = OutputSampler()
    var pace: ReadCoalescer
    var restsUntil: Moment?
    private(set) var isOpen = true
    /// Once the command has ended: how much of what it has left is still to be read.
    private var allowance: Int?

    init(_ stream: StartedCommand.Stream, number: Int, merger: OutputMerger) {
        self.number = number
        self.merger = merger
        source = stream.source
        isTerminal = stream.isTerminal
        name = stream.target == STDERR_FILENO ? .error : .output
        pace = ReadCoalescer(room: Self.room(of: stream.source))
    }

    /// How much may lie in a pipe before its writer must wait; that of a terminal is less.
    private static func room(of descriptor: Int32) -> Int {
        #if os(Linux)
        // F_GETPIPE_SZ, which Swift does not import.
        let size = fcntl(descriptor, 1_032)
        if size > 0 { return Int(size) }
        #endif
        return 16_384
    }

    /// Whether it can be read now: one that is read slowly makes the command wait, as without us.
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
            // What the command has left was all there before its end.
            if count < 0, errno == EAGAIN, allowance == nil { return nil }
        }
        guard count > 0 else {
            // Its end; an error is that of a terminal.
            close()
            return nil
        }
        if let allowance { self.allowance = allowance - count }
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        // First for the person.
        merger.take(bytes, from: number)
        if pace.rests(after: count) {
            restsUntil = Moment.present.advanced(bySeconds: ReadCoalescer.rest)
        }
        return bytes
    }

    /// The command has ended: passes on what it has left, and waits for no other that has the same
    /// pipe.
    mutating func finishReading() {
        restsUntil = nil
        guard isOpen else { return }
        var count: Int32 = 0
        _ = ioctl(source, UInt(FIONREAD), &count)
        // A terminal gives what it holds bit by bit; it holds no more than that.
        allowance = isTerminal ? 1 << 20 : Int(count)
    }

    /// A process that still writes to it gets SIGPIPE by its next write.
    mutating func close() {
        guard isOpen else { return }
        isOpen = false
        if !isTerminal { closeDescriptor(source) }
        if merger.isOpen { merger.finish(number) }
    }
}
