import Foundation
import Synchronization
import Testing

/// More connections than the broker's process may have: libzmq would end it.
@Suite("Descriptors", .serialized, .transcript, .timeLimit(.minutes(5)))
struct DescriptorTests {
    @Test("one process opens 2,000 connections and says nothing: it loses them, others come and go")
    func oneProcess() async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker(withFiles: 256)
            let worker = try bus.startReporter()
            worker.begin("job", "Good", #""total":1000000"#)
            try await worker.sync()
            let crowd = ConnectionCrowd(bus.socketDirectory)
            defer { crowd.close() }
            for round in 1...5 {
                _ = try await onOwnThread { crowd.open(round == 1 ? 2_000 : 400) }
                try await eventually("a process is cut", instead: { broker.errorOutput }) {
                    broker.errorOutput.contains("lost its newest connections")
                }
                worker.say(#"{"op":"advance","id":"job","by":1}"#)
                try await worker.sync()
                let later = try bus.startReporter()
                later.begin("job", "Later \(round)")
                try await later.sync()
                try await bus.status("both") { report in
                    report.job(titled: "Good")?.completed == round
                        && report.job(titled: "Later \(round)")?.state == "running"
                }
            }
            #expect(broker.endIfAny() == nil, "the broker has ended")
            #expect(worker.process.errorOutput.isEmpty, "it has lost nothing")
        }
    }

    @Test("more connections of many processes than a broker may have files: it lives, they stay")
    func tooManyConnections() async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker(withFiles: 256)
            let worker = try bus.startReporter()
            worker.begin("job", "Good", #""total":1000000"#)
            try await worker.sync()
            // Fewer of each than the 40 that it may have whatever the others have.
            let crowds = try (0..<7).map { _ in try bus.startCrowd(of: 30) }
            try await eventually("the broker says that there are too many") {
                broker.errorOutput.contains("too many connections") ? true : nil
            }
            let crowd = ConnectionCrowd(bus.socketDirectory)
            #expect(try await onOwnThread { crowd.open(100) } == 0, "the others find nobody")
            for _ in 0..<10 {
                worker.say(#"{"op":"advance","id":"job","by":1}"#)
                try await worker.sync()
                _ = try await onOwnThread { crowd.open(100) }
            }
            #expect(broker.endIfAny() == nil, "the broker has ended")
            #expect(!broker.errorOutput.contains("lost its newest"), "\(broker.errorOutput)")
            crowd.close()
            for crowd in crowds { crowd.closeInput() }
            try await eventually("the broker lets others in again") {
                broker.errorOutput.contains("taken again") ? true : nil
            }
            let later = try bus.startReporter()
            later.begin("job", "Later")
            try await later.sync()
            try await bus.status("both") { report in
                report.job(titled: "Good")?.completed == 10 && report.job(titled: "Later") != nil
            }
            #expect(broker.endIfAny() == nil, "the broker has ended")
        }
    }

