import BusProtocol
import Foundation
import ProcessControl
import Testing

/// Commands on another machine that report to a bus with keys here.
@Suite(
    "Working over ssh for a bus with keys",
    .serialized,
    .transcript,
    .timeLimit(.minutes(5)),
    .enabled(if: RemoteMachine.isPossible, "no sshd is installed")
)
struct RemoteKeyTests {
    /// `ben` is a controller here, and nobody on the other machine.
    private func withMachine(
        _ body: (KeyedBus, RemoteMachine, [String: String]) async throws -> Void
    ) async throws {
        try await withBus { bus in
            let team = try await KeyedBus.start(on: bus)
            try await team.join("ben", as: .controller)
            let machine = try await RemoteMachine.start(on: bus)
            let variables = machine.environment.merging(team.variables(of: "ben")) { $1 }
            try await body(team, machine, variables)
        }
    }

    /// What the relay of a command has here.
    private func files(of run: ChildProcess) -> [String] {
        let all = try? FileManager.default.contentsOfDirectory(
            atPath: "/tmp/progressbus-\(getuid()).ssh"
        )
        return (all ?? []).filter { $0.hasPrefix("\(run.pid)-") }
    }

    /// What it has said on standard error, but for what ssh says of a new machine.
    private func complaints(of run: ChildProcess) -> [Substring] {
        run.errorOutput.split(whereSeparator: \.isNewline).filter {
            !$0.hasPrefix("Warning: Permanently added")
        }
    }

    private func job(
        _ title: String,
        of team: KeyedBus,
        _ what: String,
        _ isWanted: (StatusTask) -> Bool
    ) async throws -> StatusTask {
        var last = "no status yet"
        return try await eventually(what, within: .seconds(30), instead: { last }) {
            let job = try await team.status(seenBy: "anna").job(titled: title)
            last = "\(String(describing: job))"
            return job.flatMap { isWanted($0) ? $0 : nil }
        }
    }

    @Test("what reports there is below the task here: run, report, scripts and the library")
    func reporting() async throws {
        try await withMachine { team, _, variables in
            let script = """
                set -e
                "$0" run --title Inner -- sh -c 'exit 3' || true
                id=$("$0" begin Script --total 3 --strict)
                for n in 1 2 3; do "$0" advance "$id" --strict; done
                "$0" end "$id" --strict
                echo '{"op":"begin","id":"a","title":"Reported","total":3}
                {"op":"update","id":"a","completed":2}
                {"op":"end","id":"a","state":"failed","reason":"no disk"}
                {"op":"end","id":"root","state":"failed"}' | "$0" report --title Around
                """
            let words = ["--title", "Outer", "far", "--", "sh", "-c", script]
            let run = try team.bus.start(
                "ssh",
                words + [try Programs.progressbus()],
                adding: variables
            )
            #expect(try await run.finish() == .exited(0), "\(run.errorOutput)")
            #expect(complaints(of: run).isEmpty)
            let outer = try await job("Outer", of: team, "three parts") {
                $0.children.count == 3
            }
            let parts = Dictionary(uniqueKeysWithValues: outer.children.map { ($0.title, $0) })
            #expect(parts["Inner"]?.state == "failed")
            #expect(parts["Inner"]?.reason?.contains("exit status 3") == true)
            #expect(parts["Script"]?.state == "succeeded" && parts["Script"]?.completed == 3)
            #expect(parts["Around"]?.children.map(\.reason) == ["no disk"], "\(outer)")
            let waited = try await team.run("anna", "wait", outer.id)
            #expect(waited.end == .exited(0), "\(waited)")
            #expect(files(of: run).isEmpty)
        }
    }

    @Test("who looks, asks or commands there is refused in words, whatever this member may do")
    func refused() async throws {
        try await withMachine { team, _, variables in
            let commands = ["status", "watch --once", "cancel Outer", "wait Outer"]
            let script = """
                for words in "\(commands.joined(separator: "\" \""))" doctor; do
                said=$("$0" $words 2>&1); status=$?
                case $said in *"may only report"*) said=refused;; esac
                echo "$words: $status $said"
                done
                """
            let words = ["--title", "Outer", "far", "--", "sh", "-c", script]
            let run = try team.bus.start(
                "ssh",
                words + [try Programs.progressbus()],
                adding: variables
            )
            #expect(try await run.finish() == .exited(0), "\(run.errorOutput)")
            for command in commands {
                let line = run.output.split(separator: "\n").first {
                    $0.hasPrefix(command + ": ")
                }
                #expect(line?.hasSuffix(" refused") == true, "\(run.output)")
                #expect(line?.hasPrefix(command + ": 0 ") == false, "\(run.output)")
            }
            #expect(run.output.contains("doctor: 0 "), "\(run.output)")
            #expect(complaints(of: run).isEmpty)
            _ = try await job("Outer", of: team, "it was not cancelled") {
                $0.state == "succeeded"
            }
        }
    }

    @Test("to cancel its task here cancels what reports there, through the relay")
    func cancelled() async throws {
        try await withMachine { team, _, variables in
            let words = ["--title", "Outer", "far", "--", try Programs.progressbus(), "run"]
            let inner = ["--title", "Inner", "--", "sleep", "1000"]
            let run = try team.bus.start("ssh", words + inner, adding: variables)
            _ = try await job("Outer", of: team, "it runs") {
                $0.children.first?.state == "running"
            }
            #expect(try await team.run("anna", "cancel", "Outer").end == .exited(0))
            #expect(try await run.finish() == .exited(143), "\(run.errorOutput)")
            _ = try await job("Outer", of: team, "both are cancelled") {
                $0.state == "cancelled" && $0.children.map(\.state) == ["cancelled"]
            }
        }
    }

