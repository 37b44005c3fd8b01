import Foundation
import ProcessControl
import Testing

extension TemporaryBus {
    /// A task with all that is below it.
    fileprivate func whole(_ name: String) async throws -> StatusTask {
        let result = try await run("status", name, "--json")
        #expect(result.end == .exited(0), "\(result)")
        let report = try JSONDecoder().decode(StatusReport.self, from: Data(result.output.utf8))
        return try #require(report.jobs.first)
    }
}

/// Brokers of two hosts show one board, over a real nats-server on an address of our own.
@Suite("A fleet", .serialized, .transcript, .timeLimit(.minutes(5)))
struct FleetTests {
    private static var isPossible: Bool { Programs.isInstalled("nats-server") }

    /// The job that a line of `watch --json` shows, if it shows one.
    private static func job(inLine line: Substring) -> StatusTask? {
        struct Line: Decodable { var job: StatusTask }
        guard line.contains(#""event":"job""#) else { return nil }
        return try? JSONDecoder().decode(Line.self, from: Data(line.utf8)).job
    }

    private struct Host {
        let bus: TemporaryBus
        /// What its broker joins with.
        let options: [String]

        init(_ bus: TemporaryBus, port: Int) {
            self.bus = bus
            options = ["--join", "nats://127.0.0.1:\(port)", "--bus", "team"]
        }

        /// Starts the broker, which starts its bridge.
        @discardableResult
        func startBroker() async throws -> ChildProcess { try await bus.startBroker(options) }

        /// The bridge of its broker, once there is one.
        func bridge(otherThan former: pid_t? = nil) async throws -> pid_t {
            try await eventually("the broker has started its bridge") {
                let broker = try #require(bus.brokerPID)
                return ProcessTree.descendants(of: broker).first { $0 != former }
            }
        }

        /// How many pages its broker has.
        var pageCount: Int {
            let files = FileManager.default.enumerator(atPath: bus.stateDirectory)
            let file = files?.compactMap { $0 as? String }.first { $0.hasSuffix("/fleet") } ?? ""
            let text = FileManager.default.contents(atPath: bus.stateDirectory + "/" + file)
            let lines = String(decoding: text ?? Data(), as: UTF8.self).split(separator: "\n")
            return (lines.last ?? "").split(separator: " ").count - 1
        }

        /// Titles by slot, once they are these.
        func shows(_ board: [Int: String], _ what: String) async throws -> StatusReport {
            try await bus.status(what) { report in
                let shown = report.jobs.map { ($0.slot ?? 0, $0.title) }
                return Dictionary(shown) { first, _ in first } == board
            }
        }
    }

    /// A server, its port, and what it keeps.
    private func startServer(on bus: TemporaryBus, port: Int) async throws -> ChildProcess {
        let server = try bus.start(
            program: "/usr/bin/env",
            ["nats-server", "-a", "127.0.0.1", "-p", "\(port)", "-js", "-sd", bus.path("nats")]
        )
        try await eventually("nats-server listens", instead: { server.errorOutput }) {
            server.errorOutput.contains("Server is ready")
        }
        return server
    }

    private func withTwoHosts(
        _ body: (Host, Host, _ server: ChildProcess, _ port: Int) async throws -> Void
    ) async throws {
        try await withBus { near in
            let port = FreePort.any()
            let server = try await startServer(on: near, port: port)
            try await withBus { far in
                let hosts = [Host(near, port: port), Host(far, port: port)]
                // One after the other, so that it is known who has which pages.
                for (host, title) in zip(hosts, ["Near", "Far"]) {
                    try await host.startBroker()
                    _ = try await host.bus.run("begin", title, "--total", "10", "--key", title)
                    try await eventually("\(title) has a page") {
                        host.pageCount == 1
                    }
                }
                try await body(hosts[0], hosts[1], server, port)
            }
        }
    }

    @Test(
        "Both hosts show both jobs in the same slots, and what becomes of them",
        .enabled(if: isPossible)
    )
    func oneBoard() async throws {
        try await withTwoHosts { near, far, _, _ in
            let shown = try await near.shows([1: "Near", 65: "Far"], "both jobs")
            #expect(shown.jobs.allSatisfy { $0.state == "running" })
            _ = try await far.shows([1: "Near", 65: "Far"], "both jobs too")
            _ = try await far.bus.run("end", "Far", "--failed", "no paper")
            let failed = try await near.bus.status("the failure") { report in
                report.jobs.contains { $0.title == "Far" && $0.state == "failed" }
            }
            #expect(failed.jobs.first { $0.title == "Far" }?.reason == "no paper")
        }
    }

    @Test(
        "A script begins a task below a job of another host, advances it and ends it from there",
        .enabled(if: isPossible)
    )
    func scripts() async throws {
        try await withTwoHosts { near, far, _, _ in
            _ = try await far.shows([1: "Near", 65: "Far"], "both jobs")
            let begun = try await far.bus.run("begin", "Part", "--parent", "1", "--total", "4")
            #expect(begun.end == .exited(0), "\(begun)")
            let part = begun.output.trimmingCharacters(in: .newlines)
            let below = try await far.bus.run("begin", "Bit", "--parent", part, "--strict")
            #expect(below.end == .exited(0), "\(below)")
            let advanced = try await far.bus.run("advance", part, "--by", "3", "--strict")
            #expect(advanced.end == .exited(0), "\(advanced)")
            let seen = try #require(try await near.bus.whole("Near").children.first)
            #expect(seen.id == part && seen.completed == 3 && seen.children.count == 1)

            let broker = try #require(near.bus.brokerPID)
            kill(broker, SIGKILL)
            let warned = try await far.bus.run("end", part, "--failed", "no paper")
            #expect(warned.end == .exited(0) && warned.errorOutput.contains("warning"), "\(warned)")
            try await near.startBroker()
            try await eventually("the ending is said once the host is back") {
                try #require(try await near.bus.whole("Near").children.first).state == "failed"
            }
        }
    }

    @Test(
        "A job of another host is opened, found, asked to stop and dismissed from here",
        .enabled(if: isPossible)
    )
    func elsewhere() async throws {
        try await withTwoHosts { near, far, _, _ in
            let worker = try far.bus.startReporter()
            worker.begin("job", "Render", #""key":"render","cancellable":true"#)
            worker.begin("part", "Frame one", #""parent":"job","total":4"#)
            try await worker.sync()
            _ = try await near.shows([1: "Near", 65: "Far", 66: "Render"], "all jobs")

            let whole = try await near.bus.whole("render")
            #expect(whole.children.map(\.title) == ["Frame one"])
            let below = try #require(whole.children.first)
            #expect(try await near.bus.whole("id:\(below.id)").title == "Frame one")

            let watch = try near.bus.start("watch", ["render", "--json"])
            try await eventually("it is followed", instead: { watch.errorOutput }) {
                watch.output.contains("Frame one")
            }
            worker.update("part", #""completed":3"#)
            try await eventually("what changes is seen", instead: { watch.output }) {
                watch.outputLines.contains { $0.contains("Frame one") && $0.contains("75") }
            }

            #expect(try await near.bus.run("pause", "render").end == .exited(77))
            #expect(try await near.bus.run("cancel", "render").end == .exited(0))
            try await worker.event("cancel") { $0.event == "cancel" && $0.id == "job" }
            worker.end("part", "cancelled")
            worker.end("job", "failed", reason: "stopped")
            try await worker.sync()
            #expect(try await watch.finish(within: .seconds(20)) == .exited(0))
            _ = try await near.bus.status("the failure") {
                $0.job(titled: "Render")?.state == "failed"
            }
            #expect(try await near.bus.run("dismiss", "render").end == .exited(0))
            for host in [near, far] {
                _ = try await host.shows([1: "Near", 65: "Far"], "it is gone")
            }
        }
    }

    @Test(
        "A ticket redeemed on another host is in the job's tree, is cancelled with it, and ends there",
        .enabled(if: isPossible)
    )
    func ticketElsewhere() async throws {
        try await withTwoHosts { near, far, _, _ in
            let issuer = try near.bus.startReporter()
            issuer.begin("film", "Film", #""key":"film","cancellable":true"#)
            let tickets = [
                try await issuer.ticket("Scene one", under: "film"),
                try await issuer.ticket("Scene two", under: "film"),
            ]
            try await issuer.sync()
            let workers = try tickets.map {
                try far.bus.startReporter(
                    "--title",
                    "Render",
                    "--cancellable",
                    adding: ["PROGRESSBUS_TICKET": $0]
                )
            }
            for worker in workers {
                worker.begin("below", "Frame", #""parent":"root""#)
                worker.update("root", #""completed":1,"total":2"#)
                try await worker.sync()
            }
            let film = try await near.bus.status("both scenes") { report in
                let scenes = report.job(titled: "Film")?.children ?? []
                return scenes.count == 2
                    && scenes.allSatisfy { $0.state == "running" && $0.completed == 1 }
            }
            #expect(film.job(titled: "Film")?.counts.running == 4)
            // What is below a scene is read from the other host.
            let scene = try #require(film.job(titled: "Film")?.children.first)
            #expect(try await near.bus.whole("id:\(scene.id)").state == "running")
            for host in [near, far] {
                for scene in try await host.bus.whole("film").children {
                    #expect(scene.children.map(\.title) == ["Frame"], "\(scene)")
                    #expect(scene.childrenLeftOut == 0)
                }
            }
            for host in [near, far] {
                _ = try await host.shows([1: "Near", 2: "Film", 65: "Far"], "no job beside it")
            }

            workers[0].end("below", "succeeded")
            workers[0].end("root", "succeeded")
            try await workers[0].sync()
            _ = try await near.bus.status("the first has succeeded") { report in
                report.job(titled: "Film")?.counts.succeeded == 2
            }
            #expect(try await near.bus.run("cancel", "film").end == .exited(0))
            try await workers[1].event("cancel") { $0.event == "cancel" && $0.id == "root" }
            workers[1].end("root", "cancelled")
            try await workers[1].sync()
            _ = try await near.bus.status("the second is cancelled") { report in
                report.job(titled: "Film")?.children.contains { $0.state == "cancelled" } == true
            }
        }
    }

    @Test(
        "A ticket below a part is redeemed on a third host, and NATS may be gone for a while",
        .enabled(if: isPossible)
    )
    func ticketBelowPart() async throws {
        try await withTwoHosts { near, middle, server, port in
            try await withBus { bus in
                let far = Host(bus, port: port)
                try await far.startBroker()
                let issuer = try near.bus.startReporter()
                issuer.begin("film", "Film", #""key":"film""#)
                let scene = try await issuer.ticket("Scene", under: "film")
                let director = try middle.bus.startReporter(adding: ["PROGRESSBUS_TICKET": scene])
                let frame = try await director.ticket("Frame", under: "root")
                let artist = try far.bus.startReporter(adding: ["PROGRESSBUS_TICKET": frame])
                artist.update("root", #""completed":1,"total":4"#)
                artist.begin("stroke", "Stroke", #""parent":"root""#)
                try await artist.sync()
                func film(_ what: String, _ isSo: (StatusTask) -> Bool) async throws {
                    _ = try await near.bus.status(what) { report in
                        report.job(titled: "Film").map(isSo) ?? false
                    }
                }
                try await film("the frame is in the sums of the scene") {
                    $0.counts.running == 3 && $0.fraction == 0.25
                }
                for host in [near, middle, far] {
                    try await eventually("all of it is listed on each host") {
                        var titles: [String] = []
                        var task = try await host.bus.whole("film")
                        while let child = task.children.first {
                            titles.append(child.title)
                            task = child
                        }
                        return titles == ["Scene", "Frame", "Stroke"]
                    }
                }
                artist.end("stroke", "succeeded")
                server.send(SIGKILL)
                try await server.end()
                artist.end("root", "succeeded")
                try await artist.sync()
                director.end("root", "succeeded")
                try await director.sync()
                for worker in [artist, director] {
                    worker.process.closeInput()
                    #expect(try await worker.process.finish() == .exited(0))
                }
                _ = try await startServer(on: near.bus, port: port)
                try await film("all endings have come") { $0.counts.succeeded == 3 }
            }
        }
    }

    @Test("A host that is silent is said so, and is back in its slots", .enabled(if: isPossible))
    func hostGoes() async throws {
        try await withTwoHosts { near, far, _, _ in
            let both = [1: "Near", 65: "Far"]
            _ = try await near.shows(both, "both jobs")
            _ = try await far.bus.run("begin", "Part", "--parent", "Far")
            let watch = try near.bus.start("watch", ["Far", "--json"])
            func part(isSilent: Bool) async throws {
                try await eventually("below it silence is \(isSilent)", instead: { watch.output }) {
                    let jobs = watch.outputLines.compactMap { Self.job(inLine: $0) }
                    return jobs.last?.child(titled: "Part")?.silent == isSilent
                }
            }
            try await part(isSilent: false)
            let bridge = try await far.bridge()
            kill(bridge, SIGSTOP)
            let silent = try await near.bus.status("no word") { report in
                report.jobs.contains { $0.title == "Far" && $0.note.contains("is silent") }
            }
            #expect(Set(silent.jobs.compactMap(\.slot)) == [1, 65])
            try await part(isSilent: true)
            kill(bridge, SIGCONT)
            try await part(isSilent: false)
            _ = try await near.bus.status("a word again") { report in
                report.jobs.contains { $0.title == "Far" && $0.note.isEmpty }
            }
            _ = try await near.shows(both, "the same slots")
        }
    }

    @Test(
        "While the bridge is stopped, jobs of others stay and are said to be silent",
        .enabled(if: isPossible)
    )
    func bridgeStopped() async throws {
        try await withTwoHosts { near, far, _, _ in
            let both = [1: "Near", 65: "Far"]
            _ = try await near.shows(both, "both jobs")
            let wait = try near.bus.start("wait", ["Far"])
            let bridge = try await near.bridge()
            kill(bridge, SIGSTOP)
            _ = try await near.bus.status("it is silent") { report in
                report.jobs.contains { $0.title == "Far" && $0.note.contains("is silent") }
            }
            // The broker gives a viewer up after 11 s.
            try await Task.sleep(for: .seconds(12))
            _ = try await near.shows(both, "both jobs still")
            kill(bridge, SIGCONT)
            _ = try await near.bus.status("a word again") { report in
                report.jobs.contains { $0.title == "Far" && $0.note.isEmpty }
            }
            #expect(wait.endIfAny() == nil, "\(wait.errorOutput)")
            _ = try await far.bus.run("end", "Far")
            #expect(try await wait.finish(within: .seconds(20)) == .exited(0))
        }
    }

    @Test(
        "A bridge that is killed is started again, and none outlives its broker",
        .enabled(if: isPossible)
    )
    func bridgeKilled() async throws {
        try await withTwoHosts { near, far, _, _ in
            let first = try await far.bridge()
            kill(first, SIGKILL)
            let second = try await far.bridge(otherThan: first)
            _ = try await far.bus.run("begin", "Further", "--key", "further")
            let three = [1: "Near", 65: "Far", 66: "Further"]
            _ = try await near.shows(three, "what began after it")
            let broker = try #require(far.bus.brokerPID)
            kill(broker, SIGKILL)
            try await eventually("the bridge ends with its broker") { kill(second, 0) != 0 }
            try await far.startBroker()
            for host in [near, far] { _ = try await host.shows(three, "the same slots") }
        }
    }

    /// Writes the file by which the broker of a bus joins.
    private func join(_ bus: TemporaryBus, port: Int, _ more: String = "") throws {
        let configuration = bus.path("config") + "/progressbus"
        try FileManager.default.createDirectory(
            atPath: configuration,
            withIntermediateDirectories: true
        )
        let lines = """
            join nats://127.0.0.1:\(port)
            bus team
            endpoint \(bus.endpoint)
            \(more)

            """
        try Data(lines.utf8).write(to: URL(fileURLWithPath: configuration + "/fleet"))
    }

    @Test(
        "A wrong value in the user's file is said once, and followed when it is right",
        .enabled(if: isPossible)
    )
    func configuredWrongly() async throws {
        try await withBus { bus in
            let port = FreePort.any()
            _ = try await startServer(on: bus, port: port)
            try join(bus, port: port, "replicas many")
            let broker = try bus.start(
                "broker",
                adding: ["XDG_CONFIG_HOME": bus.path("config")]
            )
            try await eventually("the bridge complains", instead: { broker.errorOutput }) {
                broker.errorOutput.contains("no fleet is joined")
            }
            // The broker looks at the file every 5 s.
            try await Task.sleep(for: .seconds(9))
            #expect(broker.errorOutput.split(separator: "'many'").count == 2)
            try join(bus, port: port)
            try await eventually("it is joined", instead: { broker.errorOutput }) {
                Host(bus, port: port).pageCount > 0 || broker.endIfAny() != nil
            }
            #expect(broker.endIfAny() == nil)
        }
    }

    @Test("A broker that a command starts joins as the user's file says", .enabled(if: isPossible))
    func configured() async throws {
        try await withBus { near in
            let port = FreePort.any()
            _ = try await startServer(on: near, port: port)
            try await Host(near, port: port).startBroker()
            try await withBus { far in
                try join(far, port: port)
                let begin = try far.start(
                    "begin",
                    ["Far"],
                    adding: ["XDG_CONFIG_HOME": far.path("config")]
                )
                #expect(try await begin.finish(within: .seconds(30)) == .exited(0))
                let doctor = try far.start(
                    "doctor",
                    adding: ["XDG_CONFIG_HOME": far.path("config")]
                )
                #expect(try await doctor.finish(within: .seconds(30)) == .exited(0))
                #expect(doctor.output.contains("is to join the fleet team"))
                try await eventually("doctor names who is heard") {
                    try await far.run("doctor").output.contains("hears these hosts of the fleet")
                }
                _ = try await near.status("the job of the other host") { report in
                    report.jobs.map(\.title) == ["Far"]
                }
            }
        }
    }

    @Test(
        "Servers that cannot be joined end the broker with what to write",
        arguments: [
            ("http://a", "write nats://HOST:PORT"), ("nats://far:4222", "--credentials FILE"),
        ]
    )
    func refused(servers: String, sentence: String) async throws {
        try await withBus { bus in
            let result = try await bus.run("broker", "--join", servers)
            #expect(result.end == .exited(64))
            // The broker logs while its bridge complains.
            let words = result.errorOutput.replacing(/\d{4}-\d\d-\d\dT[^\n]*\n/, with: "")
            #expect(words.contains(sentence), "\(result.errorOutput)")
        }
    }

    @Test("A NATS that has lost all it kept has everything again", .enabled(if: isPossible))
    func natsEmptied() async throws {
        try await withTwoHosts { near, far, server, port in
            let both = [1: "Near", 65: "Far"]
            _ = try await near.shows(both, "both jobs")
            server.send(SIGKILL)
            try await server.end()
            try FileManager.default.removeItem(atPath: near.bus.path("nats"))
            _ = try await startServer(on: near.bus, port: port)
            _ = try await far.bus.run("advance", "Far", "--by", "7")
            for host in [near, far] {
                _ = try await host.bus.status("what was said meanwhile") { report in
                    report.jobs.contains {
                        $0.title == "Far" && $0.completed == 7 && $0.note.isEmpty
                    }
                }
                _ = try await host.shows(both, "the same slots")
            }
        }
    }
}