    /// What happens when the broker gets no time to close its door before descriptors run out.
    @Test(
        "connections when no descriptor is left: turned away, and let in when there is room",
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: "/usr/bin/prlimit"),
            "prlimit, of util-linux, sets the limit of a process that runs"
        )
    )
    func noDescriptorLeft() async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker(withFiles: 4_096)
            let worker = try bus.startReporter()
            worker.begin("job", "Good", #""total":1000000"#)
            try await worker.sync()
            let crowd = ConnectionCrowd(bus.socketDirectory)
            // Below what it has open, and the door closes at thousands.
            try setFileLimit(of: broker.pid, to: 12)
            for _ in 0..<5 {
                _ = try await onOwnThread { crowd.open(100) }
                worker.say(#"{"op":"advance","id":"job","by":1}"#)
                try await worker.sync()
            }
            #expect(broker.endIfAny() == nil, "the broker has ended")
            try setFileLimit(of: broker.pid, to: 4_096)
            let later = try bus.startReporter()
            later.begin("job", "Later")
            try await later.sync()
            try await bus.status("both") { report in
                report.job(titled: "Good")?.completed == 5 && report.job(titled: "Later") != nil
            }
        }
    }

    /// The thread's wake-up, libzmq's context (which would end the process) and its sockets.
    @Test(
        "a worker begins where hardly a descriptor is left: it says so once, reports later",
        arguments: [0, 1, 4, 8, 12, 14]
    )
    func workerWithoutDescriptors(free: Int) async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let worker = try bus.start(program: Programs.busWorker(), ["scarce", "\(free)"])
            try await eventually(
                "it works",
                instead: { "\(String(describing: worker.endIfAny())) \(worker.errorOutput)" }
            ) {
                worker.output.contains("begun")
            }
            if free < 12 {
                try await eventually("it says so", instead: { worker.errorOutput }) {
                    worker.errorOutput.contains("tried again")
                }
            }
            // Some more attempts.
            try await Task.sleep(for: .seconds(1))
            #expect(worker.endIfAny() == nil, "\(worker.errorOutput)")
            worker.write("\n")
            try await bus.status("it is there") {
                $0.job(titled: "Scarce \(free)")?.completed == 1
            }
            worker.closeInput()
            #expect(try await worker.end() == .exited(0))
            #expect(worker.output.contains("acknowledged true"), "\(worker.output)")
            let warnings = worker.errorOutput.split(separator: "\n")
            #expect(Set(warnings.map { $0.drop { $0 != "]" } }).count == warnings.count)
            #expect(warnings.count <= 2, "\(warnings)")
        }
    }

    @Test(
        "commands that have too few descriptors end with words",
        arguments: ["status", "watch --once", "cancel key:x", "doctor", "begin x"],
        [6, 8, 12]
    )
    func commandWithoutDescriptors(command: String, files: Int) async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let program = try Programs.progressbus()
            let child = try bus.start(
                program: "/bin/sh",
                ["-c", "ulimit -n \(files) && exec \(program) \(command)"]
            )
            let end = try await child.finish()
            guard case .exited(let status) = end else {
                Issue.record("\(end): \(child.errorOutput)")
                return
            }
            let words = child.output + child.errorOutput
            #expect(status == 0 || words.contains("ulimit -n"), "\(status): \(words)")
        }
    }

    private func setFileLimit(of process: Int32, to files: Int) throws {
        let prlimit = Process()
        prlimit.executableURL = URL(fileURLWithPath: "/usr/bin/prlimit")
        prlimit.arguments = ["--pid", "\(process)", "--nofile=\(files):"]
        try prlimit.run()
        prlimit.waitUntilExit()
        try #require(prlimit.terminationStatus == 0)
    }
}

extension TemporaryBus {
    /// Starts a broker whose process may have so many files open.
    fileprivate func startBroker(withFiles limit: Int) async throws -> ChildProcess {
        let broker = try start(
            program: "/bin/sh",
            [
                "-c", #"ulimit -n "$1" && shift && exec "$@""#, "sh", "\(limit)",
                try Programs.progressbus(), "broker", "--idle-exit", "300",
            ]
        )
        try await eventually("the broker listens", instead: { broker.errorOutput }) {
            self.brokerPID == broker.pid
        }
        return broker
    }

    /// Starts a process with so many connections, as far as it finds anybody; until its input ends.
    fileprivate func startCrowd(of count: Int) throws -> ChildProcess {
        let script = """
            import socket, sys
            kinds = {"control": b"DEALER", "updates": b"SUB", "reports": b"XPUB"}
            held = []
            for number in range(int(sys.argv[2])):
                name = sorted(kinds)[number % 3]
                held.append(socket.socket(socket.AF_UNIX))
                try:
                    held[-1].connect(sys.argv[1] + "/" + name)
                    ready = b"\\x05READY\\x0bSocket-Type" + len(kinds[name]).to_bytes(4, "big") + kinds[name]
                    held[-1].sendall(
                        b"\\xff" + bytes(8) + b"\\x7f\\x03\\x00NULL" + bytes(48)
                        + bytes([4, len(ready)]) + ready
                    )
                except OSError:
                    pass
            sys.stdin.read()
            """
        return try start(
            program: "/usr/bin/env",
            ["python3", "-c", script, socketDirectory, "\(count)"]
        )
    }
}

/// Connections that greet as ZeroMQ does and then say nothing, from one that never reads.
private final class ConnectionCrowd: Sendable {
    private let descriptors = Mutex<[Int32]>([])
    private let paths: [String]

    init(_ directory: String) {
        paths = ["control", "updates", "reports"].map { directory + "/" + $0 }
    }

    /// Opens so many more, as far as somebody takes them; returns how many were taken.
    func open(_ count: Int) -> Int {
        var arrived = 0
        for number in 0..<count {
            let descriptor = HostilePeer.connection(to: paths[number % paths.count])
            guard descriptor >= 0 else { continue }
            arrived += 1
            descriptors.withLock { $0.append(descriptor) }
            let name = Array("Socket-Type".utf8)
            let kind = Array(["DEALER", "SUB", "XPUB"][number % paths.count].utf8)
            let ready =
                [5] + Array("READY".utf8) + [UInt8(name.count)] + name
                + [0, 0, 0, UInt8(kind.count)] + kind
            let bytes = HostilePeer.greeting + [4, UInt8(ready.count)] + ready
            _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        }
        return arrived
    }

    func close() {
        descriptors.withLock { descriptors in
            for descriptor in descriptors { _ = Foundation.close(descriptor) }
            descriptors = []
        }
    }
}
