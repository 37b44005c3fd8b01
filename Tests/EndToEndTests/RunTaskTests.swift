import Foundation
import Testing

/// `progressbus run` on a bus: the task that a command is.
@Suite("run: the task of a command", .serialized, .transcript, .timeLimit(.minutes(5)))
struct RunTaskTests {
    /// A bus with a broker that keeps what has ended.
    private func withBroker(_ body: (TemporaryBus) async throws -> Void) async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            try await body(bus)
        }
    }

    @Test("it ends as the command does, and says why")
    func endings() async throws {
        try await withBroker { bus in
            let ends = [
                ("true", "succeeded", nil), ("sh -c 'exit 3'", "failed", "exit status 3"),
                ("sh -c 'kill -9 $$'", "failed", "killed by signal 9 (SIGKILL)"),
                ("no-such-command", "failed", "no-such-command: no such command"),
            ]
            for (number, (command, _, _)) in ends.enumerated() {
                _ = try await bus.runScript("$RUN --title T\(number) -- \(command)")
            }
            _ = try await bus.runScript("$RUN --key nightly -- /bin/sh -c 'exit 4' 'a b'")
            let report = try await bus.status()
            for (number, (_, state, reason)) in ends.enumerated() {
                let job = try #require(report.job(titled: "T\(number)"), "\(report)")
                #expect(job.state == state, "\(job)")
                #expect(job.reason?.hasPrefix(reason ?? "") ?? (reason == nil), "\(job)")
                #expect(job.cancellable && job.pausable)
            }
            #expect(report.job(titled: "sh -c 'exit 4' 'a b'")?.key == "nightly", "\(report)")
        }
    }

    @Test("cancel: SIGTERM to all it has started, SIGKILL to what is left after the grace")
    func cancel() async throws {
        try await withBroker { bus in
            let deaf = try bus.script(
                """
                $RUN --title Deaf --grace 0.5 -- sh -c 'trap "echo heard > $HERE/heard" TERM
                    sleep 300 & echo $! > $HERE/below
                    while :; do sleep 0.1; done'
                exit $?
                """
            )
            let below = try await bus.number(in: "below")
            try await bus.status("it runs") { $0.job(titled: "Deaf")?.state == "running" }
            #expect(try await bus.run("cancel", "key:Deaf").end == .exited(0))
            #expect(try await deaf.finish() == .exited(137))
            #expect(bus.contents("heard") == "heard\n")
            try await eventually("all is gone") { !isAlive(below) }
            let job = try #require(try await bus.status().job(titled: "Deaf"))
            #expect(job.state == "cancelled", "\(job)")
        }
    }

    @Test("cancel: what exits with 0 because of it is cancelled, what had done so before is not")
    func cancelAndSuccess() async throws {
        try await withBroker { bus in
            let asked = try bus.start(
                "run",
                ["--title", "Asked", "--", "sh", "-c"]
                    + ["trap 'exit 0' TERM; echo there; while :; do sleep 0.05; done"]
            )
            try await eventually("it runs") { asked.output.contains("there") }
            try await bus.status("it runs") { $0.job(titled: "Asked")?.state == "running" }
            #expect(try await bus.run("cancel", "key:Asked").end == .exited(0))
            #expect(try await asked.finish() == .exited(0))

            let done = try bus.start(
                "run",
                ["--title", "Done", "--", "sh", "-c", "echo $$; read -r line"]
            )
            let pid = try await eventually("it runs") {
                Int32(done.output.trimmingCharacters(in: .newlines))
            }
            try await bus.status("it runs") { $0.job(titled: "Done")?.state == "running" }
            // It can be told neither of the end nor of the cancel, and then of both at once.
            done.send(SIGSTOP)
            done.write("\n")
            try await eventually("it has ended") { processState(pid) == "Z" }
            let cancel = try bus.start("cancel", ["key:Done"])
            try await bus.status("it is asked") { $0.job(titled: "Done")?.state == "cancelling" }
            done.send(SIGCONT)
            #expect(try await done.finish() == .exited(0))
            // It may be told before the request that the task has ended.
            let answer = try await cancel.finish()
            #expect([.exited(0), .exited(69)].contains(answer), "\(cancel.output)")
            let report = try await bus.status()
            #expect(report.job(titled: "Asked")?.state == "cancelled", "\(report)")
            #expect(report.job(titled: "Done")?.state == "succeeded", "\(report)")
        }
    }

    @Test("cancel: what ignores SIGTERM is ended even if the command itself is gone")
    func cancelBelow() async throws {
        try await withBroker { bus in
            let child = try bus.script(
                """
                $RUN --title Leaving --grace 0.5 -- sh -c '(trap "" TERM; exec sleep 300) &
                    echo $! > $HERE/below; wait'
                exit $?
                """
            )
            let below = try await bus.number(in: "below")
            try await bus.status("it runs") { $0.job(titled: "Leaving")?.state == "running" }
            #expect(try await bus.run("cancel", "key:Leaving").end == .exited(0))
            #expect(try await child.finish() == .exited(143))
            try await eventually("all is gone") { !isAlive(below) }
        }
    }

    @Test("pause stops the command and what it has started, resume lets them go on")
    func pause() async throws {
        try await withBroker { bus in
            let child = try bus.script(
                """
                $RUN --title Held -- sh -c 'sleep 300 & echo $! > $HERE/below
                    echo $$ > $HERE/pid; wait'
                """
            )
            let pids = [try await bus.number(in: "below"), try await bus.number(in: "pid")]
            try await bus.status("it runs") { $0.job(titled: "Held")?.state == "running" }
            #expect(try await bus.run("pause", "key:Held").end == .exited(0))
            try await eventually("stopped") { pids.allSatisfy { processState($0) == "T" } }
            try await bus.status("paused") { $0.job(titled: "Held")?.state == "paused" }
            #expect(try await bus.run("resume", "key:Held").end == .exited(0))
            try await eventually("goes on") { pids.allSatisfy { processState($0) == "S" } }
            try await bus.status("running") { $0.job(titled: "Held")?.state == "running" }
            // Whoever stops it from outside is seen as well.
            kill(pids[1], SIGSTOP)
            try await bus.status("paused") { $0.job(titled: "Held")?.state == "paused" }
            #expect(try await bus.run("cancel", "key:Held").end == .exited(0))
            let end = try await child.finish()
            #expect(end == .exited(143))
        }
    }

    @Test("a hangup ends what is paused too", arguments: [[], ["-j", "1"]])
    func hangup(options: [String]) async throws {
        try await withBroker { bus in
            let arguments = ["--title", "Held"] + options + ["--", "sleep", "300"]
            let child = try bus.start("run", arguments + (options.isEmpty ? [] : [":::", "300"]))
            try await bus.status("it runs") { $0.job(titled: "Held")?.state == "running" }
            #expect(try await bus.run("pause", "key:Held").end == .exited(0))
            try await bus.status("paused") { $0.job(titled: "Held")?.state == "paused" }
            child.send(SIGHUP)
            #expect(try await child.finish() == .exited(129))
        }
    }

    @Test("signals to run reach the command, which decides", arguments: [SIGTERM, SIGHUP, SIGINT])
    func forwarding(signal: Int32) async throws {
        try await withBus { bus in
            let child = try bus.start(
                "run",
                [
                    "--no-autostart", "--", "sh", "-c",
                    "trap 'exit \(signal + 20)' \(signal); echo ready; while :; do sleep 0.05; done",
                ]
            )
            try await eventually("it is ready") { child.output == "ready\n" }
            child.send(signal)
            #expect(try await child.finish() == .exited(signal + 20))
        }
    }

    /// Most programs end by these, so that a script's children must not get what was meant for it.
    @Test(
        "SIGUSR1 and SIGUSR2 to run reach each command that it has started, and nothing below",
        arguments: [SIGUSR1, SIGUSR2],
        [[], ["-j2"]]
    )
    func forwardingToTheCommandAlone(signal: Int32, options: [String]) async throws {
        try await withBus { bus in
            let script = """
                sh -c 'echo below; while ! test -e \(bus.path("go")); do sleep 0.05; done; exit 7' &
                trap 'echo heard' \(signal); echo ready
                wait $!; while kill -0 $!; do wait $!; done 2>/dev/null; wait $!; echo "below $?"
                """
            let arguments = ["--no-autostart"] + options + ["--", "sh", "-c", script]
            let child = try bus.start("run", arguments + (options.isEmpty ? [] : [":::", "a"]))
            try await eventually("both are ready", instead: { child.output }) {
                child.output.contains("ready") && child.output.contains("below")
            }
            child.send(signal)
            try await eventually("the command hears it", instead: { child.output }) {
                child.output.contains("heard")
            }
            #expect(FileManager.default.createFile(atPath: bus.path("go"), contents: nil))
            #expect(try await child.finish() == .exited(0))
            #expect(child.output.contains("below 7"), "\(child.output)")
        }
    }

    @Test("a broker that is killed has the task again afterwards, with its ending")
    func brokerRestart() async throws {
        try await withBus { bus in
            let first = try await bus.startBroker("--linger", "600")
            let child = try bus.start(
                "run",
                [
                    "--title", "Through", "--", "sh", "-c",
                    "while ! test -e \(bus.path("go")); do sleep 0.05; done; exit 4",
                ]
            )
            try await bus.status("it runs") { $0.job(titled: "Through")?.state == "running" }
            first.send(SIGKILL)
            try await first.end()
            try await bus.status("it is back") { $0.job(titled: "Through")?.state == "running" }
            #expect(FileManager.default.createFile(atPath: bus.path("go"), contents: nil))
            #expect(try await child.finish() == .exited(4))
            let job = try #require(try await bus.status().job(titled: "Through"))
            #expect(job.state == "failed" && job.reason == "exit status 4", "\(job)")
        }
    }

    @Test("what it prints becomes numbers and parts, which end as it does")
    func adapters() async throws {
        try await withBroker { bus in
            let child = try bus.script(
                #"""
                $RUN --title Parts --pattern '{part} {percent}%' -- sh -c '
                    echo "alpha 40%"; printf "beta 5%%\rbeta 10%%\n" >&2; echo "gamma 100%"
                    while ! test -e $HERE/go; do sleep 0.05; done; echo "alpha 45%"; exit 2'
                exit $?
                """#
            )
            let job = try await bus.status("its parts are there") { report in
                let parts = report.job(titled: "Parts")?.children ?? []
                return parts.map(\.completed).sorted() == [1_000, 4_000, 10_000]
            }.job(titled: "Parts")
            let alpha = try #require(job?.child(titled: "alpha"))
            #expect(alpha.unit == "percent" && alpha.total == 10_000, "\(alpha)")
            let words = try await bus.run("status")
            #expect(words.output.contains("alpha: 40%"), "\(words)")
            #expect(!words.output.contains("4,000"), "\(words)")
            #expect(FileManager.default.createFile(atPath: bus.path("go"), contents: nil))
            #expect(try await child.finish() == .exited(2))
            let end = try await bus.status("it has ended") {
                $0.job(titled: "Parts")?.state == "failed"
            }.job(titled: "Parts")
            let last = try #require(end?.child(titled: "alpha"))
            #expect(last.state == "failed" && last.completed == 4_500, "\(last)")
        }
    }

    @Test(
        "what reports itself is not read as well, and what was read goes",
        arguments: [[], ["-j", "1"]]
    )
    func reportingCommand(options: [String]) async throws {
        try await withBroker { bus in
            let script = """
                for n in 1 2 3; do printf "\\rat $n%%"; sleep 0.1; done
                while ! test -e $HERE/report; do sleep 0.05; done
                ( echo '{"op":"begin","id":"a","title":"Inner","total":10}'
                  echo '{"op":"update","id":"a","completed":4}'
                  for n in 50 60; do printf "\\rat $n%%" >&2; sleep 0.2; done
                  while ! test -e $HERE/go; do sleep 0.05; done
                  echo '{"op":"end","id":"a","state":"succeeded"}' ) | $BUS report > $HERE/answers
                """
            try Data(script.utf8).write(to: URL(fileURLWithPath: bus.path("work.sh")))
            let one = options.isEmpty ? "" : "::: $HERE/work.sh"
            let child = try bus.script(
                """
                export HERE BUS
                $RUN --title Both \(options.joined(separator: " ")) -- sh \(options.isEmpty ? "$HERE/work.sh" : "") \(one)
                exit $?
                """
            )
            func command(_ report: StatusReport) -> StatusTask? {
                let job = report.job(titled: "Both")
                return options.isEmpty ? job : job?.children.first
            }
            try await bus.status("it is read") { command($0)?.completed == 300 }
            #expect(FileManager.default.createFile(atPath: bus.path("report"), contents: nil))
            let report = try await bus.status("what was read is gone") {
                command($0)?.children.isEmpty == false && command($0)?.total == nil
            }
            #expect(command(report)?.completed == 0, "\(report)")
            #expect(command(report)?.children.count == 1, "\(report)")
            #expect(FileManager.default.createFile(atPath: bus.path("go"), contents: nil))
            #expect(try await child.finish() == .exited(0))
        }
    }

    @Test("parts that were read of what reports itself then go without a trace")
    func reportingCommandWithParts() async throws {
        try await withBroker { bus in
            let script = """
                for n in 1 2 3; do
                    printf "files:  $n%%|#   | $n/100 [00:01<00:04,  2.00it/s]\\r"; sleep 0.1
                done
                while ! test -e $HERE/report; do sleep 0.05; done
                ( echo '{"op":"begin","id":"a","title":"Inner","total":10}'
                  while ! test -e $HERE/go; do sleep 0.05; done
                  echo '{"op":"end","id":"a","state":"succeeded"}' ) | $BUS report > $HERE/answers
                """
            try Data(script.utf8).write(to: URL(fileURLWithPath: bus.path("work.sh")))
            let child = try bus.script(
                "export HERE BUS; exec $RUN --title Both -- sh $HERE/work.sh"
            )
            func titles(_ report: StatusReport) -> [String]? {
                report.job(titled: "Both")?.children.map(\.title)
            }
            try await bus.status("the bar is a part") { titles($0) == ["files"] }
            #expect(FileManager.default.createFile(atPath: bus.path("report"), contents: nil))
            let report = try await bus.status("it has gone") { titles($0) == ["progressbus"] }
            #expect(report.job(titled: "Both")?.counts.cancelled == 0, "\(report)")
            #expect(FileManager.default.createFile(atPath: bus.path("go"), contents: nil))
            #expect(try await child.finish() == .exited(0))
        }
    }

    @Test(
        "why it failed has its last words, unless they are private",
        arguments: [[], ["-j", "1"]]
    )
    func lastWords(options: [String]) async throws {
        try await withBroker { bus in
            let many = options.isEmpty ? "" : "::: x"
            for (title, option) in [("Told", ""), ("Private", "--no-tail")] {
                _ = try await bus.runScript(
                    """
                    $RUN --title \(title) \(option) \(options.joined(separator: " ")) -- sh -c '
                        printf "10%%\\r20%%\\r\\033[31merror:\\033[0m no header\\nmake: *** Error 1\\n" >&2
                        exit 2' \(many)
                    """
                )
            }
            let report = try await bus.status()
            for (title, reason) in [
                ("Told", "exit status 2: error: no header | make: *** Error 1"),
                ("Private", "exit status 2"),
            ] {
                let job = try #require(report.job(titled: title))
                let command = options.isEmpty ? job : try #require(job.children.first)
                #expect(command.reason == reason, "\(job)")
            }
        }
    }

    @Test("no broker: one is started beside the command and has its ending")
    func autostart() async throws {
        try await withBus { bus in
            let result = try await bus.runScript("$RUN --title First -- sh -c 'echo x; exit 2'")
            #expect(result.end == .exited(2) && result.output == "x\n", "\(result)")
            #expect(result.errorOutput.isEmpty, "\(result)")
            try await bus.status("its ending") { $0.job(titled: "First")?.state == "failed" }
        }
    }

    @Test("a broker that does not answer changes nothing for the command")
    func stoppedBroker() async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker()
            broker.send(SIGSTOP)
            let result = try await bus.runScript("$RUN -- sh -c 'echo x; exit 3'")
            #expect(result.end == .exited(3) && result.output == "x\n", "\(result)")
            #expect(result.errorOutput.isEmpty, "\(result)")
        }
    }

    @Test("commands that report themselves are children, however they were started")
    func nesting() async throws {
        try await withBroker { bus in
            let result = try await bus.runScript(
                """
                $RUN --title Outer -- sh -c '
                    $BUS run --title Inner --share 5 -- $BUS report --title Leaf --finish succeeded </dev/null
                    $WORKER short --close & $WORKER short --close & wait'
                """
            )
            #expect(result.end == .exited(0), "\(result)")
            let report = try await bus.status("all have ended") { report in
                report.job(titled: "Outer")?.state == "succeeded"
            }
            let outer = try #require(report.job(titled: "Outer"))
            let inner = try #require(outer.child(titled: "Inner"), "\(report)")
            #expect(inner.share == 5 && inner.child(titled: "Leaf") != nil, "\(report)")
            #expect(outer.counts.succeeded >= 3, "\(report)")
            #expect(report.jobs.count == 1, "\(report)")
        }
    }

    @Test("a ticket in the environment is for run, and its command is below it")
    func ticket() async throws {
        try await withBroker { bus in
            let issuer = try bus.startReporter("--title", "Issuer")
            let ticket = try await issuer.ticket("Part", under: "root")
            let result = try await bus.runScript(
                "$RUN -- sh -c 'echo ${PROGRESSBUS_TICKET-none}; echo \"$PROGRESSBUS_PARENT\"'",
                adding: ["PROGRESSBUS_TICKET": ticket]
            )
            let lines = result.output.split(separator: "\n")
            #expect(lines.first == "none" && lines.count == 2, "\(result)")
            let part = try #require(
                try await bus.status("it has ended") {
                    $0.job(titled: "Issuer")?.child(titled: "Part")?.state == "succeeded"
                }.job(titled: "Issuer")?.child(titled: "Part")
            )
            #expect(part.title == "Part")
            _ = try await issuer.process.finish()
        }
    }

    @Test("a script that nothing runs is told from a name that is none")
    func interpreter() async throws {
        try await withBroker { bus in
            let result = try await bus.runScript(
                #"""
                printf '#!/bin/sh\r\ntrue\n' > crlf; chmod +x crlf; $RUN -- ./crlf; echo $?; rm crlf
                """#
            )
            #expect(result.output == "127\n", "\(result)")
            #expect(result.errorOutput.contains("what its first line names"), "\(result)")
        }
    }

    @Test("watch of a job prints what it says last, although its ending comes first")
    func lastWords() async throws {
        try await withBroker { bus in
            let result = try await bus.runScript(
                """
                $RUN --title last -- sh -c 'sleep 1; echo broken; exit 2' >/dev/null 2>&1 &
                until $BUS status last >/dev/null 2>&1; do sleep 0.05; done
                $BUS watch last
                wait
                """
            )
            let lines = result.output.split(separator: "\n")
            #expect(lines.count { $0.hasSuffix("last says: broken") } == 1, "\(result)")
        }
    }

    @Test("SIGTSTP from a process stops it and its command, not the script around it")
    func stoppedByProcess() async throws {
        try await withBroker { bus in
            // In a group of its own, which the shell around it may continue.
            let result = try await bus.runScript(
                """
                set -m
                (
                    set +m
                    $RUN --title stopped -- sleep 3 & run=$!
                    until $BUS status stopped >/dev/null 2>&1; do sleep 0.05; done
                    kill -TSTP $run
                    until $BUS status stopped | grep paused; do sleep 0.05; done
                    kill -CONT $run
                    wait $run; echo ended $?
                )
                kill -CONT -- -$! 2>/dev/null || true
                """
            )
            #expect(result.output.contains("paused"), "\(result)")
            #expect(result.output.contains("ended 0"), "\(result)")
        }
    }

    @Test("a full disk: the loss is said in words and is no success, on the bus neither")
    func fullDisk() async throws {
        try await withBroker { bus in
            let result = try await bus.runScript(
                """
                $RUN --title Full -- echo x >/dev/full; echo "one $?" >&2
                $RUN --title Own -- sh -c 'echo x; exit 3' >/dev/full; echo "own $?" >&2
                $RUN --title Many -j 2 -- echo ::: 1 2 3 >/dev/full; echo "many $?" >&2
                """
            )
            let why = "what it printed could not be written: No space left on device"
            let lines = result.errorOutput.split(separator: "\n")
            #expect(lines.filter { $0 == "progressbus: \(why)" }.count == 3, "\(result)")
            #expect(lines.contains("one 74") && lines.contains("own 3"), "\(result)")
            #expect(lines.contains("many 74"), "\(result)")
            let report = try await bus.status()
            for (title, reason) in [("Full", why), ("Own", "exit status 3: x"), ("Many", why)] {
                let job = try #require(report.job(titled: title))
                #expect(job.state == "failed" && job.reason == reason, "\(job)")
            }
        }
    }

    @Test("a key below a parent is refused in words, and the command runs all the same")
    func keyOfPart() async throws {
        try await withBroker { bus in
            let result = try await bus.runScript("$RUN --title Outer -- $RUN --key inner -- echo x")
            #expect(result.end == .exited(0) && result.output == "x\n", "\(result)")
            #expect(result.errorOutput.contains("--key has no effect here"), "\(result)")
        }
    }
}
