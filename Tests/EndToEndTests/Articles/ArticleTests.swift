import Foundation
import ProgressBus
import ProgressBusFoundation
import Testing

/// What the articles show is code that is compiled, and commands that work.
@Suite("Articles", .serialized, .transcript, .timeLimit(.minutes(5)))
struct ArticleTests {
    private static let languages: Set = ["sh", "swift", "text"]
    /// What blocks may say that they need.
    private static let laterCommands: Set = ["run", "begin", "update", "advance", "end"]

    @Test("Every block of code says what a test does with it", arguments: Article.names)
    func marked(name: String) throws {
        let article = try Article(name)
        #expect(!article.blocks.isEmpty)
        for block in article.blocks {
            #expect(Self.languages.contains(block.language), "\(block.text)")
            let isMarked =
                switch block.language {
                case "sh": block.neededCommands != nil || block.isBroker
                case "text": block.isScreen
                default: block.source != nil
                }
            #expect(isMarked, "\(name): no test looks at\n\(block.text)")
        }
    }

    @Test("Swift that is shown stands in a file that is compiled", arguments: Article.names)
    func compiled(name: String) throws {
        for block in try Article(name).blocks {
            guard let path = block.source else { continue }
            let source = try String(
                contentsOf: Article.package.appending(path: path),
                encoding: .utf8
            )
            #expect(
                Self.trimmed(source).contains(Self.trimmed(block.text)),
                "\(name) shows what \(path) does not have:\n\(block.text)"
            )
        }
    }

    @Test("Commands that are shown work, in the order of the page", arguments: Article.names)
    func run(name: String) async throws {
        let article = try Article(name)
        try await withBus { bus in
            let commands = try await self.commands(on: bus)
            _ = try await bus.startBroker("--linger", "600")
            // What the pages assume to be on the board.
            let worker = try bus.startReporter()
            worker.begin("a", "Nightly", #""key":"nightly","cancellable":true,"pausable":true"#)
            try await worker.sync()
            let isElsewhere = name == "OtherMachines"
            guard !isElsewhere || RemoteMachine.isPossible else { return }
            let machine = isElsewhere ? try await RemoteMachine.start(on: bus) : nil
            let port = FreePort.any()
            for block in article.blocks {
                if block.isBroker {
                    try await startBroker(block.text, port: port, on: bus)
                    continue
                }
                guard let needed = block.neededCommands else { continue }
                #expect(Self.laterCommands.isSuperset(of: needed), "\(name): \(needed)")
                // A build without these commands cannot try what is said of them.
                guard commands.isSuperset(of: needed) else { continue }
                let result = try await shell(block, on: bus, machine)
                #expect(result.end == .exited(0), "\(name):\n\(block.text)\n\(result)")
                #expect(!result.output.contains("Error"), "\(result)")
            }
            let report = try await bus.status()
            #expect(report.allTasks.allSatisfy { $0.state != "lost" }, "\(report)")
            worker.end("a", "succeeded")
            #expect(try await worker.process.finish() == .exited(0))
        }
    }

    @Test("The Swift of the articles does what they say")
    func snippets() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let client = bus.client()
            let job = client.beginJob("Rebuild the index", total: 1)
            let progress = Progress(totalUnitCount: 3)
            Snippets.mirror(progress, NSLock(), under: job, bus: client)
            progress.completedUnitCount = 3
            client.settleMirrors()
            job.succeed()
            #expect(await client.close(timeout: .seconds(20)))
            let report = try await bus.status()
            let shown = try #require(report.job(titled: "Rebuild the index"))
            #expect(shown.fraction == 1 && shown.counts.succeeded == 1, "\(report)")
        }
    }

    /// The commands that this build has.
    private func commands(on bus: TemporaryBus) async throws -> Set<String> {
        struct Help: Decodable {
            struct Command: Decodable {
                var commandName: String
                var subcommands: [Command]?
            }
            var command: Command
        }
        let dump = try await bus.run("--experimental-dump-help")
        let help = try JSONDecoder().decode(Help.self, from: Data(dump.output.utf8))
        return Set((help.command.subcommands ?? []).map(\.commandName))
    }

    /// Starts what a block says at an address of this test alone; it ends with the bus.
    private func startBroker(_ text: String, port: Int, on bus: TemporaryBus) async throws {
        let text = text.replacing("0.0.0.0:7700", with: "127.0.0.1:\(port)")
        let broker = try start("exec " + text, home: "home", on: bus, nil)
        try await eventually("the broker listens", instead: { broker.errorOutput }) {
            broker.errorOutput.contains("listening")
        }
    }

    /// Runs a block as somebody does who has installed the program, in a directory of the test.
    private func shell(
        _ block: Article.Block,
        on bus: TemporaryBus,
        _ machine: RemoteMachine?
    ) async throws -> CommandResult {
        let home = block.isElsewhere ? "other-home" : "home"
        let child = try start(block.text, home: home, on: bus, machine)
        let end = try await child.finish(within: .seconds(60))
        return CommandResult(end: end, output: child.output, errorOutput: child.errorOutput)
    }

    /// Starts a shell; files are in the same directory whoever runs it.
    private func start(
        _ text: String,
        home: String,
        on bus: TemporaryBus,
        _ machine: RemoteMachine?
    ) throws -> ChildProcess {
        let directory = bus.path("files")
        for path in [directory, bus.path(home)] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        let programs = (try Programs.progressbus() as NSString).deletingLastPathComponent
        return try bus.start(
            program: "/bin/bash",
            ["-euo", "pipefail", "-c", "cd '\(directory)'\n" + text],
            adding: [
                "HOME": bus.path(home),
                "PATH": [machine?.programs, programs, "/usr/local/bin:/usr/bin:/bin"]
                    .compactMap { $0 }.joined(separator: ":"),
            ]
        )
    }

    /// The lines without their indentation and without empty ones.
    private static func trimmed(_ text: String) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
    }
}
