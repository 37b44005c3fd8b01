import ProcessControl

/// One of the descriptors that we were given to write to, written to without ever waiting.
///
/// What it refers to is shared with whoever started us, so it must not be made non-blocking. Where
/// the system can open the same thing once more, that one is; elsewhere so little is written that
/// it fits where poll(2) says that something does.
final class OutputSink {
    enum Outcome: Equatable {
        case wrote(Int)
        /// Not now.
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
    /// Why bytes were lost although somebody wanted them: a full disk.
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
            // A file never waits for anybody.
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
                // What poll(2) promises of a pipe is that this much fits.
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

    /// Where somebody has gone there is nobody to tell; a full disk is another matter.
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
