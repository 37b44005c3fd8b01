import Foundation
import ProcessControl
import Testing

/// Commands on another machine, with a real sshd.
@Suite(
    "Working over ssh",
    .serialized,
    .transcript,
    .timeLimit(.minutes(5)),
    .enabled(if: RemoteMachine.isPossible, "no sshd is installed")
)
struct RemoteRunTests {
    private func withMachine(
        _ body: (TemporaryBus, RemoteMachine, [String: String]) async throws -> Void
    ) async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let machine = try await RemoteMachine.start(on: bus)
            var environment = machine.environment
            environment["PROGRESSBUS_ENDPOINT"] = bus.endpoint
            try await body(bus, machine, environment)
        }
    }

    @Test("a command there: its words arrive as typed, its output, input and exit status come here")
    func command() async throws {
        try await withMachine { bus, machine, environment in
            let words = ["a b", "it's", "$HOME", "\"", "*", ""]
            let print = ["far", "--", "printf", "<%s>"] + words
            let printed = try bus.start("ssh", print, adding: environment)
            #expect(try await printed.finish() == .exited(0), "\(printed.errorOutput)")
            #expect(printed.output == words.map { "<\($0)>" }.joined(), "\(printed.output)")

            let script = "cat; echo no >&2; exit 3"
            let piped = try bus.start(
                "ssh",
                ["far", "--", "sh", "-c", script],
                adding: environment
            )
            piped.write("from here\n")
            #expect(try await piped.finish() == .exited(3))
            #expect(piped.output == "from here\n" && piped.errorOutput.contains("no\n"))
            let report = try await bus.status("two jobs") { $0.jobs.count == 2 }
            #expect(report.jobs.map(\.state).sorted() == ["failed", "succeeded"])
            #expect(report.jobs.allSatisfy { $0.title.hasSuffix("on far") }, "\(report)")
            try await nothing(runsOf: machine.connections(), on: machine)
        }
    }

    @Test("what reports there is below the task here, over sockets of its own")
    func reporting() async throws {
        try await withMachine { bus, _, environment in
            let program = try Programs.progressbus()
            let script = """
                echo $PROGRESSBUS_ENDPOINT
                \(program) run --title Inner -- true
                echo '{"op":"begin","id":"a","title":"Reported","total":3}
                {"op":"update","id":"a","completed":3}
                {"op":"end","id":"a","state":"succeeded"}
                {"op":"end","id":"root","state":"succeeded"}' | \(program) report --title Reported
                """
            let options = ["--title", "Outer", "far", "--", "sh", "-c", script]
            let run = try bus.start("ssh", options, adding: environment)
            #expect(try await run.finish() == .exited(0), "\(run.errorOutput)")
            #expect(run.output.hasPrefix("ipc:///tmp/progressbus-ssh."), "\(run.output)")
            let report = try await bus.status("two parts of one job") { report in
                report.job(titled: "Outer")?.children.count == 2
            }
            let job = try #require(report.job(titled: "Outer"))
            #expect(report.jobs.count == 1 && job.state == "succeeded")
            #expect(job.children.map(\.title).sorted() == ["Inner", "Reported"])
            #expect(job.children.allSatisfy { $0.state == "succeeded" })
            // By the name that the person has given the machine, as its command is.
            #expect(job.host == "far" && job.process?.host != "far", "\(job)")
            #expect(job.children.allSatisfy { $0.host == "far" }, "\(job)")
        }
    }

    @Test(
        "to cancel its task ends the command there and what it has started, by whichever of them it ends",
        arguments: [
            // It hears nothing of the bus: its connection is closed.
            "sleep 1000 & echo there; sleep 1000",
            // It is cancelled over the bus. What it has started holds its output, or does not, or
            // hears no signal.
            "sleep 1000 & echo there; $0 run -- sleep 1000",
            "sleep 1000 >/dev/null 2>&1 & echo there; $0 run -- sleep 1000",
            """
            (trap "" TERM; sleep 999; sleep 1000) >/dev/null 2>&1 &
            echo there; $0 run -- sh -c 'trap "exit 0" TERM; sleep 1000 & wait'
            """,
        ]
    )
    func cancel(script: String) async throws {
        try await withMachine { bus, machine, environment in
            let words = ["--", "sh", "-c", script, try Programs.progressbus()]
            let run = try bus.start("ssh", ["--title", "Long", "far"] + words, adding: environment)
            try await eventually("it runs") { run.output.contains("there") }
            if script.contains("run") {
                try await bus.status("its part runs") {
                    $0.job(titled: "Long")?.children.isEmpty == false
                }
            }
            let there = machine.connections()
            // To stop ssh would stop nothing there.
            #expect(try await bus.run("pause", "Long").end == .exited(77))
            let result = try await bus.run("cancel", "Long")
            #expect(result.end == .exited(0), "\(result)")
            try await run.end()
            try await bus.status("it is cancelled") { $0.job(titled: "Long")?.state == "cancelled" }
            try await nothing(runsOf: there, on: machine)
        }
    }

    @Test(
        "without its connection, or progressbus here, the command there and what it has started end",
        arguments: ["ssh", "progressbus"]
    )
    func severed(killed: String) async throws {
        try await withMachine { bus, machine, environment in
            let script = "(trap '' TERM; sleep 999; sleep 1000) & echo there; sleep 1000"
            let run = try bus.start("ssh", ["far", "--", "sh", "-c", script], adding: environment)
            try await eventually("it runs") { run.output.contains("there") }
            let there = machine.connections()
            let local = [run.pid] + ProcessTree.descendants(of: run.pid)
            for pid in local {
                let name = try String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8)
                if name.hasPrefix(killed == "ssh" ? "ssh\n" : "progressbus") { kill(pid, SIGKILL) }
            }
            try await run.end()
            try await nothing(runsOf: there + local.dropFirst(), on: machine)
        }
    }

    @Test("killed while ssh still connects: the command is not begun there")
    func killedBefore() async throws {
        try await withMachine { bus, machine, environment in
            let slow = "ProxyCommand=sh -c 'sleep 1; exec ssh -W %h:%p far'"
            let mark = bus.path("begun")
            let run = try bus.start(
                "ssh",
                ["far", "-o", slow, "--", "touch", mark],
                adding: environment
            )
            try await eventually("it connects") {
                ProcessTree.descendants(of: run.pid).contains { pid in
                    let name = try? String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8)
                    return name == "sleep\n"
                }
            }
            let local = ProcessTree.descendants(of: run.pid)
            run.send(SIGKILL)
            try await run.end()
            try await nothing(runsOf: local, on: machine)
            #expect(!FileManager.default.fileExists(atPath: mark))
        }
    }

    @Test("what a command there leaves behind stays where it has ended by itself")
    func leftBehind() async throws {
        try await withMachine { bus, machine, environment in
            let script = "sleep 1000 >/dev/null 2>&1 & echo $!; read -r line"
            let run = try bus.start("ssh", ["far", "--", "sh", "-c", script], adding: environment)
            let left = try await eventually("it runs") {
                Int32(run.output.trimmingCharacters(in: .newlines))
            }
            let there = machine.connections()
            #expect(there.contains(left))
            run.write("\n")
            #expect(try await run.finish() == .exited(0))
            try await nothing(runsOf: there.filter { $0 != left }, on: machine)
            #expect(kill(left, SIGKILL) == 0)
        }
    }

    @Test("what ends with 0 there has succeeded if nobody there has heard of the cancel")
    func successAfterCancel() async throws {
        try await withMachine { bus, machine, environment in
            let there = "echo there; read -r line"
            let done = try bus.start(
                "ssh",
                ["--title", "Done", "far", "--", "sh", "-c", there],
                adding: environment
            )
            try await eventually("it runs") { done.output.contains("there") }
            try await bus.status("it runs") { $0.job(titled: "Done")?.state == "running" }
            let processes = machine.connections()
            #expect(try await bus.run("cancel", "Done").end == .exited(0))
            done.write("\n")
            #expect(try await done.finish() == .exited(0))
            try await bus.status("it has succeeded") {
                $0.job(titled: "Done")?.state == "succeeded"
            }

            let inner = "trap 'exit 0' TERM; echo ready; while :; do sleep 0.05; done"
            let words = ["--", try Programs.progressbus(), "run", "--", "sh", "-c", inner]
            let options = ["--title", "Told", "far"]
            let told = try bus.start("ssh", options + words, adding: environment)
            try await eventually("it minds signals") { told.output.contains("ready") }
            try await bus.status("its part runs") {
                $0.job(titled: "Told")?.children.first?.state == "running"
            }
            #expect(try await bus.run("cancel", "Told").end == .exited(0))
            #expect(try await told.finish() == .exited(0))
            let status = try await bus.status("it is cancelled") {
                $0.job(titled: "Told")?.state == "cancelled"
            }
            let parts = status.job(titled: "Told")?.children.map(\.state)
            #expect(parts == ["cancelled"], "\(status)")
            try await nothing(runsOf: processes + machine.connections(), on: machine)
        }
    }

    @Test("what a command has there is where no other user is, and nobody cancels it by a file")
    func privateFiles() async throws {
        try await withMachine { bus, machine, environment in
            let script = """
                d=${PROGRESSBUS_ENDPOINT#ipc://}; stat -c %a "$d" "$d"/*
                sleep 1000 >/dev/null 2>&1 & echo "left $!"; read -r line
                """
            let run = try bus.start(
                "ssh",
                ["--title", "Open", "far", "--", "sh", "-c", script],
                adding: environment
            )
            let left = try await eventually("it runs", instead: { run.output }) {
                run.output.hasSuffix("\n")
                    ? run.output.firstMatch(of: /left (\d+)/).flatMap { Int32($0.1) } : nil
            }
            #expect(run.output.hasPrefix("700\n600\n600\n600\n"), "\(run.output)")
            let there = machine.connections()
            // Everybody on the other machine can read this name there.
            let name = try #require(
                machine.files().first { $0.hasSuffix(".ssh") }?.dropLast(".ssh".count)
            )
            let forged = "/tmp/\(name).cancelled"
            #expect(FileManager.default.createFile(atPath: forged, contents: nil))
            defer { unlink(forged) }
            run.write("\n")
            #expect(try await run.finish() == .exited(0))
            let known = ["\(name).cancelled"]
            try await nothing(runsOf: there.filter { $0 != left }, on: machine, but: known)
            #expect(kill(left, SIGKILL) == 0)
        }
    }

    /// All of these processes end, and of the commands no other file is left.
    private func nothing(
        runsOf processes: [Int32],
        on machine: RemoteMachine,
        but known: [String] = []
    ) async throws {
        try await eventually("nothing of it runs", within: .seconds(20)) {
            processes.allSatisfy { kill($0, 0) != 0 }
        }
        #expect(machine.hasConnected, "no file of it can be known")
        try await eventually("no file of it is left") { machine.files() == known }
    }

    @Test("to cancel its task cancels what reports there too, and it exits as what is cancelled")
    func cancelReporting() async throws {
        try await withMachine { bus, machine, environment in
            let script = """
                \(try Programs.progressbus()) run --title Inner -- sleep 1000
                sleep 1000
                """
            let options = ["--title", "Outer", "far", "--", "sh", "-c", script]
            let run = try bus.start("ssh", options, adding: environment)
            try await bus.status("it runs") {
                $0.job(titled: "Outer")?.children.contains { $0.title == "Inner" } == true
            }
            #expect(try await bus.run("cancel", "Outer").end == .exited(0))
            #expect(try await run.finish() == .exited(143))
            let status = try await bus.status("all is cancelled") {
                $0.job(titled: "Outer")?.state == "cancelled"
            }
            let inner = status.job(titled: "Outer")?.children.map(\.state)
            #expect(inner == ["cancelled"], "\(status)")
        }
    }

    @Test("its output is read here, and to end it ends the command there")
    func output() async throws {
        try await withMachine { bus, machine, environment in
            let script = "for i in 1 2 3; do echo $i/4; sleep 0.3; done; sleep 1000"
            let words = ["--title", "Counts", "far", "--", "sh", "-c", script]
            let run = try bus.start("ssh", words, adding: environment)
            try await bus.status("what it prints") {
                let job = $0.job(titled: "Counts")
                return job?.completed == 3 && job?.total == 4 && job?.host == "far"
            }
            let there = machine.connections()
            run.send(SIGTERM)
            #expect(try await run.finish() == .exited(143), "\(run.errorOutput)")
            try await nothing(runsOf: there, on: machine)
        }
    }

    @Test("to cancel many ends each there, and begins no more")
    func cancelMany() async throws {
        try await withMachine { bus, machine, environment in
            let words = ["--title", "Many", "-j", "2", "--on", "far", "--", "sh", "-c"]
            let arguments = ["sleep 1000 & echo $0; sleep 1000", ":::", "1", "2", "3", "4"]
            let run = try bus.start("run", words + arguments, adding: environment)
            try await eventually("two of them run") {
                run.output.split(separator: "\n").count == 2
            }
            let there = machine.connections()
            #expect(try await bus.run("cancel", "Many").end == .exited(0))
            try await run.end()
            let job = try #require(try await bus.status().job(titled: "Many"))
            #expect(job.state == "cancelled" && job.counts.cancelled == 2, "\(job)")
            try await nothing(runsOf: there, on: machine)
        }
    }

    @Test("to cancel a command that has something there leaves that the time to say how it ends")
    func cancelAround() async throws {
        try await withMachine { bus, machine, environment in
            let program = try Programs.progressbus()
            // What cleans up for a moment before it ends, and leaves something.
            let inner = "trap 'sleep 0.5; exit 0' TERM; while :; do sleep 0.1; done"
            let there = "sleep 1000 & \(program) run --title Inner -- sh -c \"$0\"; sleep 1000"
            let script = "\(program) ssh --title There far -- sh -c \"$0\" \"$1\" & wait"
            let words = ["--title", "Around", "--", "sh", "-c", script, there, inner]
            let run = try bus.start("run", words, adding: environment)
            func child(_ report: StatusReport) -> StatusTask? {
                report.job(titled: "Around")?.children.first?.children.first
            }
            try await bus.status("it runs") { child($0)?.title == "Inner" }
            let processes = machine.connections()
            #expect(try await bus.run("cancel", "Around").end == .exited(0))
            try await run.end()
            let status = try await bus.status("it is cancelled") {
                $0.job(titled: "Around")?.state == "cancelled"
            }
            #expect(child(status)?.state == "cancelled", "\(status)")
            try await nothing(runsOf: processes, on: machine)
        }
    }

    @Test("on a terminal it has one, and Ctrl-C and Ctrl-\\ there are its own")
    func terminal() async throws {
        try await withMachine { bus, machine, environment in
            let script = "trap 'echo dumped' QUIT; tty; echo ready; while :; do sleep 0.1; done"
            let session = try await TerminalSession.start(
                on: bus,
                ["ssh", "--title", "Typed", "far", "--", "sh", "-c", script],
                environment: environment
            )
            try await session.wait(for: "/dev/pts/")
            try await session.wait(for: "ready")
            try await session.press("Ctrl-\\")
            try await session.wait(for: "dumped")
            try await session.press("Ctrl-C")
            #expect(try await session.end().state == "exited 130")
            let job = try #require(try await bus.status().job(titled: "Typed"))
            #expect(job.state == "cancelled" && job.reason == "interrupted", "\(job)")
            try await eventually("no connection is left") { machine.connections().isEmpty }
        }
    }

    @Test("many commands on several machines: one that is not there is said once and left out")
    func many() async throws {
        try await withMachine { bus, machine, environment in
            let words = [
                "--title", "Many", "-j", "2", "--on", "far,nobody.invalid:1", "--", "sh", "-c",
                #"echo "$0"; exit $(($0 == 3 ? 255 : 0))"#, ":::", "1", "2", "3", "4", "5", "6",
            ]
            let run = try bus.start("run", words, adding: environment)
            // What says 255 itself has not lost its connection.
            #expect(try await run.finish() == .exited(254), "\(run.errorOutput)")
            let lines = run.output.split(separator: "\n").sorted()
            #expect(lines == ["1", "2", "3", "4", "5", "6"], "\(run.output)")
            let said = run.errorOutput.split(separator: "\n").map(String.init)
            #expect(said.filter { $0.contains("nobody.invalid is left out") }.count == 1, "\(said)")
            #expect(said.contains { $0.contains("1 of 6 failed") }, "\(said)")
            let status = try await bus.run("status", "--json", "Many")
            let report = try JSONDecoder().decode(
                StatusReport.self,
                from: Data(status.output.utf8)
            )
            let job = try #require(report.job(titled: "Many"), "\(status)")
            #expect(job.counts.succeeded == 5 && job.counts.failed == 1, "\(job)")
            #expect(job.children.count == 6 && job.total == 6, "\(job)")
            let counts = try #require(job.byHost?.hosts, "\(job)")
            #expect(counts.map(\.host) == ["far"] && counts.first?.counts.failed == 1, "\(counts)")
            try await eventually("no connection is left") { machine.connections().isEmpty }
        }
    }

    @Test("no machine of many can be reached: 255, and the job says so")
    func nobody() async throws {
        try await withMachine { bus, _, environment in
            let words = ["-j", "2", "--on", "nobody.invalid", "--", "true", ":::", "a", "b", "c"]
            let run = try bus.start("run", ["--title", "Many"] + words, adding: environment)
            #expect(try await run.finish() == .exited(255), "\(run.errorOutput)")
            let report = try await bus.status("it has failed") {
                $0.job(titled: "Many")?.state == "failed"
            }
            let reason = report.job(titled: "Many")?.reason
            #expect(reason == "no machine of --on can be reached; 0 of 3 were run")
        }
    }

    @Test("no machine: 255 with the words of ssh; no command: 64")
    func mistakes() async throws {
        try await withMachine { bus, _, environment in
            let nobody = try bus.start(
                "ssh",
                ["nobody.invalid", "--", "true"],
                adding: environment
            )
            #expect(try await nobody.finish() == .exited(255))
            #expect(nobody.errorOutput.contains("Could not resolve"), "\(nobody.errorOutput)")
            let report = try await bus.status("a job that failed") { $0.jobs.count == 1 }
            #expect(report.jobs[0].state == "failed")
            for words in [["far"], ["far", "true"], ["far", "--"], ["--", "true"]] {
                let result = try bus.start("ssh", words, adding: environment)
                #expect(try await result.finish() == .exited(64), "\(words)")
                #expect(result.errorOutput.contains("progressbus ssh HOST -- COMMAND"), "\(words)")
            }
            for option in ["-f", "-vN", "-V", "--title"] {
                let words = ["far", "-p", "22", option, "--", "true"]
                let result = try bus.start("ssh", words, adding: environment)
                #expect(try await result.finish() == .exited(64), "\(option)")
                #expect(result.errorOutput.contains(option.suffix(1)), "\(result.errorOutput)")
            }
            #expect(try await bus.status().jobs.count == 1)
        }
    }
}
