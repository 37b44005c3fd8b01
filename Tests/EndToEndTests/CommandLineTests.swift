import BusProtocol
import Foundation
import TaskTree
import Testing

/// Exit codes and outputs of the commands that only look.
@Suite("The command line", .serialized, .transcript, .timeLimit(.minutes(5)))
struct CommandLineTests {
    @Test("Without a broker: 69 and a sentence, and no broker is started")
    func withoutBroker() async throws {
        try await withBus { bus in
            for arguments in [["status"], ["status", "--json"], ["watch", "--once"], ["doctor"]] {
                let child = try bus.start(arguments[0], Array(arguments.dropFirst()))
                #expect(try await child.finish() == .exited(69), "\(arguments)")
                let words = child.errorOutput + child.output
                #expect(words.contains("broker"), "\(arguments): \(words)")
                if arguments[0] != "doctor" {
                    #expect(child.errorOutput.split(separator: "\n").count == 1, "one sentence")
                    #expect(child.output.isEmpty)
                }
            }
            let line = try await bus.run("status", "--line")
            #expect(line.end == .exited(0) && line.output.isEmpty && line.errorOutput.isEmpty)
            #expect(!bus.isListening)
        }
    }

    @Test("status answers soon where a broker is stopped, and where it has died")
    func deadBroker() async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker()
            broker.send(SIGSTOP)
            let stopped = try await bus.run("status")
            #expect(stopped.end == .exited(75), "it listens, and does not answer: \(stopped)")
            broker.send(SIGKILL)
            try await broker.end()
            let clock = ContinuousClock()
            let begin = clock.now
            let result = try await bus.run("status", "--no-autostart")
            #expect(result.end == .exited(69))
            #expect(begin.duration(to: clock.now) < .seconds(10), "expected about a second")
            let again = try await bus.run("status")
            #expect(again.end == .exited(0), "another shows what is left: \(again)")
        }
    }

    @Test("a broker that has no room: what only looks says the broker's own sentence and gives 75")
    func noRoom() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600", "--limit", "sessions=1")
            let worker = try bus.startReporter()
            worker.begin("a", "Job", #""key":"job""#)
            try await worker.sync()
            for arguments in [
                ["status"], ["watch", "--once"], ["watch", "--plain"], ["watch", "--plain", "job"],
                ["cancel", "--timeout", "1", "key:job"],
            ] {
                let child = try bus.start(arguments[0], Array(arguments.dropFirst()))
                #expect(try await child.finish() == .exited(75), "\(arguments)")
                #expect(child.errorOutput.contains("sessions"), "\(child.errorOutput)")
            }
            let doctor = try await bus.run("doctor")
            #expect(doctor.output.contains("refuses us"), "\(doctor)")
        }
    }

    @Test("status of a job by name, as JSON, says how many of its tasks are on which host")
    func hosts() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let worker = try bus.startReporter()
            worker.begin("a", "Spread", #""key":"spread""#)
            worker.begin("b", "Here", #""parent":"a""#)
            worker.begin("c", "Alone")
            try await worker.sync()
            let known = try await bus.status("all three") { $0.allTasks.count == 3 }
            let job = try #require(known.job(titled: "Spread"))
            let id = try #require(TaskID(job.id))
            let child = try #require(job.children.first)
            let here = try #require(job.process?.host)
            let peer = try HostilePeer(bus.endpoint)
            let frames = Self.failure(below: id, on: "~elsewhere").map { Frame.encode($0) }
            let isTaken = try await onOwnThread {
                try peer.say(frames) { if case .endingsJournalled = $0 { true } else { false } }
            }
            #expect(isTaken)

            for depth in [[], ["--depth", "0"]] {
                let words = ["--json", "key:spread", "id:\(id)", "Alone", "id:\(child.id)"]
                let said = try await bus.run("status", words + depth)
                let report = try JSONDecoder().decode(
                    StatusReport.self,
                    from: Data(said.output.utf8)
                )
                try #require(report.jobs.count == 4)
                for spread in report.jobs.prefix(2) {
                    let hosts = try #require(spread.byHost, "\(said)")
                    #expect(hosts.hosts.map(\.host) == [here, "~elsewhere"])
                    #expect(hosts.hosts.map(\.counts) == [.init(running: 1), .init(failed: 1)])
                    #expect(hosts.otherHosts == 0 && hosts.others == .init() && !hosts.partial)
                    #expect(spread.counts == .init(running: 1, failed: 1))
                    #expect(spread.children.allSatisfy { $0.byHost == nil })
                }
                #expect(report.jobs[2].byHost?.hosts == [], "nothing is below it")
                #expect(report.jobs[3].byHost == nil, "it is no job")
                try await SchemaCheck.expect([said.output], toBe: "status", on: bus)
            }
            #expect(try await bus.status().allTasks.allSatisfy { $0.byHost == nil })
        }
    }

    /// What a session on another host says of a failed task below one of another session.
    private static func failure(below parent: TaskID, on host: String) -> [WireClientFrame] {
        func frame(_ fill: (inout WireClientFrame) -> Void) -> WireClientFrame {
            var frame = WireClientFrame()
            frame.credentialBytes = Array(repeating: 7, count: ProtocolLimits.credentialBytes)
            fill(&frame)
            return frame
        }
        let hello = frame {
            $0.hello.session = 4_711
            $0.hello.process.pid = 4_711
            $0.hello.process.host = host
        }
        let failure = frame {
            var task = WireEnding()
            task.description_p.index = 1
            task.description_p.parent = WireTaskRef(parent)
            task.description_p.title = "Far"
            task.state = .failed
            task.reason = "no"
            $0.endings.sequence = 1
            $0.endings.endings = [task]
        }
        return [hello, failure]
    }

    @Test("status, its line, watch --once and plain watch show the same job")
    func views() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker("--linger", "600")
            let worker = try bus.startReporter()
            worker.begin("a", "Back up photos", #""total":100,"key":"photos""#)
            worker.begin("b", "Copy", #""parent":"a","share":50,"total":10"#)
            worker.begin("c", "Deep", #""parent":"b","share":1,"total":1"#)
            worker.update("a", #""completed":42"#)
            try await worker.sync()
            let three = try await bus.status("all three") { $0.allTasks.count == 3 }
            let copy = try #require(three.allTasks.first { $0.title == "Copy" }).id

            let plain = try await bus.run("status")
            #expect(plain.end == .exited(0) && plain.errorOutput.isEmpty)
            for word in ["Back up photos", "Copy", "Deep", "42"] {
                #expect(plain.output.contains(word), "\(plain)")
            }
            let line = try await bus.run("status", "--line")
            #expect(line.end == .exited(0))
            #expect(line.output.split(separator: "\n").count == 1)
            #expect(line.output.contains("Back up photos") && line.output.contains("42"))
            let shallow = try await bus.run("status", "--json", "--depth", "0")
            let report = try JSONDecoder().decode(
                StatusReport.self,
                from: Data(shallow.output.utf8)
            )
            #expect(report.allTasks.count == 1)
            #expect(report.jobs[0].counts == .init(running: 2))
            #expect(report.broker.tasks == 3 && report.broker.jobs == 1)

            let slot = try #require(report.jobs[0].slot)
            let named = try await bus.run("status", "--depth", "0", "\(slot)", "id:\(copy)")
            let titles = named.output.split(separator: "\n").map { $0.contains("Copy: ") }
            #expect(named.end == .exited(0) && titles == [false, true], "\(named)")
            let one = try await bus.run("status", "--json", "key:photos")
            let tree = try JSONDecoder().decode(StatusReport.self, from: Data(one.output.utf8))
            #expect(tree.allTasks.map(\.title) == ["Back up photos", "Copy", "Deep"])
            let none = try await bus.run("status", "photos", "key:films")
            #expect(none.end == .exited(65) && none.output.isEmpty, "\(none)")

            let once = try await bus.run("watch", "--once")
            #expect(once.end == .exited(0) && once.output.contains("Back up photos"), "\(once)")
            let json = try await bus.run("watch", "--once", "--json")
            #expect(json.end == .exited(0), "\(json)")
            for line in json.output.split(separator: "\n") {
                let event = try JSONDecoder().decode(WatchEvent.self, from: Data(line.utf8))
                #expect(!event.event.isEmpty)
            }
            let watch = try bus.start("watch", ["--plain"])
            try await eventually("plain lines", instead: { watch.errorOutput }) {
                watch.output.contains("Back up photos")
            }
            worker.update("a", #""completed":50"#)
            worker.end("c", "succeeded")
            worker.end("b", "succeeded")
            worker.end("a", "succeeded")
            try await eventually("the end in plain lines", instead: { watch.output }) {
                watch.output.contains("succeeded") || watch.output.contains("done")
            }
            #expect(!watch.output.contains("\u{1B}"), "plain lines have no control sequences")
            watch.send(SIGINT)
            #expect(try await watch.end() == .exited(0))
        }
    }

    @Test("doctor makes a round trip through all three sockets")
    func doctor() async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker()
            let result = try await bus.run("doctor")
            #expect(result.end == .exited(0), "\(result)")
            #expect(result.output.contains(bus.endpoint), "the endpoint in use")
            #expect(result.output.contains("PROGRESSBUS_ENDPOINT"), "where it comes from")
            #expect(result.output.contains("\(broker.pid)"), "the holder of the lock")
            #expect(result.output.split(separator: "\n").count >= 4)
            broker.send(SIGSTOP)
            let sick = try await bus.run("doctor", within: .seconds(60))
            broker.send(SIGCONT)
            #expect(sick.end == .exited(69), "a broker that does not answer: \(sick)")
        }
    }

    @Test("version names program, libzmq and protocol; a wrong argument is 64")
    func versionAndUsage() async throws {
        try await withBus { bus in
            let version = try await bus.run("version")
            #expect(version.end == .exited(0))
            let lines = version.output.split(separator: "\n").map { $0.split(separator: " ").first }
            #expect(lines == ["progressbus", "libzmq", "protocol"])
            let flag = try await bus.run("--version")
            #expect(flag.end == .exited(0) && flag.output == version.output, "\(flag)")
            for arguments in [["--nonsense"], ["status", "--depth", "x"], ["juggle"]] {
                let child = try bus.start(arguments[0], Array(arguments.dropFirst()))
                #expect(try await child.finish() == .exited(64), "\(arguments)")
                #expect(!child.errorOutput.isEmpty)
            }
            for (arguments, hint) in [
                (["statsu"], "did you mean \"status\"?"),
                (["juggle"], "`progressbus --help` lists all"),
                (["run", "--", "gzip", "{}", ":::", "a", "b"], "\":::\" is for -j"),
                (["watch", "--plain", "--read-only"], "for the dashboard"),
                (["watch", "--timeout", "3"], "--timeout is for --once"),
                (["pause", "x", "--yes"], "Unknown option '--yes'"),
                (["end"], "say which task"),
            ] {
                let refused = try await bus.run(arguments[0], Array(arguments.dropFirst()))
                #expect(refused.end == .exited(64), "\(refused)")
                #expect(refused.errorOutput.contains(hint), "\(refused)")
            }
            let bad = try await bus.run("status", "--endpoint", "gopher://nowhere")
            #expect(bad.end == .exited(64), "\(bad)")
            let directory = bus.path("open")
            try FileManager.default.createDirectory(
                atPath: directory,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o755]
            )
            let open = try await bus.run("broker", "--endpoint", "ipc://" + directory)
            #expect(open.end == .exited(73), "a directory that others can enter: \(open)")
            #expect(open.errorOutput.contains(directory), "\(open)")
        }
    }

    @Test("The whole bus also works over tcp on the loopback")
    func tcp() async throws {
        try await withBus { bus in
            // Three ports in a row; another process may take one of them, so try some bases.
            for _ in 0..<20 {
                let port = Int.random(in: 20_000..<60_000)
                let endpoint = "tcp://127.0.0.1:\(port)"
                let variables = ["PROGRESSBUS_ENDPOINT": endpoint]
                let broker = try bus.start("broker", ["--allow-local-tcp"], adding: variables)
                let worker = try bus.startReporter("--title", "Over tcp", adding: variables)
                worker.say(#"{"op":"sync"}"#)
                let event = try await worker.event("synced") { $0.event == "synced" }
                guard event.ok != false, broker.endIfAny() == nil else {
                    worker.process.destroy()
                    broker.destroy()
                    continue
                }
                let status = try bus.start("status", ["--json"], adding: variables)
                #expect(try await status.finish() == .exited(0), "\(status.errorOutput)")
                #expect(status.output.contains("Over tcp"))
                worker.end("root", "succeeded")
                #expect(try await worker.process.finish() == .exited(0))
                broker.send(SIGTERM)
                #expect(try await broker.end() == .exited(0))
                return
            }
            Issue.record("no three free ports found")
        }
    }
}
