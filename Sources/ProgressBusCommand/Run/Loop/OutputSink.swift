import ProcessControl

/// One of our standard descriptors, to which bytes are written without ever blocking.
///
/// Our parent process shares what the descriptor refers to, so it must not be made non-blocking.
/// Where the system can reopen the pipe or terminal, only the new descriptor is non-blocking.
/// Elsewhere each write is so small that it fits if poll(2) says that there is room.
final class OutputSink {
    enum Outcome: Equatable {
        case wrote(Int)
        /// There is no room now.
        case full
        /// Nobody reads any more.
        case closed
    }

    private enum Manner {
        case freely, carefully, asSocket
    }

    /// For poll(2).
    let descriptor: Int32
    private let manner: Manner
    private let isOurs: Bool
    /// Why bytes were lost that somebody wanted to read, for instance to a full disk.
    private(set) var failure: String?

    /// Takes one of our standard descriptors, or one of our own that does not block.
    init(_ standard: Int32, isOwn: Bool = false) {
        var status = stat()
        let kind = fstat(standard, &status) == 0 ? status.st_mode & S_IFMT : 0
        if isOwn {
            (descriptor, manner, isOurs) = (standard, .freely, false)
        } else if kind == S_IFIFO || isatty(standard) == 1 {
            let again = Self.reopened(standard, flags: O_WRONLY)
            isOurs = again != nil
            descriptor = again ?? standard
            manner = isOurs ? .freely : .carefully
        } else {
            // A write to a file never waits for a reader.
            (descriptor, manner, isOurs) = (standard, kind == S_IFSOCK ? .asSocket : .freely, false)
        }
    }

    deinit {
        if isOurs { close(descriptor) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        while true {
            let count: Int
            switch manner {
            case .freely:
                count = writeDescriptor(descriptor, bytes)
            case .carefully:
                var item = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                guard poll(&item, 1, 0) > 0 else { return .full }
                // poll(2) promises that this many bytes fit into a pipe.
                let some = UnsafeRawBufferPointer(rebasing: bytes.prefix(Int(PIPE_BUF)))
                count = writeDescriptor(descriptor, some)
            case .asSocket:
                count = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT))
            }
            if count >= 0 { return .wrote(count) }
            if errno == EAGAIN || errno == EWOULDBLOCK { return .full }
            if errno == EINTR { continue }
            complain(about: errno)
            return .closed
        }
    }

    /// Reports an error on standard error, unless it only says that the reader has gone.
    private func complain(about code: Int32) {
        guard code != EPIPE, code != EIO, code != ECONNRESET else { return }
        let why = "what it printed could not be written: \(String(cString: strerror(code)))"
        if failure == nil { StandardStreams.complain(why) }
        failure = why
    }

    /// The same pipe or terminal, opened once more so that it does not block; nil where that fails.
    static func reopened(_ descriptor: Int32, flags: Int32) -> Int32? {
        #if os(Linux)
        let path = "/proc/self/fd/\(descriptor)"
        let again = open(path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        return again >= 0 ? again : nil
        #else
        return nil
        #endif
    }
}
