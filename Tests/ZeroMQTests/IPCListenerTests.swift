import Foundation
import Testing

@testable import ZeroMQ

@Suite struct IPCListenerTests {
    let directory: SocketDirectory

    init() throws {
        directory = try SocketDirectory()
    }

    @Test func `a bound socket listens, with and without peers`() throws {
        let socket = try ZeroMQSocket(.router, in: ZeroMQContext())
        try socket.bind(directory.address("control"))
        #expect(ipcListenerState(path: directory.path("control")) == .listening)
        #expect(ipcListenerState(path: directory.path("control")) == .listening)
    }

    @Test func `nobody listens where there is no socket`() {
        let state = ipcListenerState(path: directory.path("control"))
        guard case .nothing(let error) = state else {
            Issue.record("\(state)")
            return
        }
        #expect(error.code == ZeroMQError.noSuchFile)
    }

    @Test func `nobody listens on the socket that a dead process left`() throws {
        let path = directory.path("control")
        try leaveStaleSocket(at: path)
        #expect(FileManager.default.fileExists(atPath: path))
        let state = ipcListenerState(path: path)
        guard case .nothing(let error) = state else {
            Issue.record("\(state)")
            return
        }
        #expect(error.code == ZeroMQError.connectionRefused)
    }

    @Test func `a listener with a full backlog listens`() throws {
        let path = directory.path("busy")
        let listener = try boundSocket(at: path)
        defer { close(listener) }
        try #require(listen(listener, 0) == 0)
        #if os(Linux)
        // Each probe stays in the backlog, as nobody accepts it.
        for _ in 0..<10 {
            #expect(ipcListenerState(path: path) == .listening)
        }
        #endif
    }

    @Test func `a path that no socket can have is told from nothing`() {
        let path = "/tmp/" + String(repeating: "x", count: 200)
        #expect(
            ipcListenerState(path: path)
                == .unknown(
                    ZeroMQError(code: ZeroMQError.nameTooLong, call: "connect", subject: path)
                )
        )
    }

    private func leaveStaleSocket(at path: String) throws {
        close(try boundSocket(at: path))
    }

    private func boundSocket(at path: String) throws -> Int32 {
        #if canImport(Darwin)
        let kind = SOCK_STREAM
        #else
        let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        let bound = socket(AF_UNIX, kind, 0)
        try #require(bound >= 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(bound, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0)
        return bound
    }
}
