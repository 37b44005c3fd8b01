import BusProtocol
import Foundation
import Testing

/// What ends while there is no broker is not lost.
@Suite("The spool", .serialized, .transcript, .timeLimit(.minutes(5)))
struct SpoolTests {
    @Test("20 workers end while the broker is dead: all counted after it comes back, for good")
    func workersEnd() async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker("--linger", "600")
            let reporters = try (0..<10).map { number in
                let worker = try bus.startReporter()
                worker.begin("job", "Job \(number)", #""total":10"#)
                worker.begin("part", "Part", #""parent":"job""#)
                return worker
            }
            let leavers = try (0..<10).map { _ in
                try bus.start(program: Programs.busWorker(), ["leave", "3"])
            }
            for worker in reporters { try await worker.sync() }
            for worker in leavers {
                try await eventually("a worker is ready", instead: { worker.errorOutput }) {
                    worker.output.contains("ready")
                }
            }
            broker.send(SIGKILL)
            try await broker.end()
            #expect(bus.spool.isEmpty)

            let clock = ContinuousClock()
            for worker in leavers { worker.closeInput() }
            let began = clock.now
            for worker in leavers { #expect(try await worker.end() == .exited(0)) }
            let took = began.duration(to: clock.now)
            #expect(took < .seconds(5), "leaving takes moments: \(took)")
            for (number, worker) in reporters.enumerated() {
                worker.begin("late", "Late \(number)")
                worker.end("part", "succeeded")
                worker.end("job", "failed", reason: "no paper \(number)")
                worker.end("late", "succeeded")
                worker.process.closeInput()
            }
            // Nobody has acknowledged anything.
            for worker in reporters { #expect(try await worker.process.end() == .exited(75)) }
            #expect(bus.spool.count == 20, "\(bus.spool)")
            for name in bus.spool {
                let path = bus.socketDirectory + "/spool/" + name
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
                #expect(mode as? Int == 0o600)
            }

            for life in 1...3 {
                let next = try await bus.startBroker("--linger", "600")
                let report = try await bus.status("all 20 workers' endings, life \(life)") {
                    Self.isComplete($0)
                }
                #expect(report.jobs.count == 30)
                #expect(report.jobs.count { $0.state == "lost" } == 0)
                try await eventually("the spool is empty") { bus.spool.isEmpty }
                next.send(SIGKILL)
                try await next.end()
            }
        }
    }

    private static func isComplete(_ report: StatusReport) -> Bool {
        guard !report.broker.settling, report.jobs.count == 30 else { return false }
        let jobs = report.jobs.filter { $0.title.hasPrefix("Job ") }
        let late = report.jobs.filter { $0.title.hasPrefix("Late ") }
        let leavers = report.jobs.filter { $0.title.hasPrefix("Leave ") }
        return jobs.allSatisfy {
            $0.state == "failed" && $0.counts.succeeded == 1
                && $0.reason == "no paper " + $0.title.dropFirst(4)
        } && late.count == 10 && late.allSatisfy { $0.state == "succeeded" }
            && leavers.count == 10
            && leavers.allSatisfy { $0.state == "succeeded" && $0.counts.succeeded == 3 }
    }

    @Test("A job left open: its children's endings are there, and it is lost")
    func openJob() async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker()
            let worker = try bus.start(program: Programs.busWorker(), ["leave", "4", "--open"])
            try await eventually("ready") { worker.output.contains("ready") }
            broker.send(SIGKILL)
            try await broker.end()
            #expect(try await worker.finish() == .exited(0))
            _ = try await bus.startBroker()
            let report = try await bus.status("the job is lost") { report in
                report.jobs.first?.state == "lost"
            }
            #expect(report.jobs.first?.counts.succeeded == 4)
        }
    }

