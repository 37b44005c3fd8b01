import Foundation
import ProgressBus
import Testing

/// The examples of Tools/Examples, run as a service manager runs them.
@Suite("Example services", .serialized, .transcript, .timeLimit(.minutes(5)))
struct ExampleServiceTests {
    /// What `printf LINE | sha256sum` says.
    private static let digests = [
        "a": "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb",
        "b": "3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d",
    ]

    @Test("A service: a job for each batch, and after SIGTERM every ending is on the bus")
    func hashService() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let path = bus.path("hash.socket")
            let service = try bus.start(program: Programs.example("hash-service"), [path])
            try await eventually("it listens", instead: { service.errorOutput }) {
                FileManager.default.fileExists(atPath: path)
            }
            let done = try await LineClient.connect(to: path)
            done.send("3\na\nb\na\n1\nb\n")
            #expect(try await done.lines(4) == ["a", "b", "a", "b"].map { Self.digests[$0] })
            let half = try await LineClient.connect(to: path)
            half.send("3\na\n")
            #expect(try await half.lines(1) == [Self.digests["a"]])
            let stuck = try await bus.status("three batches, one at work") { report in
                report.jobs.map(\.state).sorted() == ["running", "succeeded", "succeeded"]
                    && report.jobs.contains { $0.state == "running" && $0.completed == 1 }
            }
            #expect(stuck.jobs.map(\.completed).reduce(0, +) == 5)
            #expect(Set(stuck.jobs.map(\.unit)) == ["lines"])
            // A batch that has arrived whole, with more answers than fit into a socket: the service
            // is in the middle of it until somebody reads them.
            let whole = try await LineClient.connect(to: path)
            whole.send("5000\n" + String(repeating: "b\n", count: 5_000))
            try await bus.status("a batch that waits for its reader") { report in
                report.jobs.contains { $0.total == 5_000 && $0.completed > 0 }
            }
            service.send(SIGTERM)
            let answers = try await whole.lines(5_000)
            #expect(answers.count == 5_000 && Set(answers) == [Self.digests["b"]])
            #expect(try await service.end() == .exited(0), "\(service.errorOutput)")
            #expect(!FileManager.default.fileExists(atPath: path))
            // Nothing is waited for here: the process has ended, so all has been acknowledged.
            let report = try await bus.status()
            let ledger = report.jobs.map {
                "\($0.title) \($0.state) \($0.completed)/\($0.total ?? -1)"
            }
            #expect(
                Set(ledger) == [
                    "Hash batch 1 succeeded 3/3", "Hash batch 2 succeeded 1/1",
                    "Hash batch 3 cancelled 1/3", "Hash batch 4 succeeded 5000/5000",
                ]
            )
            let reason = report.job(titled: "Hash batch 3")?.reason
            #expect(reason == "the batch was not sent to its end")
        }
    }

    @Test("A service: what is no batch is answered with an error, and a batch can be cancelled")
    func refusals() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let path = bus.path("hash.socket")
            let service = try bus.start(program: Programs.example("hash-service"), [path])
            try await eventually("it listens", instead: { service.errorOutput }) {
                FileManager.default.fileExists(atPath: path)
            }
            let wrong = try await LineClient.connect(to: path)
            wrong.send("0\n")
            #expect(
                try await wrong.lines(1) == ["error: say how many lines follow, 1 to 1000000"]
            )
            let batch = try await LineClient.connect(to: path)
            batch.send("100\na\n")
            #expect(try await batch.lines(1) == [Self.digests["a"]])
            try await bus.status("the batch") { $0.jobs.first?.completed == 1 }
            #expect(try await bus.run("cancel", "1").end == .exited(0))
            batch.send("a\na\n")
            try await eventually("it says so") {
                try batch.receive().contains("error: cancelled\n")
            }
            try await bus.status("cancelled") { $0.jobs.first?.state == "cancelled" }
            service.send(SIGINT)
            #expect(try await service.end() == .exited(0), "\(service.errorOutput)")
        }
    }

    @Test("A broker in a process with work of its own: others report to it, and it ends cleanly")
    func surveyBroker() async throws {
        try await withBus { bus in
            let directory = bus.path("surveyed")
            try FileManager.default.createDirectory(
                atPath: directory + "/below",
                withIntermediateDirectories: true
            )
            for name in ["one", "two", "below/three"] {
                try Data(repeating: 1, count: 100).write(
                    to: URL(fileURLWithPath: directory + "/" + name)
                )
            }
            let program = try bus.start(program: Programs.example("survey-broker"), [directory])
            try await eventually("it listens", instead: { program.errorOutput }) {
                bus.brokerPID == program.pid
            }
            try await eventually("two surveys", instead: { program.errorOutput }) {
                program.outputLines.count >= 2
            }
            #expect(Set(program.outputLines) == ["3 files, 300 bytes"])
            let worker = try bus.startReporter()
            worker.begin("w", "Work elsewhere", #""total":2"#)
            try await worker.sync()
            let report = try await bus.status("both") { report in
                report.job(titled: "Work elsewhere") != nil
                    && report.job(titled: "Survey \(directory)")?.state == "succeeded"
            }
            #expect(report.job(titled: "Survey \(directory)")?.completed == 4)

            program.send(SIGTERM)
            #expect(try await program.end() == .exited(0), "\(program.errorOutput)")
            #expect(!bus.isListening)
            // The next broker knows from the journal how the last survey has ended.
            _ = try await bus.startBroker("--linger", "600")
            let later = try await bus.status("the survey") { report in
                report.jobs.contains { $0.key == "survey" }
            }
            let states = Set(later.jobs.filter { $0.key == "survey" }.map(\.state))
            #expect(states.isSubset(of: ["succeeded", "cancelled"]), "\(later)")
            worker.end("w", "succeeded")
            #expect(try await worker.process.finish() == .exited(0))
        }
    }

    @Test(
        "accept4: the program's own, and the C library's for whoever embeds the broker",
        .enabled(if: Programs.isInstalled("nm")),
        .enabled(if: isLinux)
    )
    func accept() throws {
        #expect(try definesAccept(Programs.progressbus()))
        #expect(try !definesAccept(Programs.example("survey-broker")))
    }

    private func definesAccept(_ program: String) throws -> Bool {
        let symbols = Process()
        symbols.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        symbols.arguments = ["nm", "--dynamic", "--defined-only", program]
        let output = Pipe()
        symbols.standardOutput = output
        try symbols.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        symbols.waitUntilExit()
        try #require(symbols.terminationStatus == 0)
        return String(decoding: text, as: UTF8.self).split(separator: "\n")
            .contains { $0.hasSuffix(" accept4") }
    }

    private static var isLinux: Bool {
        #if os(Linux)
        true
        #else
        false
        #endif
    }
}
