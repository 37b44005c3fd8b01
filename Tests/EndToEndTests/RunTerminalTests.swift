import Foundation
import Testing

/// `progressbus run` on a terminal: keys, size and job control as without.
@Suite("run: a command on a terminal", .serialized, .transcript, .timeLimit(.minutes(5)))
struct RunTerminalTests {
    private func start(
        _ script: String,
        title: String = "On a terminal",
        on bus: TemporaryBus
    ) async throws -> TerminalSession {
        let arguments = ["run", "--title", title, "--", "sh", "-c", script]
        return try await TerminalSession.start(on: bus, arguments)
    }

    @Test("the command has a terminal with our size, its colours and its bars")
    func output() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let session = try await start(
                """
                test -t 0 && test -t 1 && test -t 2 && stty size
                printf '\\033[31mred\\033[0m plain\\n'; printf 'bar 10%%\\rbar 99%%\\n'
                trap 'stty size; exit 5' WINCH; echo ready; while :; do sleep 0.05; done
                """,
                on: bus
            )
            let screen = try await session.wait(for: "ready")
            #expect(screen.lines.prefix(4) == ["24 80", "red plain", "bar 99%", "ready"])
            let red = try await session.styles(row: 1).first
            #expect(red?.text == "red" && red?.style.fg != nil, "\(String(describing: red))")
            try await session.resize(columns: 100, rows: 30)
            try await session.wait(for: "30 100")
            let end = try await session.end()
            #expect(end.state == "exited 5")
            #expect(end.line?.asBefore == true && end.clean, "\(end)")
        }
    }

    @Test("keys go to the command, Ctrl-C as its signal")
    func keys() async throws {
        try await withBus { bus in
            let session = try await start(
                """
                trap 'echo interrupted; exit 7' INT; echo name?; read name; echo "is $name"
                stty -echo; echo secret?; read secret; stty echo; echo "has ${#secret}"
                while :; do sleep 0.05; done
                """,
                on: bus
            )
            try await session.wait(for: "name?")
            try await session.type("Ada\r")
            try await session.wait(for: "is Ada")
            try await session.wait(for: "secret?")
            try await session.type("hidden\r")
            let screen = try await session.wait(for: "has 6")
            #expect(!screen.text.contains("hidden"), "\(screen)")
            try await session.press("Ctrl-C")
            try await session.wait(for: "interrupted")
            let end = try await session.end()
            #expect(end.state == "exited 7" && end.line?.asBefore == true, "\(end)")
        }
    }

    @Test("what a command does to its terminal at once stays so")
    func ownSettings() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            // Each finds `run` at another point of its own start.
            for attempt in 1...8 {
                let script =
                    "stty -isig -echo; sleep 0.3; stty -a | tr ' ' '\\n' | grep -x -e -isig -e -echo"
                let session = try await start(script, title: "Attempt \(attempt)", on: bus)
                let end = try await session.end()
                #expect(end.state == "exited 0" && end.line?.asBefore == true, "\(end)")
                let lines = Set(try await session.screen().lines)
                #expect(lines.isSuperset(of: ["-isig", "-echo"]), "attempt \(attempt): \(lines)")
            }
        }
    }

    /// The shells become `sleep`, here and below: dash loses a SIGINT that comes while it forks.
    @Test("who is interrupted by Ctrl-C is cancelled and needs no attention")
    func interruption() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            for (title, script) in [
                ("Sleep", "echo ready; exec sleep 300"),
                ("Trap", "trap 'exit 3' INT; echo ready; read x"),
            ] {
                let session = try await start(script, title: title, on: bus)
                try await session.wait(for: "ready")
                try await session.press("Ctrl-C")
                _ = try await session.end()
            }
            let many = try await TerminalSession.start(
                on: bus,
                ["run", "-j", "2", "--title", "Many", "--"]
                    + ["sh", "-c", "echo ready; exec sleep 300"]
                    + [":::", "a", "b", "c"]
            )
            try await many.wait(for: "ready")
            try await many.press("Ctrl-C")
            _ = try await many.end()
            // What ended before the broker had answered is taken from the spool.
            let report = try await bus.status("all three") { $0.jobs.count == 3 }
            for job in report.jobs + report.jobs.flatMap(\.children) {
                #expect(job.state == "cancelled" && !job.needsAttention, "\(job)")
                #expect(job.reason == "interrupted", "\(job)")
            }
        }
    }

    @Test("a command that had ended with 0 when a cancel came has succeeded, told late or not")
    func endedBeforeCancel() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let session = try await start(
                """
                echo $$ > '\(bus.path("pid"))'; echo $PPID > '\(bus.path("leader"))'
                echo ready; read x
                """,
                on: bus
            )
            try await session.wait(for: "ready")
            let pid = try await bus.number(in: "pid")
            let leader = try await bus.number(in: "leader")
            try await bus.status("it runs") { $0.jobs.first?.state == "running" }
            kill(leader, SIGSTOP)
            try await session.press("Enter")
            try await eventually("it has ended") { processState(pid) == "Z" }
            #expect(try await bus.run("cancel", "key:On a terminal").end == .exited(0))
            kill(leader, SIGCONT)
            #expect(try await session.end().state == "exited 0")
            let job = try #require(try await bus.status().jobs.first)
            #expect(job.state == "succeeded", "\(job)")
        }
    }

    @Test("Ctrl-Z stops the command and run, the task is paused; both go on in the foreground")
    func suspension() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let session = try await start(
                "echo $$ > '\(bus.path("pid"))'; echo ready; read x; echo \"got $x\"; exit 8",
                on: bus
            )
            try await session.wait(for: "ready")
            let pid = try await bus.number(in: "pid")
            try await bus.status("it runs") { $0.jobs.first?.state == "running" }
            for _ in 0..<2 {
                try await session.press("Ctrl-Z")
                let stopped = try await session.wait(forState: "stopped")
                #expect(stopped.line?.asBefore == true, "\(stopped)")
                #expect(processState(pid) == "T")
                let held = try await bus.status("paused") { $0.jobs.first?.state == "paused" }
                #expect(
                    held.jobs.first?.detail == "stopped at its terminal, where fg lets it go on"
                )
                try await session.resume()
                try await session.wait(forState: "running")
                try await eventually("the command goes on") { processState(pid) == "S" }
                try await bus.status("running") {
                    $0.jobs.first?.state == "running" && $0.jobs.first?.detail == ""
                }
            }
            try await session.type("it\r")
            try await session.wait(for: "got it")
            #expect(try await session.end().state == "exited 8")
        }
    }

    #if os(Linux)
    @Test("stopped by Ctrl-Z it stays paused for as long as the process lives, run -j too")
    func longSuspension() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            try #require(mkfifo(bus.path("gate"), 0o600) == 0)
            let script = "echo $$ > '\(bus.path("pid"))'; echo ready; read x; exit 8"
            let one = try await start(script, on: bus)
            let pid = try await bus.number(in: "pid")
            let many = try await TerminalSession.start(
                on: bus,
                ["run", "-j", "2", "--title", "Many", "--", "sh", "-c"]
                    + ["echo ready; read x <'\(bus.path("gate"))'", ":::", "a", "b"]
            )
            for session in [one, many] { try await session.wait(for: "ready") }
            try await bus.status("all run") {
                $0.jobs.count == 2 && $0.job(titled: "Many")?.counts.running == 2
            }
            for session in [one, many] {
                try await session.press("Ctrl-Z")
                try await session.wait(forState: "stopped")
            }
            let stop = ContinuousClock.now
            try await bus.status("both are paused") { $0.jobs.allSatisfy { $0.state == "paused" } }
            let sightings = Sightings(of: bus.follower())
            defer { sightings.close() }
            // No condition to wait for: it is that nothing happens until everybody else is lost.
            try await Task.sleep(until: stop + .seconds(12))
            let late = try await bus.status()
            for title in ["On a terminal", "Many"] {
                #expect(sightings.first(title, "paused") != nil, "the follower saw it")
                for what in ["silent", "stalled", "lost"] {
                    #expect(sightings.first(title, what) == nil, "\(title): \(what)")
                }
                let job = try #require(late.job(titled: title))
                #expect(job.state == "paused" && !job.silent && !job.needsAttention, "\(job)")
                #expect(job.detail == "stopped at its terminal, where fg lets it go on")
                #expect(job.children.allSatisfy { $0.state == "paused" }, "\(job)")
            }
            try await many.resume()
            try await bus.status("all of many run") {
                let job = $0.job(titled: "Many")
                return job?.state == "running" && job?.detail == ""
                    && job?.children.allSatisfy { $0.state == "running" } == true
            }
            // A stopped process that is ended is lost at once, and its command not left behind.
            try await one.send(SIGKILL)
            try await bus.status("lost") { $0.job(titled: "On a terminal")?.state == "lost" }
            try await eventually("the command is gone") { !isAlive(pid) }
            try await many.press("Ctrl-C")
            #expect(try await many.end().state == "signalled 2")
        }
    }
    #endif

    @Test("a terminal that goes away ends the command and run")
    func hangUp() async throws {
        try await withBus { bus in
            let session = try await start(
                "echo $$ > '\(bus.path("pid"))'; echo ready; while :; do sleep 0.1; done",
                on: bus
            )
            try await session.wait(for: "ready")
            let pid = try await bus.number(in: "pid")
            try await session.hangUp()
            #expect(try await session.end().state == "exited 129")
            try await eventually("the command is gone") { !isAlive(pid) }
        }
    }

    @Test("a terminal that goes away ends what reads or writes there, though SIGHUP does not")
    func hangUpUnheard() async throws {
        try await withBus { bus in
            for (title, script) in [
                ("Reads", "echo ready; while read x; do :; done"),
                ("Writes", "echo ready; sleep 0.5; while echo 0123456789; do :; done"),
            ] {
                let session = try await start(
                    "trap '' HUP; echo $$ > '\(bus.path(title))'; \(script)",
                    title: title,
                    on: bus
                )
                try await session.wait(for: "ready")
                let pid = try await bus.number(in: title)
                try await session.hangUp()
                try await eventually("\(title): the command is gone") { !isAlive(pid) }
            }
        }
    }

    /// An interactive shell in which `$RUN` is `progressbus run`.
    private func startShell(on bus: TemporaryBus) async throws -> TerminalSession {
        try await TerminalSession.start(
            on: bus,
            program: "/bin/bash",
            ["--norc", "--noprofile", "-i"],
            environment: ["RUN": "\(try Programs.progressbus()) run --no-autostart", "PS1": "> "]
        )
    }

    @Test("Ctrl-C ends the loop around the command too, in a shell and in a script")
    func interruptedLoop() async throws {
        try await withBus { bus in
            let command = "sh -c 'echo is $i; exec sleep 300'"
            let loop = "for i in 1 2 3; do $RUN -- \(command); echo after; done"
            let shell = try await startShell(on: bus)
            let script = bus.path("loop")
            try bus.writeScript("#!/bin/bash\n\(loop.replacing("$i", with: "there"))\n", to: script)
            for (line, sight) in [
                (loop.replacing("$i", with: "h\"\"ere"), "is here"), ("'\(script)'", "is there"),
            ] {
                try await shell.type("clear; \(line)\r")
                try await shell.wait(for: sight)
                try await shell.press("Ctrl-C")
                let screen = try await shell.wait(for: "\n>")
                #expect(!screen.lines.contains("after"), "\(screen)")
            }
        }
    }

    @Test("after it was in the background it has the terminal's size, after SIGSTOP its settings")
    func background() async throws {
        try await withBus { bus in
            let shell = try await startShell(on: bus)
            try await shell.type("$RUN -- sh -c 'echo in\"\"side; read x; stty size' &\r")
            try await shell.wait(for: "inside")
            try await shell.resize(columns: 100, rows: 30)
            try await shell.type("fg\r")
            try await shell.type("\r")
            try await shell.wait(for: "30 100")
            let stop = "kill -STOP $(ps -o ppid= -p $PPID)"
            let script = "stty -echo; \(stop); read x; echo h\"\"as ${#x}"
            try await shell.type("$RUN -- sh -c '\(script)'\r")
            try await shell.wait(for: "Stopped")
            try await shell.type("fg\r")
            // What bash says of it before it lets it go on.
            try await shell.wait(for: "fg\n$RUN -- sh -c 'stty")
            try await eventually("run has the keys") { try await shell.state().line?.echo == false }
            try await shell.type("hidden\r")
            let screen = try await shell.wait(for: "has 6")
            #expect(!screen.text.contains("hidden"), "\(screen)")
        }
    }

    @Test("in a pipeline the keys are whose they were: Ctrl-C reaches the command once")
    func pipeline() async throws {
        try await withBus { bus in
            let session = try await TerminalSession.start(
                on: bus,
                program: "/bin/sh",
                [
                    "-c",
                    """
                    trap true INT; "$0" run --no-autostart -- sh -c '
                        trap "echo interrupted" INT; test -t 2 && echo tty >&2
                        read x </dev/tty; echo "read $x"
                        while ! read y </dev/tty; do :; done; echo "then $y"' | (trap "" INT; cat)
                    """,
                    try Programs.progressbus(),
                ]
            )
            try await session.wait(for: "tty")
            try await session.type("typed\r")
            try await session.wait(for: "read typed")
            try await session.press("Ctrl-C")
            try await session.wait(for: "interrupted")
            try await session.type("again\r")
            let screen = try await session.wait(for: "then again")
            #expect(screen.lines.filter { $0.contains("interrupted") }.count == 1, "\(screen)")
            try await session.end()
        }
    }

    @Test(
        "pv in a pipeline shows its bar and is read; Ctrl-Z and Ctrl-C reach all of the pipeline",
        .enabled(if: Programs.isInstalled("pv"), "there is no pv on this machine"),
        arguments: [
            "$0 run -- pv -L 400k $1 | gzip", "cat $1 | $0 run -- pv -s 3000000 -L 400k | cat",
        ]
    )
    func pv(line: String) async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let contents = Data((0..<3_000_000).map { _ in UInt8.random(in: 0...255) })
            try contents.write(to: URL(fileURLWithPath: bus.path("in")))
            let session = try await TerminalSession.start(
                on: bus,
                program: "/bin/bash",
                [
                    "-c", "trap 'echo interrupted >&2' INT; \(line) > $2; echo done >&2",
                    try Programs.progressbus(), bus.path("in"), bus.path("out"),
                ]
            )
            try await session.wait(for: "ETA")
            try await bus.status("it is read") { ($0.jobs.first?.completed ?? 0) > 0 }
            try await session.press("Ctrl-Z")
            try await session.wait(forState: "stopped")
            let held = try await bus.status("paused") { $0.jobs.first?.state == "paused" }
            let run = Int32(try #require(held.jobs.first?.process?.pid))
            try await eventually("run is stopped too") { processState(run) == "T" }
            try await session.resume()
            try await bus.status("running") { $0.jobs.first?.state == "running" }
            let screen = try await session.wait(for: "done", within: .seconds(30))
            #expect(screen.text.contains("100%"), "\(screen)")
            let end = try await session.end()
            #expect(end.state == "exited 0" && end.line?.asBefore == true, "\(end)")
            let look = line.hasSuffix("gzip") ? "zcat $HERE/out" : "cat $HERE/out"
            let same = try await bus.runScript("\(look) | cmp - $HERE/in")
            #expect(same.end == .exited(0), "byte for byte: \(same)")
            let job = try #require(try await bus.status().jobs.first)
            #expect(job.state == "succeeded" && job.completed == job.total, "\(job)")

            let ended = try await TerminalSession.start(
                on: bus,
                program: "/bin/bash",
                [
                    "-c", "trap 'echo interrupted >&2' INT; \(line) > $2",
                    try Programs.progressbus(), bus.path("in"), bus.path("out"),
                ]
            )
            try await ended.wait(for: "ETA")
            try await ended.press("Ctrl-C")
            try await ended.wait(for: "interrupted")
            try await bus.status("it was cancelled") {
                $0.jobs.contains { $0.state == "cancelled" }
            }
            try await ended.end()
        }
    }

    @Test(
        "pv into a file stops by Ctrl-Z, although it stops itself by another signal",
        .enabled(if: Programs.isInstalled("pv"), "there is no pv on this machine")
    )
    func pvStops() async throws {
        try await withBus { bus in
            try Data(count: 3_000_000).write(to: URL(fileURLWithPath: bus.path("in")))
            let session = try await TerminalSession.start(
                on: bus,
                program: "/bin/sh",
                [
                    "-c", "exec \"$0\" run --no-autostart -- pv -L 1M \"$1\" > \"$2\"",
                    try Programs.progressbus(), bus.path("in"), bus.path("out"),
                ]
            )
            try await session.wait(for: "ETA")
            try await session.press("Ctrl-Z")
            try await session.wait(forState: "stopped")
            try await session.resume()
            try await session.wait(for: "100%")
            #expect(try await session.end().state == "exited 0")
            #expect(bus.contents("out")?.utf8.count == 3_000_000)
        }
    }

    @Test("Ctrl-Z in a pipeline stops the command and run")
    func suspendedPipeline() async throws {
        try await withBus { bus in
            let script = """
                echo $$ > '\(bus.path("pid"))'; echo ready >&2; read x </dev/tty; echo "got $x"; exit 8
                """
            let session = try await TerminalSession.start(
                on: bus,
                program: Programs.progressbus(),
                ["run", "--no-autostart", "--adapter", "none", "--", "sh", "-c", script]
            )
            try await session.wait(for: "ready")
            let pid = try await bus.number(in: "pid")
            try await session.press("Ctrl-Z")
            try await session.wait(forState: "stopped")
            #expect(processState(pid) == "T")
            try await session.resume()
            try await eventually("the command goes on") { processState(pid) == "S" }
            try await session.type("it\r")
            try await session.wait(for: "got it")
            #expect(try await session.end().state == "exited 8")
        }
    }
}
