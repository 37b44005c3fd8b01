#if os(Linux)
import CLibrary
import CZeroMQ
#endif

/// Tells of connections of libzmq's over which something has come, and takes none of it.
///
/// Linux only; elsewhere, and where there is no descriptor for it, it tells of nothing.
package struct ArrivalWatch: ~Copyable {
    private let descriptor: Int32

    package init() {
        #if os(Linux)
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        #else
        descriptor = -1
        #endif
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Readable when there is something for `takeArrived`.
    package var pollItem: PollItem? { descriptor < 0 ? nil : .descriptor(descriptor) }

    /// Tells of this connection until it is closed.
    package func add(_ connection: Int32) {
        #if os(Linux)
        var event = epoll_event()
        // Each arrival once: that it has not been read yet is no news.
        event.events = EPOLLIN.rawValue | EPOLLET.rawValue
        event.data.fd = connection
        _ = epoll_ctl(descriptor, EPOLL_CTL_ADD, connection, &event)
        #endif
    }

    /// Over which something has come since the last call.
    package func takeArrived() -> [Int32] {
        #if os(Linux)
        var events = [epoll_event](repeating: epoll_event(), count: 1_024)
        let count = epoll_wait(descriptor, &events, Int32(events.count), 0)
        return events.prefix(max(0, Int(count))).map(\.data.fd)
        #else
        return []
        #endif
    }
}

extension PeerConnection {
    /// A connection by its descriptor alone.
    package init(descriptor: Int32) {
        self.init(descriptor: descriptor, address: "")
    }

    /// Whether it is there and something has come that nobody has read yet.
    package var hasUnread: Bool {
        var count: Int32 = 0
        return isOpen && ioctl(descriptor, UInt(FIONREAD), &count) == 0 && count > 0
    }
}
