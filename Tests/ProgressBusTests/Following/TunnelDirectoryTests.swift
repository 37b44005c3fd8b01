import Foundation
import Testing

@testable import ProgressBus

/// Directories for the sockets of tunnels, on the real file system.
struct TunnelDirectoryTests {
    @Test func `ssh removes its sockets at the same time: the directory is gone`() async throws {
        for _ in 0..<5 {
            let directory = try TunnelDirectory.make()
            let path = directory.path
            let names = (0..<2_000).map { "socket-\($0)" }
            for name in names {
                #expect(FileManager.default.createFile(atPath: path + "/" + name, contents: nil))
            }
            let ssh = Task.detached {
                for name in names { unlink(path + "/" + name) }
            }
            directory.remove()
            #expect(!FileManager.default.fileExists(atPath: path))
            await ssh.value
        }
    }

    @Test func `many begin at once: none removes the directory of another`() async throws {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try (0..<400).count { _ in
                        let directory = try TunnelDirectory.make()
                        return !FileManager.default.fileExists(atPath: directory.path + "/lock")
                    }
                }
            }
            for try await gone in group { #expect(gone == 0) }
        }
    }
}