    @Test("commands on several machines have one relay")
    func many() async throws {
        try await withMachine { team, _, variables in
            let words = ["--title", "Many", "-j", "2", "--on", "far", "--"]
            let each = [
                try Programs.progressbus(), "run", "--title", "Part {}", "--", "true", ":::",
            ]
            let run = try team.bus.start(
                "run",
                words + each + ["1", "2", "3"],
                adding: variables
            )
            #expect(try await run.finish() == .exited(0), "\(run.errorOutput)")
            let many = try await job("Many", of: team, "all parts") { job in
                job.children.allSatisfy { $0.children.count == 1 } && job.children.count == 3
            }
            let titles = many.children.flatMap { $0.children.map(\.title) }.sorted()
            #expect(titles == ["Part 1", "Part 2", "Part 3"])
        }
    }

    @Test("what reports there goes on where the broker begins anew")
    func restarted() async throws {
        try await withMachine { team, _, variables in
            let worker = try await reporter(there: team, variables)
            let first = try #require(team.bus.children.last { $0.name.contains(" broker ") })
            first.send(SIGKILL)
            try await first.end()
            worker.update("root", #""completed":2"#)
            let second = try team.startBroker()
            try await eventually("it listens") { second.errorOutput.contains("listening") }
            _ = try await job("Outer", of: team, "what was said meanwhile") {
                $0.children.first?.completed == 2
            }
            worker.update("root", #""completed":3"#)
            _ = try await job("Outer", of: team, "and what is said since") {
                $0.children.first?.completed == 3
            }
            worker.end("root", "succeeded")
            #expect(try await worker.process.finish() == .exited(0))
        }
    }

    @Test(
        "a member that is revoked reports nothing from there, and again once it has joined again"
    )
    func revoked() async throws {
        try await withMachine { team, _, variables in
            let worker = try await reporter(there: team, variables)
            #expect(try await team.run("anna", "revoke", "ben").end == .exited(0))
            worker.update("root", #""completed":2"#)
            try await eventually("it is told", within: .seconds(20)) {
                worker.process.errorOutput.contains("no member's") ? true : nil
            }
            _ = try await job("Outer", of: team, "nothing has come") {
                $0.children.first?.completed == 1
            }
            let token = try await team.invite("--role", "controller")
            let joined = try await team.join("ben", by: token, "--replace")
            #expect(joined.end == .exited(0), "\(joined)")
            worker.update("root", #""completed":3"#)
            _ = try await eventually("what it says comes again", within: .seconds(60)) {
                let tasks = try await team.status(seenBy: "anna").allTasks
                return tasks.contains { $0.title == "Around" && $0.completed == 3 } ? true : nil
            }
            worker.end("root", "succeeded")
            _ = try await worker.process.finish()
        }
    }

    @Test("what reports there goes on where the broker takes another key")
    func renewed() async throws {
        try await withMachine { team, _, variables in
            let worker = try await reporter(there: team, variables)
            #expect(try await team.run("anna", "renew", "--broker").end == .exited(0))
            let next = try #require(try team.membership(of: "anna").nextServer)
            try await eventually("this member has been told") {
                try team.membership(of: "ben").nextServer == next ? true : nil
            }
            let taken = try await team.run("anna", "renew", "--broker", "--now")
            #expect(taken.end == .exited(0), "\(taken)")
            worker.update("root", #""completed":2"#)
            try await worker.sync()
            _ = try await job("Outer", of: team, "what is said since") {
                $0.children.first?.completed == 2
            }
            worker.end("root", "succeeded")
            #expect(try await worker.process.finish() == .exited(0))
            #expect(complaints(of: worker.process).isEmpty)
            _ = try await job("Outer", of: team, "both have succeeded") {
                $0.state == "succeeded" && $0.children.map(\.state) == ["succeeded"]
            }
        }
    }

    /// A worker on the other machine, below `Outer` here, that has done one of nine.
    private func reporter(
        there team: KeyedBus,
        _ variables: [String: String]
    ) async throws -> Reporter {
        let words = ["--title", "Outer", "far", "--", try Programs.progressbus(), "report"]
        let worker = Reporter(
            try team.bus.start("ssh", words + ["--title", "Around"], adding: variables)
        )
        worker.update("root", #""completed":1,"total":9"#)
        try await worker.sync()
        return worker
    }

    @Test("what a killed one has left here goes with the next one")
    func leftovers() async throws {
        try await withMachine { team, machine, variables in
            let words = ["far", "--", "sh", "-c", "echo there; read -r line"]
            let killed = try team.bus.start("ssh", words, adding: variables)
            try await eventually("it runs") { killed.output.contains("there") }
            let there = machine.connections()
            killed.send(SIGKILL)
            try await killed.end()
            try await eventually("nothing of it runs", within: .seconds(20)) {
                there.allSatisfy { kill($0, 0) != 0 }
            }
            // Whoever else begins meanwhile takes it away too.
            #expect(files(of: killed).count <= 1)
            let next = try team.bus.start("ssh", ["far", "--", "true"], adding: variables)
            #expect(try await next.finish() == .exited(0), "\(next.errorOutput)")
            #expect(files(of: killed).isEmpty && files(of: next).isEmpty)
        }
    }
}
