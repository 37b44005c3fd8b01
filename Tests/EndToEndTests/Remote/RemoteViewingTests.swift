import Foundation
import ProcessControl
import Testing

/// The bus of another machine through ssh, with a real sshd.
@Suite(
    "Looking over ssh",
    .serialized,
    .transcript,
    .timeLimit(.minutes(5)),
    .enabled(if: RemoteMachine.isPossible, "no sshd is installed")
)
struct RemoteViewingTests {
    /// A bus with one job at 42 %, which viewers reach through ssh alone.
    private func withRemoteJob(
        isKnown: Bool = true,
        _ body: (TemporaryBus, RemoteMachine, Reporter) async throws -> Void
    ) async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let worker = try bus.startReporter()
            let fields = #""total":100,"key":"photos","cancellable":true,"pausable":true"#
            worker.begin("a", "Back up photos", fields)
            worker.update("a", #""completed":42"#)
            try await worker.sync()
            try await body(bus, try await .start(on: bus, isKnown: isKnown), worker)
        }
    }

    private func run(
        _ words: [String],
        on bus: TemporaryBus,
        _ machine: RemoteMachine
    ) async throws -> CommandResult {
        let child = try bus.start(words[0], Array(words.dropFirst()), adding: machine.environment)
        let end = try await child.finish()
        return CommandResult(end: end, output: child.output, errorOutput: child.errorOutput)
    }

    /// Starts a viewer over ssh, and returns when it shows the job.
    private func watch(
        _ option: String,
        on bus: TemporaryBus,
        _ machine: RemoteMachine
    ) async throws -> ChildProcess {
        let words = [option, "--on", RemoteMachine.name]
        let viewer = try bus.start("watch", words, adding: machine.environment)
        try await eventually("the job") { viewer.output.contains("Back up photos") }
        return viewer
    }

    /// Directories of tunnels of this user.
    private func tunnels() -> Set<String> {
        let parent = "/tmp/progressbus-\(getuid()).ssh"
        return Set((try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [])
    }

    @Test("status shows what it shows there, by --on and by ssh://, and leaves nothing behind")
    func status() async throws {
        try await withRemoteJob { bus, machine, _ in
            let ways = [
                ["--on", RemoteMachine.name], ["--endpoint", "ssh://far\(bus.socketDirectory)"],
            ]
            for way in ways {
                let here = try await run(["status"] + way, on: bus, machine)
                #expect(here.end == .exited(0), "\(here)")
                #expect(here.output.contains("1  Back up photos: 42%, 42 of 100"), "\(here)")
            }
            let pid = try bus.start(
                "status",
                ["--on", RemoteMachine.name],
                adding: machine.environment
            )
            try await pid.finish()
            #expect(!tunnels().contains { $0.hasPrefix("\(pid.pid)-") }, "\(tunnels())")
            try await eventually("no connection is left") { machine.connections().isEmpty }
        }
    }

    @Test("cancel reaches the worker there")
    func cancel() async throws {
        try await withRemoteJob { bus, machine, worker in
            let result = try await run(["cancel", "--on", "far", "photos"], on: bus, machine)
            #expect(result.end == .exited(0), "\(result)")
            try await eventually("the request") { worker.process.output.contains("cancel") }
        }
    }

    @Test("pause, resume and dismiss are asked there, and wait ends as the job there")
    func requests() async throws {
        try await withRemoteJob { bus, machine, worker in
            for verb in ["pause", "resume"] {
                let result = try await run([verb, "--on", "far", "photos"], on: bus, machine)
                #expect(result.end == .exited(0), "\(result)")
                try await eventually("the request") { worker.process.output.contains(verb) }
            }
            let words = ["--on", "far", "photos"]
            let wait = try bus.start("wait", words, adding: machine.environment)
            worker.end("a", "failed")
            #expect(try await wait.finish() == .exited(1), "\(wait.errorOutput)")
            let dismissed = try await run(["dismiss", "--on", "far", "photos"], on: bus, machine)
            #expect(dismissed.end == .exited(0), "\(dismissed)")
            try await bus.status("it has left") { $0.jobs.isEmpty }
        }
    }

    @Test("no machine, no broker, no ssh: 69 and a sentence that says which")
    func missing() async throws {
        try await withRemoteJob { bus, machine, _ in
            let nobody = try await run(["status", "--on", "nobody.invalid"], on: bus, machine)
            #expect(nobody.end == .exited(69), "\(nobody)")
            #expect(nobody.errorOutput.contains("no connection to nobody.invalid"), "\(nobody)")
            #expect(nobody.errorOutput.contains("Could not resolve hostname"), "\(nobody)")

            let empty = "ssh://far\(bus.directory)/none"
            let without = try await run(["status", "--endpoint", empty], on: bus, machine)
            #expect(without.end == .exited(69), "\(without)")
            #expect(without.errorOutput.contains("no broker"), "\(without)")

            var environment = machine.environment
            environment["PATH"] = bus.directory
            let child = try bus.start("status", ["--on", "far"], adding: environment)
            #expect(try await child.finish() == .exited(69))
            #expect(child.errorOutput.contains("ssh cannot be started"), "\(child.errorOutput)")
        }
    }

    @Test("words that are no machine, and reporting over ssh://: 64")
    func usage() async throws {
        try await withRemoteJob { bus, machine, _ in
            for words in [["status", "--on", "-oProxyCommand=x"], ["status", "--on=a b"]] {
                let result = try await run(words, on: bus, machine)
                #expect(result.end == .exited(64), "\(result)")
            }
            let result = try await run(["begin", "x", "--endpoint", "ssh://far"], on: bus, machine)
            #expect(result.end == .exited(64), "\(result)")
            #expect(result.errorOutput.contains("is for looking"), "\(result)")
        }
    }

    @Test("a lost connection: the picture stays and is said to be old, and it comes back by itself")
    func lostConnection() async throws {
        try await withRemoteJob { bus, machine, worker in
            let session = try await TerminalSession.start(
                on: bus,
                ["watch", "--on", "far"],
                environment: machine.environment
            )
            try await session.wait(for: "Back up photos")
            try await machine.leave()
            try await session.wait(forPattern: "updated [0-9]+ s ago")
            #expect(try await session.screen().text.contains("Back up photos"))
            worker.update("a", #""completed":43"#)
            try await machine.comeBack()
            try await session.wait(for: "43%")
            try await session.press("q")
            #expect(try await session.end().state == "exited 0")
            try await eventually("no connection is left") { machine.connections().isEmpty }
        }
    }

    @Test("an ssh that was killed leaves nothing that is in the way of the next")
    func killedConnection() async throws {
        try await withRemoteJob { bus, machine, worker in
            let viewer = try await watch("--json", on: bus, machine)
            let connections = ProcessTree.descendants(of: viewer.pid)
            #expect(!connections.isEmpty)
            for pid in connections { kill(pid, SIGKILL) }
            worker.update("a", #""detail":"said meanwhile""#)
            try await eventually("it comes back") { viewer.output.contains("said meanwhile") }
        }
    }

    @Test("a broker there that was killed and left its sockets is started again by who looks")
    func killedBroker() async throws {
        try await withBus { bus in
            let machine = try await RemoteMachine.start(on: bus, hasProgram: true)
            let none = try await run(["status", "--on", "far"], on: bus, machine)
            #expect(none.end == .exited(69) && none.errorOutput.contains("no broker"), "\(none)")
            let broker = try await bus.startBroker()
            #expect(try await bus.run("run", "--title", "Nightly", "--", "false").end == .exited(1))
            broker.send(SIGKILL)
            try await broker.end()
            let found = try await run(["status", "--on", "far"], on: bus, machine)
            #expect(found.end == .exited(0), "\(found)")
            #expect(found.output.contains("Nightly: failed"), "\(found)")
        }
    }

    @Test("what ssh asks comes before the dashboard has the terminal")
    func question() async throws {
        try await withRemoteJob(isKnown: false) { bus, machine, _ in
            let session = try await TerminalSession.start(
                on: bus,
                ["watch", "--on", "far"],
                environment: machine.environment
            )
            try await session.wait(for: "continue connecting")
            #expect(try await session.screen().alternate == false)
            try await session.type("yes\r")
            try await session.wait(for: "Back up photos")
            #expect(try await session.screen().alternate)
            try await session.press("q")
            #expect(try await session.end().state == "exited 0")
        }
    }

    @Test("a viewer that is killed leaves no connection, and the next one removes its files")
    func killed() async throws {
        try await withRemoteJob { bus, machine, _ in
            let viewer = try await watch("--plain", on: bus, machine)
            #expect(tunnels().contains { $0.hasPrefix("\(viewer.pid)-") })
            viewer.send(SIGKILL)
            try await viewer.end()
            try await eventually("no connection is left") { machine.connections().isEmpty }
            _ = try await run(["status", "--on", "far"], on: bus, machine)
            #expect(!tunnels().contains { $0.hasPrefix("\(viewer.pid)-") }, "\(tunnels())")
        }
    }
}
