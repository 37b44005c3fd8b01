import BusProtocol
import ProcessControl
import TaskTree
import Testing

@testable import ProgressBusCommand

@Suite("A command as a command of ssh")
struct RemoteShellTests {
    private func words(
        _ command: [String],
        options: [String] = [],
        endpoint: String = "ipc:///run/bus"
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
            named: "/tmp/progressbus-1",
            hasTerminal: false
        ).map(\.text)
    }

    @Test("options of the person come before the machine, and nothing after it is one")
    func order() throws {
        let words = try words(["make", "-j8"], options: ["-i", "key"])
        #expect(words.first == "ssh")
        #expect(words.suffix(7).prefix(6) == ["-p", "2222", "-i", "key", "--", "ann@far"])
        #expect(words.last?.hasSuffix(" '1-6l7a6hib19npd' 'make' '-j8'") == true, "\(words)")
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