    @Test("Processes that are stopped while they leave: what they said is there all the same")
    func stoppedAtTheEnd() async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker()
            let workers = try (0..<12).map { _ in
                try bus.start(program: Programs.busWorker(), ["leave", "3"])
            }
            for worker in workers {
                try await eventually("ready") { worker.output.contains("ready") }
            }
            // It accepts connections and says nothing, so that they wait for a while.
            broker.send(SIGSTOP)
            try await eventually("stopped") { processState(broker.pid) == "T" }
            for worker in workers { worker.closeInput() }
            // Into the tenth of a second that they have for the broker, then longer than they have
            // for anything.
            try await Task.sleep(for: .milliseconds(50))
            for worker in workers { worker.send(SIGSTOP) }
            try await Task.sleep(for: .milliseconds(1_500))
            for worker in workers { worker.send(SIGCONT) }
            for worker in workers { #expect(try await worker.end() == .exited(0)) }
            #expect(bus.spool.count == 12, "\(bus.spool)")
            broker.send(SIGKILL)
            try await broker.end()
            _ = try await bus.startBroker()
            try await bus.status("all of it") { report in
                report.jobs.count == 12 && report.jobs.allSatisfy { $0.state == "succeeded" }
            }
        }
    }

    @Test("What ends before there is any broker, or a directory, is shown by the first one")
    func firstBroker() async throws {
        try await withBus { bus in
            try FileManager.default.removeItem(atPath: bus.socketDirectory)
            let worker = try bus.startReporter()
            worker.begin("a", "Too early")
            worker.end("a", "failed", reason: "no paper")
            #expect(try await worker.process.finish() == .exited(75))
            #expect(!worker.process.errorOutput.contains("will not be shown"))
            let short = try bus.start(program: Programs.busWorker(), ["short"])
            #expect(try await short.finish() == .exited(0))
            #expect(bus.spool.count == 2, "\(bus.spool)")
            _ = try await bus.startBroker()
            let report = try await bus.status("its failure") {
                $0.job(titled: "Too early")?.state == "failed"
            }
            #expect(report.job(titled: "Too early")?.reason == "no paper")
        }
    }

    @Test("A spool that cannot be made: said once, and the worker ends as ever")
    func unwritable() async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker()
            let worker = try bus.start(program: Programs.busWorker(), ["leave", "2"])
            try await eventually("ready") { worker.output.contains("ready") }
            broker.send(SIGKILL)
            try await broker.end()
            // Permissions mean nothing to root; a file in the place of the directory does.
            let path = bus.socketDirectory + "/spool"
            #expect(FileManager.default.createFile(atPath: path, contents: Data()))
            #expect(try await worker.finish() == .exited(0))
            let said = worker.errorOutput.components(separatedBy: path).count - 1
            #expect(said == 1, "\(worker.errorOutput)")
            let next = try await bus.startBroker()
            #expect(try await bus.run("status").end == .exited(0))
            try await eventually("the broker says it too") { next.errorOutput.contains(path) }
        }
    }

    @Test("Files that nobody should trust: set aside with a warning, the good one is taken")
    func damaged() async throws {
        try await withBus { bus in
            let spool = bus.socketDirectory + "/spool"
            let files = FileManager.default
            try files.createDirectory(
                atPath: spool,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            let good = Self.file(session: 1)
            func write(_ name: String, _ bytes: [UInt8], mode: Int = 0o600) throws {
                try Data(bytes).write(to: URL(fileURLWithPath: spool + "/" + name))
                try files.setAttributes([.posixPermissions: mode], ofItemAtPath: spool + "/" + name)
            }
            try write("good.spool", good)
            try write("garbage.spool", Array(repeating: 0x41, count: 500))
            try write("empty.spool", [])
            for offset in [0, 9, good.count / 2, good.count - 1] {
                var bytes = Self.file(session: UInt64(10 + offset))
                bytes[offset] ^= 0x10
                try write("bit-\(offset).spool", bytes)
            }
            try write("cut.spool", Array(Self.file(session: 2).dropLast(5)))
            try write("readable.spool", Self.file(session: 3), mode: 0o644)
            try write("large.spool", Array(repeating: 0, count: SpoolLimits.fileBytes + 1))
            try write("aim", Self.file(session: 4))
            try files.moveItem(atPath: spool + "/aim", toPath: bus.directory + "/aim")
            try files.createSymbolicLink(
                atPath: spool + "/link.spool",
                withDestinationPath: bus.directory + "/aim"
            )
            #expect(mkfifo(spool + "/pipe.spool", 0o600) == 0)
            var bad = 11
            if getuid() == 0 {
                try write("foreign.spool", Self.file(session: 5))
                #expect(chown(spool + "/foreign.spool", 65_534, 65_534) == 0)
                bad += 1
            }
            try write("old.spool", Self.file(session: 6))
            try files.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -4_000)],
                ofItemAtPath: spool + "/old.spool"
            )
            try files.createDirectory(atPath: spool + "/folder", withIntermediateDirectories: false)

            let broker = try await bus.startBroker()
            try await eventually("all is out of the way", instead: { "\(bus.spool)" }) {
                bus.spool == ["damaged", "folder"]
            }
            let report = try await bus.status("the good one's job") { !$0.jobs.isEmpty }
            #expect(report.jobs.map(\.title) == ["Session 1"])
            let aside = try files.contentsOfDirectory(atPath: spool + "/damaged")
            #expect(aside.count == bad, "\(aside)")
            #expect(broker.errorOutput.components(separatedBy: "cannot be used").count == bad + 1)
            #expect(files.fileExists(atPath: bus.directory + "/aim"), "a link is not followed")

            // More than are kept: the oldest leave.
            for number in 0..<SpoolLimits.damagedFiles + 5 {
                try write("more-\(number).spool", [1])
            }
            try await eventually("the next round", within: .seconds(60)) {
                bus.spool == ["damaged", "folder"]
            }
            // The last one is moved first, and the oldest leave then.
            func kept() -> Int? { try? files.contentsOfDirectory(atPath: spool + "/damaged").count }
            try await eventually("the oldest have left", instead: { "\(kept() ?? 0)" }) {
                kept() == SpoolLimits.damagedFiles
            }
        }
    }

    /// A whole file about one job that failed.
    private static func file(session: UInt64) -> [UInt8] {
        func frame(_ body: WireClientFrame.OneOf_Body) -> WireClientFrame {
            var frame = WireClientFrame()
            frame.credentialBytes = Array(repeating: UInt8(truncatingIfNeeded: session), count: 16)
            frame.body = body
            return frame
        }
        var hello = WireHello()
        hello.session = session
        var ending = WireEnding()
        ending.description_p.index = 1
        ending.description_p.title = "Session \(session)"
        ending.state = .failed
        ending.total = -1
        var endings = WireEndings()
        endings.sequence = 1
        endings.endings = [ending]
        return SpoolFile.encode([
            frame(.hello(hello)), frame(.endings(endings)), frame(.goodbye(WireGoodbye())),
        ])
    }
}

extension TemporaryBus {
    /// The names in the spool.
    var spool: [String] {
        let path = socketDirectory + "/spool"
        return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
}
