import BusProtocol
import Foundation
import ProcessControl
import TaskTree
import Testing

@testable import ProgressBusCommand

@Suite("A command as a command of ssh")
struct RemoteShellTests {
    private func words(
        _ command: [String],
        options: [String] = [],
        endpoint: String = "ipc:///run/bus",
        named name: String = "/tmp/progressbus-1"
    ) throws -> [String] {
        let shell = RemoteShell(
            machine: try RemoteBus(machine: "ann@far:2222"),
            options: options.map { SystemString($0) },
            bus: try BusEndpoint(parsing: endpoint)
        )
        let task = try #require(TaskID("1-6l7a6hib19npd"))
        return shell.words(
            for: command.map { SystemString($0) },
            as: task,
            named: name,
            hasTerminal: false
        ).map(\.text)
    }

    @Test("options of the person come before the machine, and nothing after it is one")
    func order() throws {
        let words = try words(["make", "-j8"], options: ["-i", "key"])
        #expect(words.first == "ssh")
        let near = ["-p", "2222", "-i", "key", "-o", "ServerAliveInterval=5", "-o"]
        #expect(words.suffix(11).prefix(7) == near[...], "ssh takes the first of two")
        #expect(words.suffix(3).prefix(2) == ["--", "ann@far"])
        #expect(words.last?.hasSuffix(" '1-6l7a6hib19npd' 'far' 'make' '-j8'") == true, "\(words)")
    }

    @Test("where the connection has gone before the shell there began, it ends and leaves nothing")
    func orphan() async throws {
        let name = "/tmp/progressbus-test.\(getpid())"
        let line = try #require(try words(["touch", name + ".ran"], named: name).last)
        #expect(FileManager.default.createFile(atPath: name + ".control", contents: nil))
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", "(sleep 0.2; \(line)) >/dev/null 2>&1 & echo $!"]
        let pipe = Pipe()
        shell.standardOutput = pipe
        try shell.run()
        shell.waitUntilExit()
        let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let pid = try #require(Int32(said.trimmingCharacters(in: .whitespacesAndNewlines)))
        for _ in 0..<200 where kill(pid, 0) == 0 { try await Task.sleep(for: .milliseconds(50)) }
        #expect(kill(pid, 0) != 0, "it has ended")
        for end in [".control", ".ran", ""] {
            #expect(!FileManager.default.fileExists(atPath: name + end), "\(end)")
        }
    }

    @Test("every word is quoted, whatever a shell would make of it")
    func quoting() throws {
        let line = try #require(try words(["it's", "$x", "", "a b"]).last)
        #expect(line.hasSuffix(#" 'it'\''s' '$x' '' 'a b'"#), "\(line)")
    }

    @Test(
        "the three sockets of the bus are forwarded",
        arguments: [
            ("ipc:///run/bus", ["/run/bus/control", "/run/bus/reports", "/run/bus/updates"]),
            ("tcp://127.0.0.1:5000", ["127.0.0.1:5000", "127.0.0.1:5002", "127.0.0.1:5001"]),
        ]
    )
    func sockets(endpoint: String, targets: [String]) throws {
        let words = try words(["true"], endpoint: endpoint)
        let forwarded = words.indices.filter { words[$0] == "-R" }.map { words[$0 + 1] }
        #expect(forwarded.count == 3)
        for (words, target) in zip(forwarded, targets) {
            #expect(
                words.hasPrefix("/tmp/progressbus-") && words.hasSuffix(":" + target),
                "\(words)"
            )
        }
    }
}
