import BusProtocol
import Foundation
import ProgressBus
import Synchronization
import ZeroMQ

/// What a session that says more than the broker can hear costs another: how long a change takes
/// until the broker says that the report of it is in, without the flood and with it.
enum Flooding {
    private static let rounds = 100

    static func measure() async {
        do {
            let client = BusClient()
            let job = client.beginJob("Good", total: 1_000_000)
            guard await client.sync(timeout: .seconds(10)) else { exit(69) }
            let quiet = await delays(of: client, job)
            let flood = try Flood()
            let thread = Thread {
                do { try flood.run() } catch {
                    FileHandle.standardError.write(Data("\(error)\n".utf8))
                }
            }
            thread.start()
            while flood.sent < 50 { try await Task.sleep(for: .milliseconds(1)) }
            let before = flood.sent
            let flooded = await delays(of: client, job)
            let frames = flood.sent - before
            flood.stop()
            print(
                #"{"frames":\#(frames),"quiet":\#(quiet.median),"quietWorst":\#(quiet.worst),"#
                    + #""flooded":\#(flooded.median),"floodedWorst":\#(flooded.worst)}"#
            )
            _ = await client.close(timeout: .seconds(5))
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(69)
        }
    }

    /// In milliseconds; what takes longer than 10 s counts as that.
    private static func delays(
        of client: BusClient,
        _ job: ProgressTask
    ) async -> (median: Double, worst: Double) {
        var delays: [Double] = []
        for _ in 0..<rounds {
            job.advance()
            let begun = ContinuousClock.now
            _ = await client.sync(timeout: .seconds(10))
            delays.append(begun.duration(to: .now) / .milliseconds(1))
            try? await Task.sleep(for: .milliseconds(20))
        }
        delays.sort()
        return (delays[rounds / 2], delays[rounds - 1])
    }
}

/// A session that is known to the broker and sends large reports as fast as they are taken.
private final class Flood: Sendable {
    static let rows = 500

    private let endpoint: BusEndpoint
    private let state = Mutex((sent: 0, isStopping: false))

    init() throws {
        endpoint = try BusEndpoint.resolve(
            explicit: nil,
            environment: ProcessInfo.processInfo.environment
        ).endpoint
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
