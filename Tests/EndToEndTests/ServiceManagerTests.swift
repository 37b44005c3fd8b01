import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A broker as a service of `Type=notify`, as the unit of the Debian package starts it.
@Suite("Service manager", .transcript, .timeLimit(.minutes(5)))
struct ServiceManagerTests {
    @Test("The manager hears when the broker listens and when it leaves")
    func notifies() async throws {
        try await withBus { bus in
            let path = bus.path("notify")
            let manager = try Self.listen(at: path)
            defer { close(manager) }
            let broker = try bus.start(
                program: Programs.progressbus(),
                ["broker"],
                adding: ["NOTIFY_SOCKET": path]
            )
            let ready = try await eventually("it is ready") { Self.message(on: manager) }
            #expect(ready.split(separator: "\n").contains("READY=1"), "\(ready)")
            // So it does: nothing has to be waited for.
            #expect(try await bus.run("status").end == .exited(0))
            broker.send(SIGTERM)
            let stopping = try await eventually("it leaves") { Self.message(on: manager) }
            #expect(stopping.split(separator: "\n").contains("STOPPING=1"), "\(stopping)")
            #expect(try await broker.end() == .exited(0))
        }
    }

    /// A socket for datagrams, as systemd has one.
    private static func listen(at path: String) throws -> Int32 {
        #if canImport(Darwin)
        let kind = SOCK_DGRAM
        #else
        let kind = Int32(SOCK_DGRAM.rawValue)
        #endif
        let descriptor = socket(AF_UNIX, kind, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        try #require(descriptor >= 0 && result == 0, "\(path): \(errno)")
        return descriptor
    }

    private static func message(on descriptor: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }
}
