import Foundation
import Synchronization

/// Passes one connection on to a port of the loopback, and keeps what the client has said.
final class TCPRelay: Sendable {
    /// Where it listens.
    let port: Int
    private let target: Int
    private let recorded = Mutex<[UInt8]>([])

    struct Failure: Error {}

    init(to target: Int) throws {
        self.target = target
        let listener = socket(AF_INET, Self.stream, 0)
        var address = Self.address(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 4) == 0
                    && getsockname(listener, $0, &size) == 0
            }
        }
        guard isBound else { throw Failure() }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in
            let client = accept(listener, nil, nil)
            close(listener)
            guard let server = try? connected() else { return }
            Thread.detachNewThread { Self.pass(from: server, to: client) { _ in } }
            Self.pass(from: client, to: server) { bytes in
                self.recorded.withLock { $0 += bytes }
            }
            close(client)
            close(server)
        }
    }

    /// Says all of it once more, and waits until the broker has closed; returns how much it was.
    func replay() throws -> Int {
        let server = try connected()
        defer { close(server) }
        let bytes = recorded.withLock { $0 }
        _ = write(server, bytes, bytes.count)
        var patience = timeval(tv_sec: 2, tv_usec: 0)
        setsockopt(
            server,
            SOL_SOCKET,
            SO_RCVTIMEO,
            &patience,
            socklen_t(MemoryLayout<timeval>.size)
        )
        var room = [UInt8](repeating: 0, count: 4_096)
        while read(server, &room, room.count) > 0 {}
        return bytes.count
    }

    private func connected() throws -> Int32 {
        let descriptor = socket(AF_INET, Self.stream, 0)
        var address = Self.address(target)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { throw Failure() }
        return descriptor
    }

    private static func pass(from source: Int32, to target: Int32, _ keep: ([UInt8]) -> Void) {
        var room = [UInt8](repeating: 0, count: 4_096)
        while case let count = read(source, &room, room.count), count > 0 {
            keep(Array(room[..<count]))
            _ = write(target, room, count)
        }
        shutdown(target, Int32(SHUT_WR))
    }

    private static func address(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return address
    }

    #if canImport(Darwin)
    private static let stream = SOCK_STREAM
    #else
    private static let stream = Int32(SOCK_STREAM.rawValue)
    #endif
}
