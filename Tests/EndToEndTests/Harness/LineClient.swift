import Foundation
import Synchronization

/// A connection to a Unix socket that carries lines; waits for nothing but the connection.
final class LineClient: Sendable {
    private let descriptor: Int32
    private let received = Mutex("")

    struct Failed: Error {
        var what: String
        var code: Int32
    }

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Connects as soon as somebody listens at a path.
    static func connect(to path: String) async throws -> LineClient {
        try await eventually("somebody listens at \(path)") {
            let descriptor = try open(path)
            return descriptor >= 0 ? LineClient(descriptor) : nil
        }
    }

    /// Sends a text; a peer that has gone is no error here.
    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Foundation.send(descriptor, bytes, bytes.count, Self.noSignal)
    }

    /// All that has come so far.
    func receive() throws -> String {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &chunk, chunk.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { return received.withLock { $0 } }
            received.withLock { $0 += String(decoding: chunk[..<count], as: UTF8.self) }
        }
    }

    /// So many lines, and no more of them, as soon as they are there; taken away.
    func lines(_ count: Int) async throws -> [String] {
        try await eventually(
            "\(count) lines",
            within: .seconds(60),
            instead: { String(self.received.withLock { $0 }.suffix(500)) }
        ) {
            guard try self.receive().utf8.count(where: { $0 == UInt8(ascii: "\n") }) >= count else {
                return nil
            }
            return self.received.withLock { text in
                defer { text = "" }
                return text.split(separator: "\n").map(String.init)
            }
        }
    }

    #if canImport(Darwin)
    private static let noSignal: Int32 = 0
    private static let stream = SOCK_STREAM
    #else
    private static let noSignal = Int32(MSG_NOSIGNAL)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    #endif

    /// The descriptor of a connection, or -1 while nobody listens.
    private static func open(_ path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, stream, 0)
        guard descriptor >= 0 else { throw Failed(what: "socket", code: errno) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if result == 0 { return descriptor }
        close(descriptor)
        return -1
    }
}
