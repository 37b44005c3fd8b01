import Foundation

/// What the system says when a socket cannot be had.
struct SocketError: Error, CustomStringConvertible {
    let description: String

    init(_ what: String, _ path: String) {
        description = "\(what) \(path): \(String(cString: strerror(errno)))"
    }
}

/// A socket at a path, to which others connect.
final class LineListener: Sendable {
    private let descriptor: Int32
    private let path: String

    init(path: String) throws(SocketError) {
        self.path = path
        descriptor = socket(AF_UNIX, Self.stream, 0)
        guard descriptor >= 0 else { throw SocketError("cannot make a socket for", path) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard bytes.count < room else {
            errno = ENAMETOOLONG
            throw SocketError("cannot listen at", path)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        // What an earlier one has left behind; one that still runs loses its name.
        unlink(path)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard isBound == 0, listen(descriptor, 64) == 0 else {
            throw SocketError("cannot listen at", path)
        }
    }

    deinit {
        close(descriptor)
    }

    /// Waits for somebody; `nil` once stopped.
    func accept() -> LineConnection? {
        while true {
            #if canImport(Glibc)
            let peer = Glibc.accept(descriptor, nil, nil)
            #elseif canImport(Musl)
            let peer = Musl.accept(descriptor, nil, nil)
            #else
            let peer = Darwin.accept(descriptor, nil, nil)
            #endif
            if peer >= 0 { return LineConnection(peer) }
            guard errno == EINTR || errno == ECONNABORTED else { return nil }
        }
    }

    /// Lets whoever waits in `accept` return.
    func stop() {
        unlink(path)
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    #if canImport(Darwin)
    private static let stream = SOCK_STREAM
    #else
    private static let stream = Int32(SOCK_STREAM.rawValue)
    #endif
}

/// A connection that carries lines; read by one thread, stopped by any.
///
/// Unchecked: only the thread that serves the connection touches the buffer.
final class LineConnection: @unchecked Sendable {
    /// A line that is longer ends the connection.
    private static let lineLimit = 65_536

    private let descriptor: Int32
    private var buffer: ArraySlice<UInt8> = []

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Waits for a line; `nil` at the end, after a line that is too long, and once stopped.
    func readLine() -> String? {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                defer { buffer = buffer[(end + 1)...] }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            guard buffer.count < Self.lineLimit else { return nil }
            var chunk = [UInt8](repeating: 0, count: 16_384)
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            buffer = buffer + chunk[..<count]
        }
    }

    /// Whether all of it was taken; waits for a peer that reads slowly.
    @discardableResult
    func write(_ text: String) -> Bool {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            // A peer that has gone is an answer here, and not a signal that ends the process.
            let count = bytes.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Self.noSignal)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            bytes = bytes.dropFirst(count)
        }
        return true
    }

    /// What has arrived is still read; then comes the end.
    func stopReading() {
        shutdown(descriptor, Int32(SHUT_RD))
    }

    #if canImport(Darwin)
    private static let noSignal: Int32 = 0
    #else
    private static let noSignal = Int32(MSG_NOSIGNAL)
    #endif
}
