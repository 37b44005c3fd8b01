import Foundation
import Testing

/// Brokers come late, die and come again; the tree does not mind.
@Suite("Brokers come and go", .serialized, .transcript, .timeLimit(.minutes(5)))
struct BrokerRestartTests {
    @Test("A broker started last shows everything that was said before")
    func brokerStartedLast() async throws {
        try await withBus { bus in
            let workers = try (0..<3).map { number in
                let worker = try bus.startReporter()
                worker.begin("job", "Job \(number)", #""total":10,"key":"key-\#(number)""#)
                worker.begin("child", "Child", #""parent":"job","share":4,"total":8"#)
                worker.update("child", #""completed":2,"detail":"before the broker""#)
                // A child with a message is not folded away, however short it lives.
                worker.say(#"{"op":"log","id":"child","text":"begun"}"#)
                return worker
            }
            workers[0].end("child", "succeeded")
            workers[1].end("child", "failed", reason: "no more paper")
            workers[2].say(#"{"op":"advance","id":"job","by":3}"#)
            // Proof that all of that was read before there was a broker.
            let tickets = try await workers.asyncMap { try await $0.ticket("t", under: "job") }
            #expect(Set(tickets).count == 3)

            _ = try await bus.startBroker()
            for worker in workers { try await worker.sync() }
            let report = try await bus.status("three jobs with two children each") { report in
                report.jobs.count == 3 && report.allTasks.count == 9 && !report.broker.settling
            }
            let jobs = report.jobs.sorted { $0.title < $1.title }
            let children = try jobs.map { try #require($0.child(titled: "Child")) }
            #expect(jobs.map(\.key) == ["key-0", "key-1", "key-2"])
            #expect(Set(jobs.map(\.slot)) == [1, 2, 3])
            #expect(children.map(\.state) == ["succeeded", "failed", "running"])
            #expect(children.map(\.reason) == [nil, "no more paper", nil])
            #expect(children.map(\.completed) == [2, 2, 2])
            #expect(children.allSatisfy { $0.detail == "before the broker" && $0.share == 4 })
            #expect(jobs.map(\.completed) == [0, 0, 3])
            #expect(jobs[0].fraction == 0.4)
            #expect(jobs[1].fraction == 0.1)
            #expect(jobs[2].fraction == 0.4)
            #expect(jobs.allSatisfy { $0.child(titled: "t")?.state == "waiting" })
        }
    }

    @Test("A broker killed three times while 20 work and 20 have ended has everything back")
    func brokerKilled() async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker("--linger", "600")
            let crowd = try await Crowd(on: bus)
            let before = try await crowd.settledStatus()
            #expect(before.allTasks.count == crowd.expectedTasks, "\(before)")

            broker.send(SIGKILL)
            #expect(try await broker.end() == .signalled(SIGKILL))
            crowd.workWithoutBroker()
            let second = try await bus.startBroker("--linger", "600")
            try await crowd.sync()
            let after = try await bus.status("what was said without a broker") { report in
                !report.broker.settling && crowd.hasWorked(report)
            }
            #expect(after.broker.epoch != before.broker.epoch)
            #expect(crowd.differences(before, after).isEmpty)

            // Nothing is said any more; two brokers in a row die, one before it has settled.
            second.send(SIGKILL)
            try await second.end()
            let third = try await bus.startBroker("--linger", "600")
            third.send(SIGKILL)
            try await third.end()
            _ = try await bus.startBroker("--linger", "600")
            try await crowd.sync()
            var differences: [String] = []
            try await eventually("the same tree", instead: { "\(differences)" }) {
                guard let report = try? await bus.status() else { return false }
                differences = report.differences(from: after)
                return !report.broker.settling && differences.isEmpty
            }
            try await crowd.finish()
            try await bus.status("everything has ended") { report in
                report.allTasks.allSatisfy { $0.endedAt != nil }
                    && report.allTasks.count == crowd.expectedTasks
            }
        }
    }

    @Test("What a new broker asks of a worker is done, whatever the one before has asked of it")
    func requests() async throws {
        try await withBus { bus in
            let former = try await bus.startBroker("--linger", "600")
            let worker = try bus.startReporter()
            worker.begin("job", "Job", #""key":"job","cancellable":true,"pausable":true"#)
            try await worker.sync()
            for request in ["pause", "resume"] {
                #expect(try await bus.run(request, "job").end == .exited(0))
                try await worker.event(request) { $0.event == request }
            }
            former.send(SIGKILL)
            try await former.end()
            _ = try await bus.startBroker("--linger", "600")
            try await worker.sync()
            #expect(try await bus.run("cancel", "job").end == .exited(0))
            try await worker.event("cancel") { $0.event == "cancel" }
        }
    }

    @Test("A second broker on the same endpoint exits with 73 and names the first")
    func secondBroker() async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker()
            let second = try await bus.run("broker")
            #expect(second.end == .exited(73))
            #expect(second.errorOutput.contains("\(broker.pid)"), "\(second)")
            #expect(try await bus.run("status").end == .exited(0))
            #expect(broker.endIfAny() == nil)
        }
    }

    @Test(
        "SIGTERM and SIGINT end a broker with 0; the next one has the journal",
        arguments: [
            SIGTERM, SIGINT,
        ]
    )
    func terminate(signal: Int32) async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker()
            let worker = try bus.startReporter()
            worker.begin("spare", "Spare", #""key":"spare""#)
            worker.begin("a", "Fails", #""key":"nightly","total":4"#)
            worker.update("a", #""completed":3,"detail":"episode 3""#)
            worker.end("a", "failed", reason: "disk full")
            worker.end("spare", "failed", reason: "not needed")
            #expect(try await worker.process.finish() == .exited(0))
            let before = try await bus.status("two failed jobs") { report in
                report.jobs.count(where: { $0.state == "failed" }) == 2
            }
            let clock = ContinuousClock()
            let asked = clock.now
            broker.send(signal)
            #expect(try await broker.end(within: .seconds(20)) == .exited(0))
            let took = asked.duration(to: clock.now)
            #expect(took < .seconds(10), "expected to take a second or so")
            #expect(bus.brokerPID == nil)

            _ = try await bus.startBroker()
            let after = try await bus.status("the failed jobs are back") { report in
                report.jobs.count == 2 && !report.broker.settling
            }
            #expect(after.differences(from: before) == [])
            #expect(after.job(titled: "Fails")?.reason == "disk full")
        }
    }

    @Test(
        "A journal that was damaged is set aside and the broker runs on",
        arguments: [
            0, 4096,
        ]
    )
    func damagedJournal(offset: UInt64) async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker()
            let worker = try bus.startReporter()
            worker.begin("a", "Still here", #""total":4"#)
            worker.begin("gone", "Ended")
            worker.end("gone", "failed", reason: "for the journal")
            try await worker.sync()
            broker.send(SIGTERM)
            #expect(try await broker.end() == .exited(0))

            let former = try bus.stateFiles()
            let journal = try #require(former.first { $0.hasSuffix(".sqlite") }, "\(former)")
            let file = try #require(FileHandle(forWritingAtPath: journal))
            let size = try file.seekToEnd()
            try #require(size > offset)
            try file.seek(toOffset: offset)
            try file.write(contentsOf: Data(repeating: 0xA5, count: Int(size - offset)))
            try file.close()

            let next = try await bus.startBroker()
            try await worker.sync()
            let report = try await bus.status("the living job is back") { report in
                report.job(titled: "Still here")?.state == "running"
            }
            #expect(report.job(titled: "Ended")?.state ?? "failed" == "failed")
            #expect(next.errorOutput.contains("warning"), "\(next.errorOutput)")
            let aside = Set(try bus.stateFiles()).subtracting(former)
            #expect(!aside.isEmpty, "the damaged file is kept for somebody to look at")
        }
    }
}

extension TemporaryBus {
    /// Every file below the state directory.
    fileprivate func stateFiles() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: stateDirectory)
            .map { stateDirectory + "/" + $0 }
            .filter { path in
                var isDirectory: ObjCBool = false
                _ = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
                return !isDirectory.boolValue
            }
    }
}

extension Sequence where Element: Sendable {
    /// One after the other.
    func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
