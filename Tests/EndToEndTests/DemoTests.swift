import Foundation
import TestSupport
import Testing

/// The main job on a directory with everything that makes names and files hard.
@Suite("The demo", .serialized, .transcript, .timeLimit(.minutes(5)))
struct DemoTests {
    @Test("Its checksums are accepted, the tree is complete, and --no-report does the same work")
    func demo() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            // So large that its checksum takes several ticks on any machine: what begins and ends
            // within one is folded into its parent.
            let tree = try FileTree(at: bus.path("files"), files: 300, largeFile: 200 << 20)
            let file = bus.path("with bus.sha256")
            let demo = try await bus.run(
                "demo",
                tree.path,
                "--workers",
                "3",
                "--output",
                file,
                within: .seconds(120)
            )
            #expect(demo.end == .exited(0), "\(demo)")
            #expect(demo.output.contains("\(tree.count) files"), "\(demo)")
            let lines = try Self.lines(of: file)
            #expect(lines.count == tree.count)
            #expect(try await Self.verify(file, on: bus) == .exited(0))

            let report = try await bus.status("the job") { $0.jobs.first?.state == "succeeded" }
            let job = report.jobs[0]
            #expect(job.fraction == 1 && job.counts.failed + job.counts.lost == 0)
            let pids = Set(job.subtree.compactMap(\.process?.pid))
            #expect(pids.count == 4, "the demo and three workers")
            #expect(job.subtree.contains { $0.title.contains("large") }, "its own grandchild")
            #expect(job.subtree.allSatisfy { $0.attempt == 1 })

            let other = bus.path("without bus.sha256")
            let silent = try await bus.run(
                "demo",
                tree.path,
                "--workers",
                "2",
                "--output",
                other,
                "--no-report",
                within: .seconds(120)
            )
            #expect(silent.end == .exited(0), "\(silent)")
            #expect(try Self.lines(of: other).sorted() == lines.sorted())
            #expect(try await bus.status().jobs.count == 1, "it said nothing to the bus")
        }
    }

    @Test("A result in the directory that it is about, reached by a link: not one of the files")
    func ownResult() async throws {
        try await withBus { bus in
            let tree = try FileTree(at: bus.path("files"), files: 20, largeFile: 1 << 10)
            let link = bus.path("link")
            try FileManager.default.createSymbolicLink(
                atPath: link,
                withDestinationPath: tree.path
            )
            let sums = tree.path + "/sums"
            for _ in 1...2 {
                let demo = try await bus.run("demo", link, "--output", sums, "--no-report")
                #expect(demo.end == .exited(0), "\(demo)")
                #expect(try Self.lines(of: sums).count == tree.count)
                #expect(try await Self.verify(sums, on: bus) == .exited(0))
            }
        }
    }

    @Test("Behind a pipe it prints plain lines and ends, also when it has to start a broker")
    func pipe() async throws {
        try await withBus { bus in
            let tree = try FileTree(at: bus.path("files"), files: 50, largeFile: 1 << 20)
            let script = #""$0" demo "$1" --workers 2 --output "$2" | cat; exit "${PIPESTATUS:-0}""#
            let shell = try bus.start(
                program: "/bin/sh",
                ["-c", script, Programs.progressbus(), tree.path, bus.path("sums")]
            )
            #expect(try await shell.finish(within: .seconds(120)) == .exited(0))
            #expect(shell.output.contains("\(tree.count) files"), "\(shell.output)")
            #expect(!shell.output.contains("\u{1B}"))
            #expect(shell.output.split(separator: "\n").count > 3, "it is watched live")
            #expect(bus.brokerPID != nil)
            #expect(try await Self.verify(bus.path("sums"), on: bus) == .exited(0))
        }
    }

    @Test("Files that change while they are read or cannot be read are named and left out")
    func leftOut() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let tree = try FileTree(at: bus.path("files"), files: 40, largeFile: 20 << 20)
            let changing = tree.path + "/sub/a changing file"
            try Data(repeating: 7, count: 20 << 20).write(to: URL(fileURLWithPath: changing))
            var secret: String?
            if getuid() == 0 {
                // Nothing is unreadable for root.
                print("as root: the case of a file without permission is left out")
            } else {
                secret = tree.path + "/secret"
                try Data([1]).write(to: URL(fileURLWithPath: secret ?? ""))
                chmod(secret ?? "", 0)
            }
            let demo = try bus.start(
                "demo",
                [tree.path, "--workers", "2", "--output", bus.path("sums")]
            )
            // It grows as long as anybody reads, so every reading of it sees a change.
            try await onOwnThread {
                let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: changing))
                let begin = ContinuousClock.now
                while demo.endIfAny() == nil, .now - begin < .seconds(120) {
                    try handle.seekToEnd()
                    try handle.write(contentsOf: Data([8]))
                    // On a thread of its own; a write each millisecond meets every reading.
                    usleep(1_000)
                }
                try handle.close()
            }
            #expect(try await demo.finish() == .exited(0), "\(demo.errorOutput)")
            #expect(demo.output.contains("a changing file"), "\(demo.output)")
            let lines = try Self.lines(of: bus.path("sums"))
            #expect(lines.count == tree.count)
            #expect(!lines.contains { $0.contains("a changing file") })
            if let secret {
                #expect(demo.output.contains(secret))
                #expect(!lines.contains { $0.contains("secret") })
            }
            #expect(try await Self.verify(bus.path("sums"), on: bus) == .exited(0))
        }
    }

    @Test("A worker that is killed does not look like success")
    func killedWorker() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            // Large enough that the workers are met at their work.
            let tree = try FileTree(at: bus.path("files"), files: 10, largeFile: 400 << 20)
            let demo = try bus.start(
                "demo",
                [tree.path, "--workers", "2", "--output", bus.path("sums")]
            )
            let worker = try await eventually("a worker reads", every: .milliseconds(30)) {
                try? await bus.status().allTasks.first {
                    $0.title.contains("large") && $0.state == "running"
                }?.process?.pid
            }
            kill(pid_t(worker), SIGKILL)
            let end = try await demo.finish(within: .seconds(120))
            #expect(end == .exited(1), "\(demo.output)\(demo.errorOutput)")
            #expect((demo.output + demo.errorOutput).contains("large"), "its files are named")
            let report = try await bus.status("the job has ended", within: .seconds(60)) { report in
                report.jobs.first?.endedAt != nil
            }
            #expect(report.jobs[0].state != "succeeded" || report.jobs[0].needsAttention)
        }
    }

    @Test("Work orders that cannot be written fail the job, and it says why")
    func noRoomForOrders() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let tree = try FileTree(at: bus.path("files"), files: 10, largeFile: 1 << 10)
            let demo = try bus.start(
                "demo",
                [tree.path, "--workers", "2", "--output", bus.path("sums")],
                adding: ["TMPDIR": bus.path("missing")]
            )
            #expect(try await demo.finish(within: .seconds(60)) != .exited(0))
            let report = try await bus.status("the job has ended") { $0.jobs.first?.endedAt != nil }
            #expect(report.jobs[0].state == "failed" && report.jobs[0].reason?.isEmpty == false)
        }
    }

    private static func lines(of path: String) throws -> [String] {
        let data = try #require(FileManager.default.contents(atPath: path), "\(path)")
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Runs the system's own program over the checksums.
    private static func verify(
        _ path: String,
        on bus: TemporaryBus
    ) async throws -> ChildProcess.End {
        let script = """
            if command -v sha256sum >/dev/null; then exec sha256sum --check --quiet "$0"; fi
            exec shasum -a 256 --check --quiet "$0"
            """
        let check = try bus.start(program: "/bin/sh", ["-c", script, path])
        return try await check.finish(within: .seconds(60))
    }
}

