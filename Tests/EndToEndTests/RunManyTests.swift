import Foundation
import Testing

/// `progressbus run -j`: a command for each of many arguments.
@Suite("run -j: many commands", .serialized, .transcript, .timeLimit(.minutes(5)))
struct RunManyTests {
    @Test("all run, lines stay whole, failures are listed, the status is the highest")
    func failures() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let result = try await bus.runScript(
                """
                $RUN -j 3 --title Many -- sh -c 'for i in 1 2 3; do printf "%s-" "$0"; sleep 0.02
                    echo "$0"; done; case $0 in c) exit 5;; d) kill -9 $$;; esac' ::: a b c d 'e f'
                exit $?
                """
            )
            #expect(result.end == .exited(137), "\(result)")
            let words = ["a", "b", "c", "d", "e f"]
            let wanted = words.flatMap { (word: String) -> [String] in
                Array(repeating: "\(word)-\(word)", count: 3)
            }
            #expect(result.output.split(separator: "\n").map(String.init).sorted() == wanted)
            #expect(
                Set(result.errorOutput.split(separator: "\n")) == [
                    "progressbus: 2 of 5 failed:", "progressbus:   c: exit status 5",
                    "progressbus:   d: killed by signal 9 (SIGKILL)",
                ]
            )
            let job = try #require(try await bus.status().job(titled: "Many"))
            #expect(job.state == "failed" && job.reason == "2 of 5 failed", "\(job)")
            #expect(job.total == 5 && job.counts.succeeded == 3 && job.counts.failed == 2, "\(job)")
        }
    }

    @Test("arguments come from lines or NULs, and standard input is nothing to the commands")
    func input() async throws {
        try await withBus { bus in
            let lines = try await bus.runScript(
                "printf 'x y\\n\\nz' | $RUN --no-autostart -j 1 -- sh -c 'echo \"[$1]\"; cat' - {}"
            )
            #expect(lines.end == .exited(0) && lines.output == "[x y]\n[z]\n", "\(lines)")
            let nuls = try await bus.runScript(
                "printf 'x\\ny\\0z\\0' | $RUN --no-autostart -j 1 -0 -- printf '<%s>'"
            )
            #expect(nuls.output == "<x\ny>\n<z>\n", "\(nuls)")
            let none = try await bus.runScript("$RUN --no-autostart -j 2 -- false </dev/null")
            #expect(none.end == .exited(0), "\(none)")
            let missing = try await bus.runScript(
                "$RUN --no-autostart -j 2 -- nothing-here ::: a b"
            )
            #expect(
                missing.end == .exited(127) && missing.errorOutput.contains("2 of 2"),
                "\(missing)"
            )
        }
    }

    @Test("while arguments still come nobody is told how far it is; at the end all are counted")
    func slowInput() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            async let script = bus.runScript(
                """
                (seq 5; until [ -e "$HERE/go" ]; do sleep 0.05; done; seq 6 40) \
                    | $RUN -j 4 --title Slow -- sh -c 'sleep 0.05; exit 0'
                """
            )
            let early = try await bus.status("five done") { report in
                report.job(titled: "Slow")?.counts.succeeded == 5
            }
            let reading = try #require(early.job(titled: "Slow"))
            #expect(reading.total == nil && reading.displayFraction == nil, "\(reading)")
            let said = try await bus.run("status", "--depth", "0")
            #expect(said.output.contains("Slow: 5 done"), "\(said)")
            #expect(!said.output.contains("items"), "\(said)")
            try Data().write(to: URL(filePath: bus.path("go")))
            let late = try await bus.status("counted") { report in
                report.job(titled: "Slow")?.total == 40
            }
            let counted = try #require(late.job(titled: "Slow"))
            #expect(counted.displayFraction ?? 1 <= counted.fraction ?? 0, "\(counted)")
            let result = try await script
            #expect(result.end == .exited(0), "\(result)")
            let job = try #require(try await bus.status().job(titled: "Slow"))
            #expect(job.state == "succeeded" && job.completed == 40 && job.total == 40, "\(job)")
        }
    }

    @Test("cancelling one ends that one, cancelling all begins no more")
    func cancel() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let child = try bus.script(
                "$RUN -j 2 --title Many -- sh -c 'echo $0; exec sleep 300' ::: a b c d e; exit $?"
            )
            let job = try await bus.status("two run") {
                $0.job(titled: "Many")?.counts.running == 2
            }.job(titled: "Many")
            let first = try #require(job?.child(titled: "a"))
            #expect(try await bus.run("cancel", "id:\(first.id)").end == .exited(0))
            try await bus.status("the third has begun") {
                $0.job(titled: "Many")?.child(titled: "c")?.state == "running"
            }
            let all = try await bus.run("cancel", "key:Many")
            #expect(all.end == .exited(0), "\(all)")
            #expect(try await child.finish() == .exited(143))
            #expect(Set(child.outputLines) == ["a", "b", "c"])
            let end = try #require(try await bus.status().job(titled: "Many"))
            #expect(end.state == "cancelled" && end.counts.cancelled == 3, "\(end)")
        }
    }

    @Test("SIGINT reaches those that run, and no more begin")
    func interrupt() async throws {
        try await withBus { bus in
            let child = try bus.start(
                "run",
                ["--no-autostart", "-j", "2", "--", "sh", "-c", "echo $0; exec sleep 300", ":::"]
                    + (1...9).map(String.init)
            )
            try await eventually("two run") { child.outputLines.count == 2 }
            child.send(SIGINT)
            #expect(try await child.finish() == .signalled(SIGINT))
            #expect(child.outputLines.count == 2, "\(child.output)")
            #expect(child.errorOutput.contains("killed by signal 2 (SIGINT)"))
        }
    }

    @Test("a line without an end, however long, is not mixed with another")
    func longLines() async throws {
        try await withBus { bus in
            let result = try await bus.runScript(
                """
                $RUN --no-autostart -j 4 -- sh -c 'head -c 3000000 /dev/zero | tr "\\0" $0; echo' \\
                    ::: a b c d > "$HERE/out"
                awk '{ print length($0) " " (length($0) == gsub(substr($0, 1, 1), "x")) }' "$HERE/out"
                """
            )
            #expect(result.output == String(repeating: "3000000 1\n", count: 4), "\(result)")
        }
    }

    @Test("a thousand commands: every ending is right, and memory stays flat")
    func thousand() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let result = try await bus.runScript(
                """
                seq 1000 | $RUN -j 8 --title Thousand -- sh -c '
                    case $0 in 100|1000) grep VmHWM /proc/$PPID/status;; esac
                    case $0 in *7) exit 7;; esac'
                exit $?
                """,
                within: .seconds(90)
            )
            #expect(result.end == .exited(7), "\(result)")
            let sizes = result.output.split(separator: "\n").compactMap { line in
                Int(line.filter(\.isNumber))
            }
            try #require(sizes.count == 2, "\(result)")
            #expect(abs(sizes[1] - sizes[0]) < 4_096, "KiB after 100 and after 1,000: \(sizes)")
            let job = try #require(try await bus.status().job(titled: "Thousand"))
            #expect(job.counts.succeeded == 900 && job.counts.failed == 100, "\(job)")
            #expect(job.total == 1_000 && !job.totalIsEstimate, "\(job)")
        }
    }
}
