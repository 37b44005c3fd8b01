import Foundation
import ProgressBus
import Testing

/// Where a shell is; `nil` where it is not installed.
private func installed(_ shell: String) -> String? {
    ["/bin/", "/usr/bin/", "/usr/local/bin/"].map { $0 + shell }.first {
        FileManager.default.isExecutableFile(atPath: $0)
    }
}

/// Tab in real shells, on real terminals.
@Suite("Completion in shells", .serialized, .transcript, .timeLimit(.minutes(5)))
struct CompletionTests {
    @Test("bash: commands, options, the keys of jobs that fit, and files")
    func bourneAgainShell() async throws {
        try await withBus { bus in
            try await complete(
                on: bus,
                in: "/bin/bash",
                ["--norc", "--noprofile", "-i"],
                setUp: #"source <(progressbus --generate-completion-script bash); PS1='$ '"#
            )
        }
    }

    @Test(
        "zsh: the same",
        .enabled(
            if: installed("zsh") != nil,
            "there is no zsh on this machine; apt-get install zsh"
        )
    )
    func zShell() async throws {
        try await withBus { bus in
            try await complete(
                on: bus,
                in: try #require(installed("zsh")),
                ["-f", "-i"],
                setUp: "fpath=(\(bus.directory) $fpath); autoload -Uz compinit; compinit -D -u; "
                    + #"PS1='$ '"#
            )
        }
    }

    @Test(
        "fish: the same",
        .enabled(
            if: installed("fish") != nil,
            "there is no fish on this machine; apt-get install fish"
        )
    )
    func fish() async throws {
        try await withBus { bus in
            try await complete(
                on: bus,
                in: try #require(installed("fish")),
                ["--no-config", "-i"],
                setUp: "source (progressbus --generate-completion-script fish | psub); "
                    + "function fish_prompt; echo -n '$ '; end"
            )
        }
    }

    /// Types the beginnings of commands, completes them, and looks at what the shell has run.
    private func complete(
        on bus: TemporaryBus,
        in shell: String,
        _ arguments: [String],
        setUp: String
    ) async throws {
        _ = try await bus.startBroker()
        let worker = try bus.startReporter()
        worker.begin("a", "Work", #""key":"nightly copy","cancellable":true"#)
        worker.begin("b", "Work", #""key":"nothing to cancel""#)
        try await worker.sync()
        let id = try await bus.run("begin", "Script").output.prefix { $0 != "\n" }
        let script = try await bus.run("--generate-completion-script", "zsh")
        try script.output.write(toFile: bus.path("_progressbus"), atomically: true, encoding: .utf8)
        try Data().write(to: URL(fileURLWithPath: bus.path("colours.theme")))

        let terminal = try await TerminalSession.start(
            on: bus,
            program: shell,
            arguments,
            columns: 120,
            environment: ["PATH": try path(on: bus), "HOME": bus.directory, "HISTFILE": ""]
        )
        try await terminal.type(setUp + "; cd \(bus.directory); clear\r")
        try await terminal.wait(forPattern: #"\A\$ *$"#)
        for (line, ran) in [
            ("can\tnig\t", "[cancel] [nightly copy]"),
            ("stat\t--js\t", "[status] [--json]"),
            ("wait nig\t", "[wait] [nightly copy]"),
            ("cancel nig\tnig\t", "[cancel] [nightly copy] [nightly copy]"),
            ("begin x --parent nig\t", "[begin] [x] [--parent] [nightly copy]"),
            ("report --finish succ\t", "[report] [--finish] [succeeded]"),
            ("watch --theme col\t", "[watch] [--theme] [colours.theme]"),
            ("advance \(id.prefix(4))\t", "[advance] [\(id)]"),
            ("run --adapter ffm\t", "[run] [--adapter] [ffmpeg]"),
        ] {
            try await terminal.type("progressbus \(line)\r")
            try await terminal.wait(for: "ran: \(ran)")
        }
        // Where there is no broker, Tab offers nothing and says nothing.
        try await terminal.type("progressbus pause --endpoint ipc://\(bus.path("none")) x\t\r")
        try await terminal.wait(for: "ran: [pause] [--endpoint] [ipc://\(bus.path("none"))] [x]")
        try await terminal.type("exit\r")
        _ = try await terminal.end()
        worker.end("a", "succeeded")
        worker.end("b", "succeeded")
    }

    /// A PATH on which `progressbus` completes as it does, and prints its arguments instead of
    /// carrying them out.
    private func path(on bus: TemporaryBus) throws -> String {
        let directory = bus.path("bin")
        try FileManager.default.createDirectory(
            atPath: directory,
            withIntermediateDirectories: true
        )
        let script = """
            #!/bin/bash
            case "$1" in
            ---completion | --generate-completion-script) exec '\(try Programs.progressbus())' "$@" ;;
            esac
            printf 'ran:'
            printf ' [%s]' "$@"
            echo
            """
        try bus.writeScript(script, to: directory + "/progressbus")
        return directory + ":/usr/local/bin:/usr/bin:/bin"
    }
}
