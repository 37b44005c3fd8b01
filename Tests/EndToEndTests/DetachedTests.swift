import Foundation
import Synchronization
import Testing
import ZeroMQ

/// `progressbus begin`, `update`, `advance` and `end`, as a script uses them.
@Suite("Detached tasks", .serialized, .transcript, .timeLimit(.minutes(8)))
struct DetachedTests {
    @Test(
        "A script begins, updates, advances and ends a task; each call starts a broker if need be"
    )
    func wholeLife() async throws {
        try await withBus { bus in
            let id = try await bus.begin(
                "Back up",
                "--total",
                "10",
                "--unit",
                "files",
                "--key",
                "photos",
                "--detail",
                "a.jpg"
            )
            try await bus.succeed("update", id, "--completed", "3", "--detail", "b.jpg")
            try await bus.succeed("advance", id)
            try await bus.succeed("advance", "id:" + id, "--by", "2")
            let running = try await bus.status("six of ten") { $0.task(id)?.completed == 6 }
            let task = try #require(running.task(id))
            #expect(task.process == nil)
            #expect(task.total == 10)
            #expect(task.key == "photos")
            #expect(task.detail == "b.jpg")
            #expect(task.unit == "files")
            #expect(task.state == "running")
            #expect(running.broker.sessions == 0)

            let first = try #require(bus.brokerPID)
            kill(first, SIGKILL)
            try await eventually("the broker is gone") { !bus.isListening }
            try await bus.succeed("update", id, "--total", "none", "--title", "Back up all")
            let after = try await bus.status("the task on the next broker") { $0.task(id) != nil }
            #expect(after.task(id)?.completed == 6)
            #expect(after.task(id)?.total == nil)
            #expect(after.task(id)?.title == "Back up all")
            #expect(after.task(id)?.slot == task.slot)

            try await bus.succeed("end", id, "--failed", "no space left")
            let ended = try await bus.status("it has failed") { $0.task(id)?.state == "failed" }
            #expect(ended.task(id)?.reason == "no space left")
            let late = try await bus.run("advance", id)
            #expect(late.end == .exited(65), "\(late)")
            #expect(late.errorOutput.contains("has ended: it has failed (no space left)"))
        }
    }

    @Test("end: --failed and --cancelled alike, with a reason, =REASON or none, before the id too")
    func endings() async throws {
        try await withBus { bus in
            for (state, arguments, reason) in [
                ("failed", ["--failed"], nil), ("failed", ["--failed=no ink"], "no ink"),
                ("cancelled", ["--cancelled"], nil), ("cancelled", ["--cancelled=late"], "late"),
                ("cancelled", ["--cancelled", "not needed"], "not needed"),
            ] as [(String, [String], String?)] {
                let id = try await bus.begin("Print")
                let ended = try await bus.run("end", [id] + arguments)
                #expect(ended.end == .exited(0) && ended.errorOutput.isEmpty, "\(ended)")
                let first = try await bus.status("\(arguments)") { $0.task(id)?.state == state }
                #expect(first.task(id)?.reason == reason, "\(arguments)")
                if arguments.count == 1 {
                    let other = try await bus.begin("Print again")
                    _ = try await bus.run("end", arguments + [other])
                    try await bus.status("\(arguments) first") { $0.task(other)?.state == state }
                }
            }
        }
    }

    @Test("200 calls of advance, 8 at a time, count exactly 200")
    func parallel() async throws {
        try await withBus { bus in
            let id = try await bus.begin("Count", "--total", "200")
            try await concurrently(0..<200, atATime: 8) { _ in
                try await bus.succeed("advance", id)
            }
            try await bus.status("200 of 200") { $0.task(id)?.completed == 200 }
        }
    }

    @Test(
        "200 calls of advance count exactly 200 though the broker is killed three times meanwhile"
    )
    func parallelWithKills() async throws {
        try await withBus { bus in
            let id = try await bus.begin("Count", "--total", "200")
            let killed = Mutex<Set<pid_t>>([])
            try await concurrently(0..<200, atATime: 8) { number in
                // In the middle of the calls beside this one.
                if [50, 100, 150].contains(number) {
                    let pid = try await eventually("a broker listens") { bus.brokerPID }
                    kill(pid, SIGKILL)
                    killed.withLock { _ = $0.insert(pid) }
                }
                try await bus.succeed("advance", id)
            }
            #expect(killed.withLock(\.count) == 3)
            try await bus.status("200 of 200") { $0.task(id)?.completed == 200 }
        }
    }