/// Files with names and contents that make a checksum program's life hard.
private struct FileTree {
    let path: String
    let count: Int

    init(at path: String, files: Int, largeFile: Int) throws {
        self.path = path
        let manager = FileManager.default
        let folders = ["", "/sub", "/sub/with space", "/sub/deep/er", "/ünï"]
        for folder in folders {
            try manager.createDirectory(atPath: path + folder, withIntermediateDirectories: true)
        }
        var random = SplitMix64(seed: 42)
        var contents: [String: Data] = [
            "/sub/with space/a name with spaces.txt": Data("space".utf8),
            "/a new\nline": Data("newline".utf8),
            "/back\\slash": Data("backslash".utf8),
            "/back\\nslash and\nnewline": Data("both".utf8),
            "/-n": Data("like an option".utf8),
            "/ünï/emoji 🎞": Data("film".utf8),
            "/empty": Data(),
            "/sub/deep/er/large": Data(repeating: 0x5A, count: largeFile),
        ]
        for number in contents.count..<files {
            let folder = folders[number % folders.count]
            let bytes = (0..<Int.random(in: 0...3_000, using: &random)).map { _ in
                UInt8.random(in: 0 ... .max, using: &random)
            }
            contents[folder + "/file \(number)"] = Data(bytes)
        }
        for (name, data) in contents {
            try data.write(to: URL(fileURLWithPath: path + name))
        }
        // Neither is a file to checksum.
        try manager.createSymbolicLink(atPath: path + "/link", withDestinationPath: "empty")
        try manager.createSymbolicLink(atPath: path + "/dangling", withDestinationPath: "nowhere")
        mkfifo(path + "/pipe", 0o600)
        count = contents.count
    }
}
