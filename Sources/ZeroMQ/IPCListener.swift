import CLibrary

/// Whether a process listens on the socket of an ipc address.
package enum IPCListenerState: Equatable, Sendable {
    /// Somebody accepts connections.
    case listening
    /// There is no such socket (`ENOENT`), or its process is gone (`ECONNREFUSED`).
    case nothing(ZeroMQError)
    /// Could not be found out, for instance for lack of permission.
    case unknown(ZeroMQError)
}

/// Asks the system by connect(2), without a context and without waiting.
///
/// A listener sees a connection that closes at once. On a system that says `ECONNREFUSED` for a
/// full backlog (macOS), a listener that does not accept counts as nothing.
package func ipcListenerState(path: String) -> IPCListenerState {
    #if canImport(Darwin)
    let kind = SOCK_STREAM
    #else
    let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    let probe = socket(AF_UNIX, kind, 0)
    guard probe >= 0 else {
        return .unknown(ZeroMQError(code: errno, call: "socket"))
    }
    defer { close(probe) }
    _ = fcntl(probe, F_SETFD, FD_CLOEXEC)
    _ = fcntl(probe, F_SETFL, O_NONBLOCK)

    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    // The last byte stays zero.
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path), !bytes.contains(0) else {
        return .unknown(
            ZeroMQError(code: ZeroMQError.nameTooLong, call: "connect", subject: path)
        )
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }

    let result = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(probe, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
    if result == 0 {
        return .listening
    }
    let error = ZeroMQError(code: errno, call: "connect", subject: path)
    switch error.code {
    // A full backlog: somebody listens and has much to do.
    case ZeroMQError.again: return .listening
    case ZeroMQError.noSuchFile, ZeroMQError.connectionRefused: return .nothing(error)
    default: return .unknown(error)
    }
}