    #if DEBUG
    @Test(
        "A broker that dies between journal, answer and publication counts a repeated call once",
        arguments: [
            "before-journal", "while-journalling", "after-journal", "after-acknowledgement",
        ]
    )
    func killedBetweenSteps(point: String) async throws {
        try await withBus { bus in
            let doomed = try bus.start(
                "broker",
                ["--idle-exit", "300"],
                adding: ["PROGRESSBUS_KILL_FOR_TEST": point + ":3"]
            )
            try await eventually("the broker listens") { bus.isListening }
            let id = try await bus.begin("Count")
            for _ in 0..<5 { try await bus.succeed("advance", id) }
            #expect(try await doomed.end(within: .seconds(20)) == .signalled(SIGKILL))
            try await bus.status("5, on the next broker") { $0.task(id)?.completed == 5 }
        }
    }
    #endif

    @Test("Without a broker a script goes on, warned, with the id of no task")
    func goesOn() async throws {
        try await withBus { bus in
            let result = try await bus.runScript(
                """
                set -e; export PROGRESSBUS_PARENT="" 
                id=$($BUS begin Backup --no-autostart); echo "id $id"
                PROGRESSBUS_PARENT=$id $BUS begin Part --no-autostart --parent "$id"
                $BUS advance "$id"; $BUS update "$id" --completed 1; $BUS end "$id"; echo ended
                """
            )
            #expect(result.end == .exited(0), "\(result)")
            #expect(result.output == "id none\nnone\nended\n", "\(result)")
            let lines = result.errorOutput.split(separator: "\n")
            #expect(lines.count == 2 && lines.allSatisfy { $0.contains("warning: not shown") })
            let full = try await bus.runScript("$BUS begin Backup > /dev/full")
            #expect(full.end == .exited(74), "\(full)")
            #expect(full.errorOutput.contains("standard output"), "\(full)")
            try await bus.status("the task whose id is lost is taken back") {
                $0.jobs.map(\.state) == ["cancelled"]
            }
        }
    }

    @Test("Without a broker, --no-autostart and --strict: 69 and a sentence, at once")
    func noBroker() async throws {
        try await withBus { bus in
            let result = try await bus.run("begin", "Nothing", "--no-autostart", "--strict")
            #expect(result.end == .exited(69), "\(result)")
            #expect(result.errorOutput.contains("no broker listens on \(bus.endpoint)"))
            #expect(result.errorOutput.split(separator: "\n").count == 1)
            #expect(result.output.isEmpty)
            #expect(!bus.isListening)
        }
    }

