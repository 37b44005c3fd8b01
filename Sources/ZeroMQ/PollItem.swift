import CZeroMQ

/// Something to wait for: a socket of libzmq or a file descriptor.
///
/// Belongs to the thread of its socket.
package struct PollItem {
    private enum Source {
        case socket(SocketHandle)
        case descriptor(Int32)
    }

    private let source: Source

    /// Whether the last `poll` found something to read.
    ///
    /// Also true for a descriptor that has failed, or whose other end is gone; the next read tells
    /// which.
    package fileprivate(set) var isReadable = false

    init(socket: SocketHandle) {
        source = .socket(socket)
    }

    private init(source: Source) {
        self.source = source
    }

    /// Waits for a file descriptor to become readable; the caller keeps it open.
    package static func descriptor(_ descriptor: Int32) -> PollItem {
        PollItem(source: .descriptor(descriptor))
    }

    fileprivate func forCall() throws(ZeroMQError) -> zmq_pollitem_t {
        switch source {
        case .socket(let handle):
            zmq_pollitem_t(socket: try handle.open(), fd: -1, events: Self.readable, revents: 0)
        case .descriptor(let descriptor):
            zmq_pollitem_t(socket: nil, fd: descriptor, events: Self.readable, revents: 0)
        }
    }

    private static let readable = Int16(ZMQ_POLLIN)
    fileprivate static let readableOrFailed = Int16(ZMQ_POLLIN | ZMQ_POLLERR)
}

/// Waits until an item is readable or the time is over; marks the readable items.
///
/// A timeout of 0 does not wait, and -1 waits without limit. Returns the number of readable items;
/// 0 also if a signal came first.
///
/// Throws `contextTerminated` when the context of a socket was shut down, also while waiting.
package func poll(
    _ items: inout [PollItem],
    timeout milliseconds: Int
) throws(ZeroMQError) -> Int {
    var raw: [zmq_pollitem_t] = []
    raw.reserveCapacity(items.count)
    for index in items.indices {
        items[index].isReadable = false
        raw.append(try items[index].forCall())
    }
    let ready = try raw.withUnsafeMutableBufferPointer { buffer throws(ZeroMQError) in
        try Calls.waitForEvents(buffer, milliseconds: milliseconds)
    }
    guard ready > 0 else { return 0 }
    for index in items.indices {
        items[index].isReadable = raw[index].revents & PollItem.readableOrFailed != 0
    }
    return ready
}
