#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Passes bytes on from a descriptor of ours to a sink, byte for byte.
///
/// It reads only when all it has read is written: a reader that is slow makes the command wait, as
/// it would without us. Belongs to one thread.
final class Relay {
    /// Closed with the relay, unless it is shared.
    let source: Int32
    private let sink: OutputSink
    private let ownsSource: Bool
    private let buffer: UnsafeMutableRawBufferPointer
    private var pending = 0..<0
    private(set) var isSourceOpen = true
    private(set) var isSinkOpen = true
    /// Once the command has ended: how much of what it has left there is still to be read.
    private var allowance: Int?

    /// - Parameters:
    ///   - source: Does not block.
    ///   - sink: Where the bytes go.
    ///   - capacity: How many are read at once.
    ///   - ownsSource: Whether to close it when nobody reads or writes it any more.
    init(from source: Int32, to sink: OutputSink, capacity: Int, ownsSource: Bool = true) {
        self.source = source
        self.sink = sink
        self.ownsSource = ownsSource
        buffer = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit {
        closeSource()
        buffer.deallocate()
    }

    /// Why what was printed is lost, see `OutputSink`.
    var failure: String? { sink.failure }

    var wantsToRead: Bool { pending.isEmpty && isSourceOpen && allowance != 0 }
    var wantsToWrite: Bool { !pending.isEmpty && isSinkOpen }
    /// Nothing more will be passed on.
    var isDone: Bool { !wantsToRead && !wantsToWrite }

    /// What poll(2) is to look for: the source, and the sink for its end too.
    var pollItems: [pollfd] {
        [
            pollfd(fd: wantsToRead ? source : -1, events: Int16(POLLIN), revents: 0),
            pollfd(
                fd: isSinkOpen && (isSourceOpen || wantsToWrite) ? sink.descriptor : -1,
                events: wantsToWrite ? Int16(POLLOUT) : 0,
                revents: 0
            ),
        ]
    }

    /// Reads what is there; the bytes are valid until the next call.
    func read() -> UnsafeRawBufferPointer {
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        guard wantsToRead else { return nothing }
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(allowance ?? .max))
        var count: Int
        repeat {
            count = readDescriptor(source, into: room)
        } while count < 0 && errno == EINTR
        if count > 0 {
            pending = 0..<count
            if let rest = allowance { allowance = rest - count }
            return UnsafeRawBufferPointer(rebasing: buffer[0..<count])
        }
        if count < 0, errno == EAGAIN || errno == EWOULDBLOCK {
            // What the command has left was all there before its end.
            if allowance != nil { allowance = 0 }
        } else {
            // Its end; EIO is that of a pseudoterminal.
            closeSource()
        }
        return nothing
    }

    /// Writes what was read, as far as that is possible now.
    func write() {
        while wantsToWrite {
            switch sink.write(UnsafeRawBufferPointer(rebasing: buffer[pending])) {
            case .wrote(let count):
                pending = (pending.lowerBound + count)..<pending.upperBound
            case .full:
                return
            case .closed:
                closeSink()
            }
        }
    }

    /// Nobody reads any more: the command gets to know that by its own next write.
    func closeSink() {
        isSinkOpen = false
        pending = 0..<0
        closeSource()
    }

    /// The command has ended: passes on what it has left, and waits for no other that has the same
    /// pipe.
    func finishReading() {
        guard isSourceOpen, allowance == nil else { return }
        var count: Int32 = 0
        // A terminal gives what it holds bit by bit; it holds no more than that.
        allowance = isatty(source) == 1 ? 1 << 20 : 0
        if allowance == 0, ioctl(source, UInt(FIONREAD), &count) == 0 { allowance = Int(count) }
    }

    private func closeSource() {
        guard isSourceOpen else { return }
        isSourceOpen = false
        if ownsSource { close(source) }
    }
}
