import BusProtocol
import Foundation
import ProgressBus
import ProgressBus
import TaskTree
import Testing
import TestSupport

/// Whatever arrives at a socket, the broker refuses it in words, counts it and runs on.
@Suite("Hostile input", .serialized, .transcript, .timeLimit(.minutes(5)))
struct HostileInputTests {
    static let seeds: [UInt64] = [1, 20_261_121]

    @Test("Every rejected frame of the vectors is refused in words on control")
    func refusedInWords() async throws {
        try await withBus { bus in
            _ = try await bus.startBroker()
            let frames = try HostileFrames()
            try #require(frames.rejected.count > 5)
            let peer = try HostilePeer(bus.endpoint)
            let before = try await bus.refusals()
            // What is larger than any frame cuts the connection instead.
            let vectors = frames.rejected.filter {
                $0.bytes.count <= ProtocolLimits.clientFrameBytes
            }
            for vector in vectors {
                let refusal = try await onOwnThread { try peer.ask([vector.bytes]) }
                let answer = try #require(refusal, "no refusal of \(vector.name)")
                #expect(answer.sentence.contains(" "), "\(vector.name): \(answer.sentence)")
                // The others are not what a client may say here, which comes first.
                if vector.kind == 2 { #expect(answer.code == vector.code, "\(vector.name)") }
            }
            #expect(try await bus.refusals() >= before + vectors.count)
        }
    }

    @Test("Messages of no part, of many and of a megabyte too much do not harm the others")
    func oddMessages() async throws {
        try await withBus { bus in
            let good = try await GoodWorker(on: bus)
            let frames = try HostileFrames()
            let peer = try HostilePeer(bus.endpoint)
            let frame = try #require(frames.accepted.first).bytes
            let odd: [[[UInt8]]] = [
                [[]], [[], []], [frame, frame], [[], frame], Array(repeating: frame, count: 40),
                [Array("PBUS".utf8)], [Array("PBUS\u{2}\u{0}\u{2}\u{0}".utf8)],
                [Array(repeating: 0x50, count: 1_000_000)],
            ]
            for message in odd {
                _ = try await onOwnThread { try peer.flood(control: [message]) }
            }
            let large = [UInt8](repeating: 0x50, count: 3_000_000)
            _ = try await onOwnThread { try peer.ask([large], patience: 200) }
            let starting = Array("PBUS".utf8)
            try await onOwnThread { try peer.flood(reports: odd.map { [starting] + $0 }) }
            try await onOwnThread { try peer.flood(updates: odd, topics: [frame]) }
            let topics = [200, 246, 255, 10_000, 1_000_000].map { large.prefix($0) }
            let subscriptions = topics.flatMap { topic in
                // Every third goes to updates.
                [[], [], HostilePeer.subscription(to: Array(topic))]
            }
            try await onOwnThread { try peer.flood(streams: subscriptions) }
            let refusal = try await onOwnThread { try peer.ask([[]]) }
            #expect(refusal?.sentence.isEmpty == false)
            try await good.isUnharmed()
        }
    }

    @Test("Mutated frames on every socket leave a good worker's state right", arguments: seeds)
    func mutations(seed: UInt64) async throws {
        try await withBus { bus in
            let good = try await GoodWorker(on: bus)
            let frames = try HostileFrames()
            let peer = try HostilePeer(bus.endpoint)
            let before = try await bus.refusals()

            let control = frames.mutations(2_000, seed: seed)
            let refusals = try await onOwnThread { try peer.flood(control: control.map { [$0] }) }
            #expect(refusals.allSatisfy { $0.code != 0 && $0.sentence.contains(" ") })
            #expect(!refusals.isEmpty, "seed \(seed)")
            try await good.works()

            let reports = frames.mutations(2_000, seed: seed &+ 1).map { bytes in
                [Array("PBUS".utf8) + bytes.dropFirst(4)]
            }
            try await onOwnThread { try peer.flood(reports: reports) }
            try await good.works()

            let noise = frames.mutations(500, seed: seed &+ 2)
            let topics = Self.topics(seed: seed) + noise.map { Array($0.prefix(240)) }
            try await onOwnThread { try peer.flood(updates: noise.map { [$0] }, topics: topics) }
            let chunks =
                [
                    [], [0xFF], HostilePeer.greeting, HostilePeer.greeting + [4, 200, 5],
                ] + noise
            try await onOwnThread { try peer.flood(streams: chunks) }
            try await good.isUnharmed()
            #expect(try await bus.refusals() > before, "counted; seed \(seed)")
        }
    }

    @Test("A worker cannot change what another session has said")
    func foreignTasks() async throws {
        try await withBus { bus in
            let good = try await GoodWorker(on: bus)
            let peer = try HostilePeer(bus.endpoint)
            let foreign = try #require(TaskRef(text: try await good.id()))
            // Somebody who knows the public id, as every viewer does, but not the credential.
            var hello = WireClientFrame()
            hello.credential = Data((1...16).map { UInt8($0) })
            hello.hello.session = foreign.session
            hello.hello.process.pid = 1
            var ending = WireClientFrame()
            ending.credential = hello.credential
            ending.endings.sequence = 1_000_000
            var row = WireEnding()
            row.description_p.index = foreign.index
            row.description_p.title = "Taken over"
            row.state = .succeeded
            ending.endings.endings = [row]
            let messages = [hello, ending].map { [Frame.encode($0)] }
            let refusals = try await onOwnThread { try peer.flood(control: messages) }
            #expect(!refusals.isEmpty)
            try await good.isUnharmed()
        }
    }

    private static func topics(seed: UInt64) -> [[UInt8]] {
        var random = SplitMix64(seed: seed)
        let words = [
            "totals/", "attention/", "board/0/", "board/-1/", "board/99999999999999999999/",
            "board//", "children/", "children/1-zzzz/0/", "states/1-0000000000000/-5/", "job//",
            "log/", "probe/", "probe/18446744073709551616/", "", "/", "\u{1}", "Board/0/",
        ]
        return words.map { Array($0.utf8) }
            + (0..<200).map { _ in
                (0..<Int.random(in: 0...200, using: &random)).map { _ in
                    .random(in: 0 ... .max, using: &random)
                }
            }
    }
}

/// The two numbers of a task's id.
private struct TaskRef {
    var index: UInt64
    var session: UInt64

