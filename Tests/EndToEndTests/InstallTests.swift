import Foundation
import ProgressBus
import Testing

/// Where the formatter of manual pages is, if it is.
private enum Manual {
    static let man = ["/usr/bin/man", "/bin/man"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }
}

/// `Tools/install` and the manual pages that it has made.
@Suite("Installing", .serialized, .transcript, .timeLimit(.minutes(5)))
struct InstallTests {
    /// What `--experimental-dump-help` says of a command.
    private struct Command: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable {
                var kind: String
                var name: String
            }
            var names: [Name]?
            var shouldDisplay: Bool
        }
        var commandName: String
        var shouldDisplay: Bool
        var arguments: [Argument]?
        var subcommands: [Command]?
    }

    private struct Help: Decodable {
        var command: Command
    }

    @Test("Program, completions and a page for each command are installed, and taken away again")
    func installAndUninstall() async throws {
        try await withBus { bus in
            let prefix = bus.path("prefix with spaces")
            let installed = try await install(
                ["--program", Programs.progressbus(), prefix],
                on: bus
            )
            #expect(installed.end == .exited(0), "\(installed)")
            let program = try bus.start(program: prefix + "/bin/progressbus", ["version"])
            #expect(try await program.end() == .exited(0))
            let completions = [
                "bash-completion/completions/progressbus", "zsh/site-functions/_progressbus",
                "fish/vendor_completions.d/progressbus.fish",
            ]
            for path in completions {
                let script = try String(contentsOfFile: prefix + "/share/" + path, encoding: .utf8)
                #expect(script.contains("dismiss"), "\(path)")
            }
            let dump = try await bus.run("--experimental-dump-help")
            let help = try JSONDecoder().decode(Help.self, from: Data(dump.output.utf8))
            for command in help.command.subcommands ?? []
            where command.shouldDisplay && command.commandName != "help" {
                let path = "\(prefix)/share/man/man1/progressbus-\(command.commandName).1"
                let page = try String(contentsOfFile: path, encoding: .utf8)
                #expect(page.contains(".Sh EXIT STATUS"), "\(path)")
                for argument in command.arguments ?? [] where argument.shouldDisplay {
                    for name in argument.names ?? [] where name.kind == "long" {
                        let escaped = name.name.replacing("-", with: "\\-")
                        #expect(page.contains("Fl \\-\(escaped)"), "\(path): --\(name.name)")
                    }
                }
            }

            let removed = try await install(["--uninstall", prefix], on: bus)
            #expect(removed.end == .exited(0), "\(removed)")
            // Directories stay: others may have put something there.
            let left = try FileManager.default.subpathsOfDirectory(atPath: prefix).filter { path in
                let url = URL(fileURLWithPath: prefix + "/" + path)
                return try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
            }
            #expect(left.isEmpty)
        }
    }

    @Test("A wrong option, or a directory that cannot be made: a code and what to do")
    func errors() async throws {
        try await withBus { bus in
            #expect(try await install(["--prefix", "/x"], on: bus).end == .exited(64))
            let file = bus.path("file")
            try Data().write(to: URL(fileURLWithPath: file))
            let refused = try await install(["--program", "/bin/true", file], on: bus)
            #expect(refused.end == .exited(73), "\(refused)")
            #expect(refused.errorOutput.contains("name another directory"))

            // What is there stays there, when what is to replace it is no such program.
            let prefix = bus.path("prefix")
            let first = try await install(["--program", Programs.progressbus(), prefix], on: bus)
            #expect(first.end == .exited(0), "\(first)")
            for wrong in ["/bin/true", bus.path("not there")] {
                let kept = try await install(["--program", wrong, prefix], on: bus)
                #expect(kept.end == .exited(66), "\(kept)")
                #expect(kept.errorOutput.contains("nothing is installed"))
            }
            let program = try bus.start(program: prefix + "/bin/progressbus", ["version"])
            #expect(try await program.end() == .exited(0))
            let page = prefix + "/share/man/man1/progressbus-run.1"
            #expect(FileManager.default.fileExists(atPath: page))
        }
    }

    @Test(
        "The pages are what man expects: no warning",
        .enabled(if: Manual.man != nil, "there is no man on this machine; apt-get install man-db")
    )
    func warnings() async throws {
        try await withBus { bus in
            let directory = bus.path("manual")
            let made = try bus.start(
                program: tool("Generate/manual"),
                [try Programs.progressbus(), directory]
            )
            #expect(try await made.end() == .exited(0), "\(made.errorOutput)")
            let pages = try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
            #expect(pages.count > 10)
            for page in pages {
                let man = try bus.start(
                    program: try #require(Manual.man),
                    ["--warnings", "-l", directory + "/" + page],
                    adding: ["MANWIDTH": "80", "MANPAGER": "cat", "LC_ALL": "C.UTF-8"]
                )
                #expect(try await man.end() == .exited(0))
                #expect(man.errorOutput.isEmpty, "\(page): \(man.errorOutput)")
                #expect(man.output.contains("SYNOPSIS"), "\(page)")
            }
        }
    }

    @Test("A tarball has what an installation has, below a folder with the version")
    func tarball() async throws {
        try await withBus { bus in
            let folder = bus.path("packages")
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true
            )
            let arguments = ["--program", try Programs.progressbus(), "--into", folder, "tar"]
            let made = try bus.start(program: tool("package"), arguments)
            #expect(try await made.end(within: .seconds(240)) == .exited(0), "\(made.errorOutput)")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            let name = try #require(names.first)
            #expect(names.count == 1 && name.hasPrefix("progressbus-"), "\(names)")
            let list = try bus.start(program: "/bin/sh", ["-c", "tar -tzf \(folder)/\(name)"])
            #expect(try await list.end(within: .seconds(60)) == .exited(0))
            let files = list.output.split(separator: "\n").map {
                $0.split(separator: "/").dropFirst().joined(separator: "/")
            }
            let expected = [
                "bin/progressbus", "share/man/man1/progressbus-watch.1",
                "share/bash-completion/completions/progressbus", "share/doc/progressbus/LICENSE",
            ]
            for file in expected { #expect(files.contains(file), "\(file)") }
        }
    }

    @Test("What cannot be packaged: a code and what to do, and nothing is made")
    func packageErrors() async throws {
        try await withBus { bus in
            let folder = bus.path("packages")
            for (arguments, code, words) in [
                (["rpm"], 64, "Tools/package"),
                (
                    ["--program", "/bin/true", "--into", folder, "deb"], 66,
                    "Tools/Generate/program"
                ),
                (["--program", bus.path("not there"), "tar"], 66, "Tools/Generate/program"),
            ] {
                let refused = try bus.start(program: tool("package"), arguments)
                #expect(try await refused.end() == .exited(Int32(code)), "\(refused.errorOutput)")
                #expect(refused.errorOutput.contains(words), "\(refused.errorOutput)")
            }
            #expect(!FileManager.default.fileExists(atPath: folder))
        }
    }

    private func install(_ arguments: [String], on bus: TemporaryBus) async throws -> CommandResult
    {
        let child = try bus.start(program: tool("install"), arguments)
        let end = try await child.end()
        return CommandResult(end: end, output: child.output, errorOutput: child.errorOutput)
    }

    private func tool(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Tools/\(name)").standardizedFileURL.path
    }
}