    @Test("scripts take their share as the processes they are, not as one")
    func shares() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600", "--limit", "detached-tasks=4")
            for number in 1...4 {
                let result = try await bus.run("begin", "Part \(number)", "--strict")
                #expect(result.end == .exited(0), "\(number): \(result)")
            }
            let result = try await bus.run("begin", "Part 5", "--strict")
            #expect(result.errorOutput.contains("There are 4 detached tasks already"), "\(result)")
        }
    }

    @Test("--strict and the id of no task: 69, and why")
    func strictNone() async throws {
        try await withBus { bus in
            for arguments in [["advance", "none"], ["update", "none"], ["end", "none"]] {
                let result = try await bus.run(arguments[0], arguments[1], "--strict")
                #expect(result.end == .exited(69), "\(result)")
                #expect(result.errorOutput.contains("could not reach the bus"), "\(result)")
            }
            let part = try await bus.run("begin", "Part", "--parent", "none", "--strict")
            #expect(part.end == .exited(69) && part.output.isEmpty, "\(part)")
        }
    }

    @Test("A slot, a key and the beginning of an id name a task too; nobody asked is no answer")
    func names() async throws {
        try await withBus { bus in
            let alone = try await bus.run("advance", "12345678", "--no-autostart")
            #expect(alone.end == .exited(0), "\(alone)")
            #expect(alone.errorOutput.contains("warning: not shown on the bus: no broker listens"))
            let strict = try await bus.run("advance", "12345678", "--no-autostart", "--strict")
            #expect(strict.end == .exited(69), "\(strict)")
            let id = try await bus.begin("Season", "--key", "nightly")
            let slot = try #require(try await bus.status().task(id)?.slot)
            for name in ["nightly", "key:nightly", String(slot), String(id.prefix(8)), "id:" + id] {
                try await bus.succeed("advance", name)
            }
            try await bus.status("five") { $0.task(id)?.completed == 5 }
            let unknown = try await bus.run("advance", "12345678")
            #expect(unknown.end == .exited(65), "\(unknown)")
            let worker = try bus.startReporter()
            worker.begin("w", "Other")
            try await worker.sync()
            let foreign = try await bus.run("end", "Other")
            #expect(foreign.end == .exited(65), "\(foreign)")
            #expect(foreign.errorOutput.contains("belongs to the process"), "\(foreign)")
        }
    }

    @Test("An ending that nobody answers waits in the spool, and counts once")
    func spooledEnding() async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker()
            let ids = [try await bus.begin("One"), try await bus.begin("Two")]
            broker.send(SIGSTOP)
            let advanced = try await bus.run("advance", ids[0])
            let ended = try await bus.run("end", ids[0], "--failed", "no paper")
            for result in [advanced, ended] {
                #expect(result.end == .exited(0), "\(result)")
                #expect(result.errorOutput.contains("`kill -CONT \(broker.pid)`"), "\(result)")
            }
            #expect(ended.errorOutput.contains("waits in the spool"), "\(ended)")
            #expect(!advanced.errorOutput.contains("spool"), "\(advanced)")
            let doctor = try await bus.run("doctor")
            #expect(doctor.output.contains("process \(broker.pid), is stopped"), "\(doctor)")
            broker.send(SIGKILL)
            try await eventually("the broker is gone") { !bus.isListening }
            let alone = try await bus.run("end", ids[1], "--no-autostart")
            #expect(alone.end == .exited(0), "\(alone)")
            #expect(alone.errorOutput.contains("waits in the spool"), "\(alone)")
            try await bus.status("the next broker has both") {
                $0.task(ids[0])?.state == "failed" && $0.task(ids[0])?.reason == "no paper"
                    && $0.task(ids[1])?.state == "succeeded"
            }
        }
    }

    @Test("A broker that says nothing is waited for 1 s, and an ending waits in the spool")
    func silentBroker() async throws {
        try await withBus { bus in
            let id = try await bus.begin("Backup")
            let pid = try #require(bus.brokerPID)
            kill(pid, SIGKILL)
            try await eventually("the broker is gone") { !bus.isListening }
            do {
                let deaf = try ZeroMQSocket(.router, in: ZeroMQContext())
                try deaf.bind("ipc://\(bus.socketDirectory)/control")
                let clock = ContinuousClock()
                for (call, isKept) in [("advance", false), ("end", true)] {
                    let began = clock.now
                    let result = try await bus.run(call, id)
                    let spent = clock.now - began
                    #expect(result.end == .exited(0), "\(result)")
                    #expect(result.errorOutput.contains("within 1 s"), "\(result)")
                    #expect(
                        result.errorOutput.contains("waits in the spool") == isKept,
                        "\(result)"
                    )
                    #expect(spent > .seconds(1) && spent < .seconds(4.5), "\(spent)")
                }
            }
            try await bus.status("it has succeeded") { $0.task(id)?.state == "succeeded" }
        }
    }

    @Test("Texts that are too long are cut: no script ends by them")
    func cutTexts() async throws {
        try await withBus { bus in
            let id = try await bus.begin(String(repeating: "x", count: 201))
            try await bus.succeed("update", id, "--detail", String(repeating: "y", count: 501))
            let report = try await bus.status("cut") { $0.task(id)?.detail.isEmpty == false }
            #expect(report.task(id)?.title.utf8.count ?? 0 <= 200)
            #expect(report.task(id)?.detail.utf8.count ?? 0 <= 500)
            try await bus.succeed("end", id, "--failed", String(repeating: "z", count: 501))
            try await bus.succeed("end", id, "--failed", String(repeating: "z", count: 501))
        }
    }

    @Test("What is not there, has left, is no id or beyond a limit: 65 and a sentence that says so")
    func refused() async throws {
        try await withBus { bus in
            let id = try await bus.begin("Known")
            let unknown = "zz-" + id.split(separator: "-")[1]
            let cases: [([String], String)] = [
                (["advance", unknown], "there is no detached task \(unknown)"),
                (["update", "no-id", "--completed", "1"], "no task goes by \"no-id\""),
                (["end", "0-0000000000000"], "no task goes by"),
                (["begin", "Key", "--key", String(repeating: "x", count: 201)], "at most 200"),
                (["begin", "Part", "--parent", "key:nobody"], "there is no task key:nobody"),
            ]
            for (arguments, words) in cases {
                let child = try bus.start(arguments[0], Array(arguments.dropFirst()))
                #expect(try await child.finish(within: .seconds(30)) == .exited(65), "\(arguments)")
                let said = child.errorOutput.lowercased()
                #expect(said.contains(words), "\(arguments): \(said)")
                #expect(child.output.isEmpty)
            }
            for arguments in [["--total", "-1"], ["--expect-every", "0.5"]] {
                let child = try bus.start("begin", ["Wrong"] + arguments)
                #expect(try await child.finish() == .exited(64), "\(arguments)")
            }
        }
    }

    @Test("Scripts and programs begin children of one task, by --parent and by PROGRESSBUS_PARENT")
    func family() async throws {
        try await withBus { bus in
            let top = try await bus.begin("Season", "--total", "4")
            let below = ["PROGRESSBUS_PARENT": top]
            // Two scripts, each in a shell of its own.
            let script = #"id=$("$0" begin "$1" --total 2) && "$0" advance "$id" && echo "$id""#
            let program = try Programs.progressbus()
            let shells = try ["One", "Two"].map { title in
                try bus.start(
                    program: "/bin/sh",
                    ["-c", script, program, title],
                    adding: below
                )
            }
            for shell in shells { #expect(try await shell.finish() == .exited(0)) }
            let worker = try bus.startReporter("--title", "Worker", adding: below)
            try await worker.sync()
            let part = try await bus.begin("Part", "--parent", "key:Season", "--share", "2")
            let job = try await bus.run("begin", "Job", "--parent", "")
            #expect(job.end == .exited(0))

            let report = try await bus.status("four children and a job") {
                $0.task(top)?.children.count == 4 && $0.jobs.count == 2
            }
            let titles = report.task(top)?.children.map(\.title).sorted()
            #expect(titles == ["One", "Part", "Two", "Worker"])
            #expect(report.task(top)?.fraction == 0.25)
            #expect(report.task(part)?.share == 2)
            worker.end("root", "succeeded")
            #expect(try await worker.process.finish() == .exited(0))

            // Said to have succeeded, it waits for what still runs below it.
            try await bus.succeed("end", top)
            #expect(try await bus.status().task(top)?.state == "running")
            try await bus.succeed("end", part, "--cancelled")
            for shell in shells {
                try await bus.succeed("end", shell.output.trimmingCharacters(in: .newlines))
            }
            try await bus.status("all ended") { $0.task(top)?.state == "succeeded" }
        }
    }

    @Test("A viewer cancels it: done at once, and the script learns so from its next call")
    func cancelled() async throws {
        try await withBus { bus in
            let id = try await bus.begin("Long")
            let paused = try await bus.run("pause", id)
            #expect(paused.end == .exited(77), "\(paused)")
            let cancelled = try await bus.run("cancel", id)
            #expect(cancelled.end == .exited(0), "\(cancelled)")
            #expect(cancelled.output.hasPrefix("accepted: The broker has cancelled it"))
            let next = try await bus.run("update", id, "--completed", "1")
            #expect(next.end == .exited(65), "\(next)")
            #expect(next.errorOutput.contains("has been cancelled (cancelled by a viewer)"))
            try await bus.status("it is cancelled") { $0.task(id)?.state == "cancelled" }
        }
    }

    @Test(
        "A stopped broker: 75 in words after the timeout; nothing has changed, and it can be repeated"
    )
    func noAnswer() async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker()
            let id = try await bus.begin("Count")
            broker.send(SIGSTOP)
            let result = try await bus.run("advance", id, "--timeout", "1.5", "--strict")
            broker.send(SIGCONT)
            #expect(result.end == .exited(75), "\(result)")
            #expect(result.errorOutput.contains("within 1.5 s; nothing has changed"), "\(result)")
            try await bus.succeed("advance", id)
            try await bus.status("counted once") { $0.task(id)?.completed == 1 }
        }
    }

    @Test("A promise that is not kept: silent, then lost, and back with the next call")
    func promise() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker()
            let id = try await bus.begin("Promised", "--expect-every", "1")
            try await bus.status("silent") { $0.task(id)?.silent == true }
            let lost = try await bus.status("lost") { $0.task(id)?.state == "lost" }
            #expect(lost.task(id)?.reason?.contains("promised every 1 s") == true)
            try await bus.succeed("update", id)
            try await bus.status("back") { $0.task(id)?.state == "running" }
        }
    }
}

extension TemporaryBus {
    /// Begins a task and returns its id.
    func begin(_ title: String, _ options: String...) async throws -> String {
        // What a busy machine takes is not what is tested.
        let child = try start("begin", [title, "--timeout", "60"] + options)
        let end = try await child.finish(within: .seconds(30))
        try #require(end == .exited(0), "begin \(title): \(end) \(child.errorOutput)")
        return child.output.trimmingCharacters(in: .newlines)
    }

    /// Runs a command that must succeed and say nothing.
    func succeed(_ command: String, _ arguments: String...) async throws {
        let child = try start(command, arguments + ["--timeout", "60"])
        let end = try await child.finish(within: .seconds(90))
        #expect(end == .exited(0), "\(command) \(arguments): \(end) \(child.errorOutput)")
        #expect(child.output.isEmpty)
    }
}