    init?(text: String) {
        guard let id = TaskID(text) else { return nil }
        index = id.index
        session = id.session.rawValue
    }
}

/// A worker with a job of known numbers, on a broker that must survive.
private struct GoodWorker {
    private let bus: TemporaryBus
    private let broker: ChildProcess
    private let reporter: Reporter

    init(on bus: TemporaryBus) async throws {
        self.bus = bus
        broker = try await bus.startBroker("--linger", "600")
        reporter = try bus.startReporter()
        reporter.begin("job", "Good", #""total":1000000"#)
        reporter.begin("child", "Child", #""parent":"job","share":10,"total":4"#)
        try await reporter.sync()
    }

    func id() async throws -> String {
        try await bus.status("the good job") { $0.job(titled: "Good") != nil }
            .job(titled: "Good")?.id ?? ""
    }

    /// Its word still reaches the broker.
    func works() async throws {
        reporter.say(#"{"op":"advance","id":"job","by":10}"#)
        try await reporter.sync()
        #expect(broker.endIfAny() == nil, "the broker has ended")
    }

    func isUnharmed() async throws {
        reporter.update("job", #""completed":4711"#)
        reporter.update("child", #""completed":3,"detail":"unharmed""#)
        try await works()
        let report = try await bus.status("the good worker's numbers") { report in
            report.job(titled: "Good")?.completed == 4_721
        }
        let job = try #require(report.job(titled: "Good"))
        let pid = Int(reporter.process.pid)
        #expect(job.state == "running" && job.total == 1_000_000 && job.process?.pid == pid)
        #expect(job.children.map(\.detail) == ["unharmed"] && job.attempt == 1)
        #expect(job.children.first?.fraction == 0.75)
        reporter.end("child", "succeeded")
        reporter.end("job", "succeeded")
        #expect(try await reporter.process.finish() == .exited(0))
        try await bus.status("its ending") { $0.job(titled: "Good")?.state == "succeeded" }
        #expect(broker.endIfAny() == nil, "the broker has ended")
    }
}

extension TemporaryBus {
    /// How many things the broker says it has refused.
    fileprivate func refusals() async throws -> Int {
        let follower = follower()
        defer { follower.close() }
        let board = try await follower.status(depth: 0, timeout: .seconds(20))
        return board.broker?.refused ?? 0
    }
}
