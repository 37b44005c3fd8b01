import BusProtocol
import Foundation
import ProgressBus
import Synchronization
import Testing
import ZeroMQ

/// A session that says more than the broker can hear delays itself, not the others.
@Suite("Floods", .serialized, .transcript, .timeLimit(.minutes(2)))
struct FloodTests {
    @Test("One session floods: another's frames are delayed by a tick at most")
    func otherSessionsAreNotDelayed() async throws {
        try await withBus { bus in
            let broker = try await bus.startBroker()
            let client = bus.client()
            let job = client.beginJob("Good", total: 1_000_000)
            #expect(await client.sync(timeout: .seconds(10)))
            let quiet = try await delays(of: client, job)
            let flood = try Flood(bus.endpoint)
            let flooding = Task { try await onOwnThread { try flood.run() } }
            try await eventually("the flood has begun") { flood.sent > 50 ? true : nil }
            let before = flood.sent
            let flooded = try await delays(of: client, job)
            let frames = flood.sent - before
            flood.stop()
            try await flooding.value
            print(
                """
                flood of \(frames) frames of \(Flood.rows) rows: a frame is in after \
                \(quiet.median), \(quiet.worst) at worst, without it; \(flooded.median), \
                \(flooded.worst) with it
                """
            )
            #expect(frames > 50, "no flood")
            #expect(flooded.median - quiet.median < .milliseconds(50))
            #expect(broker.endIfAny() == nil)
            _ = await client.close(timeout: .seconds(5))
        }
    }

    /// From a change to the broker's word that the report of it is in.
    private func delays(
        of client: BusClient,
        _ job: ProgressTask
    ) async throws -> (median: Duration, worst: Duration) {
        var delays: [Duration] = []
        for _ in 0..<60 {
            job.advance()
            let begun = ContinuousClock.now
            #expect(await client.sync(timeout: .seconds(10)))
            delays.append(ContinuousClock.now - begun)
            try await Task.sleep(for: .milliseconds(20))
        }
        delays.sort()
        return (delays[delays.count / 2], delays[delays.count - 1])
    }
}

/// A session that is known to the broker and sends large reports as fast as they are taken.
private final class Flood: Sendable {
    static let rows = 5_000

    private let endpoint: BusEndpoint
    private let state = Mutex((sent: 0, isStopping: false))

    init(_ endpoint: String) throws {
        self.endpoint = try BusEndpoint(parsing: endpoint)
    }

    var sent: Int { state.withLock { $0.sent } }

    func stop() { state.withLock { $0.isStopping = true } }

    /// Blocks until it is stopped.
    func run() throws {
        let context = try ZeroMQContext()
        let control = try ZeroMQSocket(.dealer, in: context)
        try control.connect(endpoint.controlAddress)
        let reports = try ZeroMQSocket(.xpub, in: context)
        try reports.set(.immediate, to: 1)
        try reports.set(.noDrop, to: 1)
        try reports.connect(endpoint.reportsAddress)
        var hello = WireClientFrame()
        hello.credentialBytes = Array(repeating: 9, count: 16)
        hello.hello.session = 9
        _ = try control.send([Frame.encode(hello)])
        var items = [reports.pollItem]
        _ = try poll(&items, timeout: 10_000)
        while try reports.receive() == nil { _ = try poll(&items, timeout: 100) }

        var report = WireReport()
        report.credentialBytes = hello.credentialBytes
        report.sequence = 1
        report.descriptions = (1...Self.rows).map { index in
            var description = WireDescription()
            description.index = UInt64(index)
            description.title = "Flood"
            if index > 1 { description.parent.index = 1 }
            return description
        }
        var none: [PollItem] = []
        while !state.withLock({ $0.isStopping }) {
            while try !reports.send([Frame.encode(report)]) {
                guard !state.withLock({ $0.isStopping }) else { return }
                _ = try poll(&none, timeout: 1)
            }
            state.withLock { $0.sent += 1 }
            report.descriptions = []
            report.sequence += 1
            report.amountIndex = (1...Self.rows).map { UInt64($0) }
            report.completed = Array(repeating: Int64(report.sequence), count: Self.rows)
            report.total = Array(repeating: -1, count: Self.rows)
            // What it is answered does not matter, but it is read.
            while try control.receive() != nil {}
        }
    }
}
