#if os(Linux)
import CLibrary
import CZeroMQ
#endif

/// Tells of descriptors that something has come for, and takes none of it: of connections of libzmq's,
/// and of processes that have ended.
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
        // Each arrival once: that it has not been read yet is no news.
        #if os(Linux)
        _ = add(connection, as: connection, EPOLLET)
        #endif
    }

    #if os(Linux)
    /// Tells of a descriptor by this number until it is closed; false where that cannot be.
    func add(_ watched: Int32, as number: Int32, _ mode: EPOLL_EVENTS) -> Bool {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue | mode.rawValue
        event.data.fd = number
        return epoll_ctl(descriptor, EPOLL_CTL_ADD, watched, &event) == 0
    }
    #endif

    /// For which something has come since the last call, or of very many some.
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
