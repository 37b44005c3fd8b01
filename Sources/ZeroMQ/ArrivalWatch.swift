#if os(Linux)
import CLibrary
import CZeroMQ
#endif

/// Tells which descriptors have something to read, and reads none of it.
///
/// They are libzmq's connections, or pidfds: a pidfd becomes readable when its process has ended.
///
/// Linux only: elsewhere, and if there is no descriptor left for epoll, it tells of none.
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

    /// Watches this connection until it is closed.
    package func add(_ connection: Int32) {
        // EPOLLET: each arrival is told once, even while nobody has read it yet.
        #if os(Linux)
        _ = add(connection, as: connection, EPOLLET)
        #endif
    }

    #if os(Linux)
    /// Watches a descriptor under this number until it is closed; false if that is impossible.
    func add(_ watched: Int32, as number: Int32, _ mode: EPOLL_EVENTS) -> Bool {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue | mode.rawValue
        event.data.fd = number
        return epoll_ctl(descriptor, EPOLL_CTL_ADD, watched, &event) == 0
    }
    #endif

    /// The numbers of the descriptors with new arrivals since the last call, at most 1,024.
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

    /// Whether the connection is open and has bytes that nobody has read yet.
    package var hasUnread: Bool {
        var count: Int32 = 0
        return isOpen && ioctl(descriptor, UInt(FIONREAD), &count) == 0 && count > 0
    }
}
