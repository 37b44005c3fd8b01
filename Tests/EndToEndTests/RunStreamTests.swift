import Foundation
import TestSupport
import Testing

/// `progressbus run` beside the same command without it: nobody may see a difference.
@Suite("run: a command's streams and end", .serialized, .transcript, .timeLimit(.minutes(5)))
struct RunStreamTests {
    /// How a script prints and ends without and with `$RUN` before the command.
    private func compare(
        _ script: String,
        on bus: TemporaryBus,
        shell: String = "/bin/sh"
    ) async throws {
        let without = try await bus.runScript(script, shell: shell, adding: ["RUN": ""])
        var variables = try bus.scriptVariables
        variables["RUN"] = "\(try Programs.progressbus()) run --no-autostart --"
        let with = try await bus.runScript(script, shell: shell, adding: variables)
        #expect(with.end == without.end, "\(script)")
        #expect(with.output == without.output, "\(script)")
        #expect(with.errorOutput == without.errorOutput, "\(script)")
    }

    @Test("bytes of all kinds pass unchanged, in and out, by pipe and by file")
    func bytes() async throws {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SplitMix64(seed: seed)
        var bytes = Data(capacity: 3_000_000)
        while bytes.count < 3_000_000 {
            withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0) }
        }
        try await withBus { bus in
            try bytes.write(to: URL(fileURLWithPath: bus.path("in")))
            let result = try await bus.runScript(
                """
                cd "$HERE" && RUN="$RUN --no-autostart --"
                cat in | $RUN cat | cat > piped
                $RUN cat in > file
                $RUN sh -c 'cat in >&2' 2> error
                $BUS run --no-autostart --adapter none cat in > none
                """
            )
            #expect(result.end == .exited(0), "\(result)")
            for name in ["piped", "file", "error", "none"] {
                let same = FileManager.default.contents(atPath: bus.path(name)) == bytes
                #expect(same, "\(name), seed \(seed)")
            }
        }
    }

    // Only root's threads can be less nice than the process.
    @Test("a command is as nice as it would be without run", .enabled(if: geteuid() == 0))
    func niceness() async throws {
        try await withBus { bus in
            try await compare("$RUN nice; nice -n 5 $RUN nice; $RUN nice | cat", on: bus)
        }
    }

    @Test("the status is the command's, 126, 127, or 128 and the signal")
    func statuses() async throws {
        try await withBus { bus in
            let cases = [
                ("true", 0), ("sh -c 'exit 3'", 3), ("sh -c 'kill -9 $$'", 137),
                ("sh -c 'kill -TERM $$'", 143), ("no-such-command-anywhere", 127),
                ("/no/such/path", 127), ("/", 126), ("\"$HERE/plain\"", 126), ("''", 127),
                ("\"$HERE/script\"", 9),
            ]
            for (command, status) in cases {
                let result = try await bus.runScript(
                    """
                    echo x > "$HERE/plain"; echo exit 9 > "$HERE/script"
                    chmod +x "$HERE/script"
                    $RUN --no-autostart -- \(command); exit $?
                    """
                )
                #expect(result.end == .exited(Int32(status)), "\(command): \(result)")
                let isExplained = result.errorOutput.hasPrefix("progressbus: ")
                #expect(isExplained == (status == 126 || status == 127), "\(command): \(result)")
            }
        }
    }

    @Test("wrong options are told before anything runs")
    func usage() async throws {
        try await withBus { bus in
            let wrong = [
                "", "--", "--grace -1 -- touch $HERE/ran", "--titel x touch $HERE/ran",
                "--adapter nonsense -- touch $HERE/ran", "-0 -- touch $HERE/ran",
                "--endpoint nonsense -- touch $HERE/ran", "-j 1000 -- touch $HERE/ran",
            ]
            for options in wrong {
                let result = try await bus.runScript("$RUN \(options); exit $?")
                #expect(result.end == .exited(64), "\(options): \(result)")
                #expect(!result.errorOutput.isEmpty)
            }
            #expect(bus.contents("ran") == nil)
        }
    }

    @Test("descriptors, signals that are ignored and the environment are as without")
    func surroundings() async throws {
        try await withBus { bus in
            let looks = [
                // Beside those that the shell has of this process, which opens and closes others.
                """
                few=$(ls /proc/self/fd | wc -l)
                echo $(($($RUN sh -c 'ls /proc/self/fd | wc -l') - few))
                """,
                "$RUN sh -c 'grep ^Sig[BI] /proc/self/status'",
                "trap '' INT HUP PIPE; $RUN sh -c 'grep ^Sig[BI] /proc/self/status'",
                "$RUN sh -c 'echo kept >&7' 7>&1",
                "A=$(printf '\\377') $RUN sh -c 'printf %s \"$A\" | od -c'",
                "$RUN od -c /dev/null; $RUN printf %s \"$(printf '\\376')\" | od -c",
                "$RUN sh -c 'env | grep -v -e PROGRESSBUS_PARENT -e ^RUN= | sort'",
                "echo a line | $RUN sh -c 'read x; echo got \"$x\"; cat'",
                "$RUN cat </dev/null; $RUN true <&- && echo closed",
                "$RUN sh -c 'echo out; echo err >&2' >/dev/null",
            ]
            for look in looks { try await compare(look, on: bus) }
        }
    }

    @Test("both streams in one place keep their order; apart they stay apart")
    func order() async throws {
        try await withBus { bus in
            let lines = "i=0; while [ $i -lt 300 ]; do echo o$i; echo e$i >&2; i=$((i+1)); done"
            for places in ["2>&1", ">$HERE/out 2>&1; cat $HERE/out", "2>/dev/null", ">/dev/null"] {
                try await compare("$RUN sh -c '\(lines)' \(places)", on: bus)
            }
            try await compare("$RUN sh -c '\(lines)' 2>&1 >/dev/null | cat", on: bus)
        }
    }

    @Test("who is not read any more gets SIGPIPE, as without")
    func brokenPipe() async throws {
        try await withBus { bus in
            let statuses = "echo ${PIPESTATUS[@]}"
            try await compare("$RUN yes | head -1; \(statuses)", on: bus, shell: "/bin/bash")
            let slow = "sh -c 'echo x; trap \"echo late >&2\" PIPE; sleep 0.3; echo y'"
            try await compare("$RUN \(slow) | head -1; \(statuses)", on: bus, shell: "/bin/bash")
        }
    }

    @Test("something left in the background holds up nobody, and lives on")
    func background() async throws {
        try await withBus { bus in
            let result = try await bus.runScript(
                "$RUN --no-autostart -- sh -c 'sleep 300 & echo $! > $HERE/pid; echo said'",
                within: .seconds(20)
            )
            let pid = try await bus.number(in: "pid")
            defer { kill(pid, SIGKILL) }
            #expect(result.end == .exited(0) && result.output == "said\n", "\(result)")
            #expect(isAlive(pid))
        }
    }

    @Test("a reader that does not read makes the command wait, and signals still pass")
    func backPressure() async throws {
        try await withBus { bus in
            let child = try bus.script(
                """
                mkfifo "$HERE/slow"; head -c 30000000 /dev/zero > "$HERE/big"
                sleep 300 < "$HERE/slow" & echo $! > "$HERE/reader"
                $RUN --no-autostart -- sh -c 'trap "exit 6" TERM; echo $PPID > $HERE/run
                    cat < $HERE/big & echo $! > $HERE/cat; wait; echo > $HERE/done' > "$HERE/slow"
                """
            )
            let reader = try await bus.number(in: "reader")
            defer { kill(reader, SIGKILL) }
            let cat = try await bus.number(in: "cat")
            // Once all pipes between them are full nothing moves any more.
            var last = "nothing yet"
            try await eventually("it holds still", every: .milliseconds(100)) {
                let text = FileManager.default.contents(atPath: "/proc/\(cat)/fdinfo/0") ?? Data()
                let position = String(decoding: text.prefix { $0 != 10 }, as: UTF8.self)
                defer { last = position }
                return position == last && !position.isEmpty
            }
            let position = try #require(Int(last.filter(\.isNumber)))
            #expect(position > 0 && position < 10_000_000)
            #expect(isAlive(cat) && bus.contents("done") == nil)
            kill(try await bus.number(in: "run"), SIGTERM)
            try await eventually("the command has ended") { !isAlive(cat) }
            // What it has printed waits for its reader until nobody is left.
            kill(reader, SIGKILL)
            #expect(try await child.finish() == .exited(6))
        }
    }
}
